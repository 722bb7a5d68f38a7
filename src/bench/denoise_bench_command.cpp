#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_commands.h"
#include "bench/denoise_bench.h"
#include "cli/options/arguments.h"
#include "cli/options/asset_options.h"
#include "cli/options/setting_options.h"
#include "cli/options/value_hint.h"
#include "core/lines.h"
#include "settings/limits.h"

namespace aureole::bench {

namespace {

/// In their order, since the samples of one picture go on from those of the one before.
std::vector<std::uint32_t> parseSampleCounts(const std::string& option, const std::string& text) {
    std::vector<std::uint32_t> counts;
    for (const std::string& part : splitList(text)) {
        counts.push_back(parseSampleCount(option, part));
    }
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

ExitCode runDenoiseBench(const DenoiseBenchOptions& options) {
    std::vector<NamedFile> scenes;
    for (const std::string& file : options.scenes) {
        scenes.push_back({"SCENE", file});
    }
    DenoiseBench(openBenchDevice(options.common, scenes), options).run();
    return ExitCode::Done;
}

} // namespace

void addBenchDenoise(CLI::App& bench, cli::Invocation& invocation) {
    using Text = const std::string&;
    CLI::App* command = cli::addCommand(bench, "denoise", "Denoisers: the error that they leave, and their time");
    const auto options = std::make_shared<DenoiseBenchOptions>();
    options->common.repeats = 5;
    CLI::Option* scenes =
        cli::addTexts(*command, "SCENE", "", "Scenes (.json), models (.glb, .obj...) or octrees (.avo), one or more",
                      options->scenes);
    cli::require(scenes);
    cli::setHint(*command, scenes, {.files = true, .extensions = cli::sceneExtensions()});
    cli::addValue(*command, "--resolution", "N", "Voxels along the scenes' longest side (default: the scene's)",
                  [options](Text text) {
                      options->resolution = parseCount("--resolution", text, kMinimumResolution, kMaximumResolution);
                  });
    addPictureSize(*command, options->size);
    cli::addValue(*command, "--spp", "N,N,..", "Samples of a pixel, powers of two (default: 16,64,256)",
                  [options](Text text) { options->samples = parseSampleCounts("--spp", text); });
    cli::addValue(*command, "--reference", "N",
                  "Samples of the picture that errors are told against, a power of two\n(default: 16384; on a software "
                  "device, 512)",
                  [options](Text text) { options->referenceSamples = parseSampleCount("--reference", text); });
    const Field<FilmSettings>& quality = fieldOf(kFilmFields, "denoiseQuality");
    cli::addSetting(*command, quality, settingHelp(quality, quality.in({})), [options](const SettingValue& value) {
        options->quality = static_cast<DenoiseQuality>(std::get<std::uint32_t>(value));
    });
    const Field<FilmSettings>& rays = fieldOf(kFilmFields, "denoiseRays");
    cli::addSetting(*command, rays, settingHelp(rays, rays.in({})),
                    [options](const SettingValue& value) { options->rays = std::get<std::uint32_t>(value); });
    addBenchOptions(*command, options->common, invocation);
    addPictures(*command, options->common);
    cli::addAssetOptionsTo(*command, invocation.assets);
    cli::setFooter(
        *command,
        "'builtin' is aureole's own filter, 'oidn' Open Image Denoise, where it is found. Errors are those of\n"
        "'aureole compare' of EXR files against a picture by another seed: 'relmse', 'flip' and 'rmse'.\n"
        "'mean %' is how much brighter than the noisy picture it is. How RMSE falls is fitted over all of\n"
        "--spp, once the reference's own error is taken out, which its two halves tell. Times are those of\n"
        "the last picture: 'filter ms' on the device, 'host ms' all around it.\n\n"
        "Examples:\n"
        "  aureole bench denoise scenes/cornell.json scenes/city.json --json denoise.json --pictures\n"
        "  aureole bench denoise scenes/cornell.json --spp 16,64,256,1024,4096\n"
        "  aureole bench denoise scenes/cornell.json --size 1920x1080 --spp 16 --reference 64");
    cli::onParsed(*command,
                  [options, &invocation] { invocation.run = [options] { return runDenoiseBench(*options); }; });
}

} // namespace aureole::bench
