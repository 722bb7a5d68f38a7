#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/bench_commands.h"
#include "bench/render_bench.h"
#include "cli/options/arguments.h"
#include "cli/options/asset_options.h"
#include "cli/options/setting_options.h"
#include "cli/options/value_hint.h"
#include "core/error.h"
#include "settings/limits.h"

namespace aureole::bench {

namespace {

using Text = const std::string&;

ExitCode runRenderBench(const RenderBenchOptions& options) {
    if (!options.folder.empty()) {
        scenesIn(options.folder); // before the device is opened
        benchAllScenes(openBenchDevice(options.common), options);
        return ExitCode::Done;
    }
    if (options.scene.file.empty()) {
        fail(ExitCode::Usage, "SCENE: found none, expected a scene, model or octree, or --all with a folder of scenes");
    }
    RenderBench(openBenchDevice(options.common, {{"SCENE", options.scene.file}}), options).run();
    return ExitCode::Done;
}

/// What is rendered, and how many samples it gets. Returns those that go with one scene alone.
std::vector<CLI::Option*> addPictureOptions(CLI::App& command, RenderBenchOptions& options) {
    cli::addOverrides(command, options.scene.overrides);
    CLI::Option* camera = cli::addCamera(command, options.scene.camera);
    cli::addValue(command, "--resolution", "N", "Voxels along the scene's longest side (default: the scene's)",
                  [&options](Text text) {
                      options.resolution = parseCount("--resolution", text, kMinimumResolution, kMaximumResolution);
                  });
    cli::addChange(command, fieldOf(kVoxelFields, "surface"), "Voxels of cubes, planes or field (default: the scene's)",
                   options.scene.changes);
    addPictureSize(command, options.size);
    cli::addValue(command, "--spp", "N",
                  "The most samples of a pixel, a power of two (default: 1024, with --all 64; on\n"
                  "a software device, 32 and 8)",
                  [&options](Text text) { options.samples = parseSampleCount("--spp", text); });
    CLI::Option* reference = cli::addValue(
        command, "--reference", "N",
        "Samples of the picture that errors are told against, a power of two\n(default: 65536; on a software "
        "device, 512)",
        [&options](Text text) { options.referenceSamples = parseSampleCount("--reference", text); });
    CLI::Option* strategies = cli::addValue(
        command, "--strategy", "LIST", "Of uniform, cosine, bsdf, lights, mis, sobol (default: all)",
        [&options](Text text) { options.strategies = parseIndices("--strategy", text, samplingNames()); });
    cli::setHint(command, strategies, {.names = samplingNames(), .list = true});
    return {camera, reference, strategies};
}

} // namespace

void addBenchRender(CLI::App& bench, cli::Invocation& invocation) {
    CLI::App* command = cli::addCommand(bench, "render", "Whole paths, and how their error falls with the samples");
    const auto options = std::make_shared<RenderBenchOptions>();
    options->common.repeats = 4;
    CLI::Option* scene = addScene(*command, options->scene.file);
    CLI::Option* all =
        cli::addValue(*command, "--all", "FOLDER",
                      "Instead of ways of sampling, the speed of every scene (.json) of a folder, in\none table",
                      [options](Text text) { options->folder = text; });
    cli::exclude(all, scene);
    std::vector<CLI::Option*> ofOne = addPictureOptions(*command, *options);
    addBenchOptions(*command, options->common, invocation);
    ofOne.push_back(addPictures(*command, options->common));
    for (CLI::Option* other : ofOne) {
        cli::exclude(all, other);
    }
    cli::addAssetOptionsTo(*command, invocation.assets);
    cli::setFooter(
        *command,
        "Strategies: 'uniform', 'cosine' and 'bsdf' are how directions are drawn, with light found by chance;\n"
        "'lights' connects to lights, 'mis' does both, and 'sobol' is mis with Sobol points ('aureole render\n"
        "--sampling', '--light-sampling', '--sampler'). 'relmse' is the mean of (a-b)^2/(b^2+0.01) against a\n"
        "picture of many samples, whose own error is in it; 'efficiency' is 1/(relmse s). 'of bounce1' is the\n"
        "share of the rays a second that 'aureole bench traverse' traces first bounces of the scene at.\n\n"
        "Examples:\n"
        "  aureole bench render scenes/cornell.json --json cornell.json --pictures\n"
        "  aureole bench render scenes/city.json --size 1280x720 --strategy bsdf,mis,sobol --spp 256\n"
        "  aureole bench render --all scenes --size 1280x720 --json all.json\n"
        "  aureole bench render scenes/cornell.json --allow-cpu --resolution 64 --spp 16 --reference 128");
    cli::onParsed(*command,
                  [options, &invocation] { invocation.run = [options] { return runRenderBench(*options); }; });
}

} // namespace aureole::bench
