#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/options/arguments.h"
#include "cli/options/device_options.h"
#include "cli/options/setting_options.h"
#include "core/error.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/stopwatch.h"
#include "film/marks.h"
#include "image/exr/exr.h"
#include "session/denoise/denoise.h"
#include "session/denoise/denoise_frames.h"
#include "session/frame_files.h"
#include "session/output.h"

namespace aureole::cli {

namespace {

struct DenoiseOptions {
    std::string input;
    std::string output;
    DenoiserKind denoiser = DenoiserKind::Auto;
    std::optional<DenoiseQuality> quality;
    bool keepNoisy = false;
    std::optional<IndexRange> frames;
    gpu::DeviceRequest device;
};

/// None where there is no GPU and none was asked for: both denoisers run on the CPU too.
std::optional<gpu::Device> openGpu(const gpu::DeviceRequest& request) {
    try {
        return gpu::Device::open(request);
    } catch (const Error& error) {
        if (error.code() != ExitCode::NoDevice || !request.selector.empty()) {
            throw;
        }
        return std::nullopt;
    }
}

/// The network denoises each picture by itself, and its frames flicker.
DenoiserKind denoiserOfFrames(DenoiserKind asked) {
    if (asked == DenoiserKind::Oidn) {
        fail(ExitCode::Usage, "--denoiser: found oidn with --frames, expected builtin: Open Image Denoise knows no "
                              "frames beside a picture");
    }
    return DenoiserKind::Builtin;
}

void checkQuality(const DenoiseOptions& options) {
    if (options.quality && options.frames) {
        checkDenoiseQuality(DenoiserKind::Builtin, "with --frames, which builtin denoises");
    } else if (options.quality) {
        checkDenoiseQuality(options.denoiser, "with --denoiser builtin");
    }
}

ExitCode denoiseSequence(const DenoiseOptions& options) {
    const DenoiserKind kind = denoiserOfFrames(options.denoiser);
    const DenoiseFrames frames{options.input, options.output, *options.frames, options.keepNoisy};
    checkOutput(frameFile(options.output, options.frames->first), {ImageFormat::Exr});
    checkDenoiseFrames(frames);
    const std::optional<gpu::Device> device = openGpu(options.device);
    Denoiser denoiser(kind, DenoiseQuality::High, device ? &*device : nullptr);
    denoiseFrames(denoiser, frames, device ? &*device : nullptr);
    return ExitCode::Done;
}

ExitCode denoise(const DenoiseOptions& options) {
    checkQuality(options);
    if (options.frames) {
        return denoiseSequence(options);
    }
    checkOutput(options.output, {ImageFormat::Exr});
    Image image = readExr(options.input);
    refuseProcessed(image, options.input, kDenoisedInput);
    const std::optional<gpu::Device> device = openGpu(options.device);
    Denoiser denoiser(options.denoiser, options.quality.value_or(DenoiseQuality::High), device ? &*device : nullptr);
    const Stopwatch clock;
    denoiser.apply(image, options.input, options.keepNoisy, device ? &*device : nullptr);
    writeExr(options.output, image);
    logInfo("{}: {} in {}", options.output, *denoiseMark(image), formatDuration(clock.seconds()));
    return ExitCode::Done;
}

} // namespace

void addDenoiseCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "denoise", "Take the noise out of a linear image");
    const auto options = std::make_shared<DenoiseOptions>();
    require(addFile(*command, "IN.exr", "",
                    "The image to denoise; channels other than colour are kept, but for the sums of a part", {"exr"},
                    options->input));
    require(addOutput(*command, "-o,--output", "OUT.exr", "The image to write", {"exr"}, options->output));
    const std::vector<std::string> names(denoiserNames().begin() + 1, denoiserNames().end()); // but none
    addChoice(*command, "--denoiser", "NAME",
              "oidn: Open Image Denoise, which tools/denoiser.sh installs; builtin: aureole's own\n"
              "filter; auto (default): the first of these that is there",
              names, [options](std::size_t place) { options->denoiser = static_cast<DenoiserKind>(place + 1); });
    const Field<FilmSettings>& quality = fieldOf(kFilmFields, "denoiseQuality");
    addSetting(*command, quality, settingHelp(quality, quality.in({})), [options](const SettingValue& value) {
        options->quality = static_cast<DenoiseQuality>(std::get<std::uint32_t>(value));
    });
    addFlag(*command, "--denoise-keep-noisy", options->keepNoisy,
            "Keep the image from before denoising as the layer noisy");
    addValue(*command, "--frames", "A:B",
             "Denoise frames A to B-1, each with the help of the three before and after it; in the names\n"
             "of IN and OUT, a run of # stands for the frame's number (as of render --frames)",
             [options](const std::string& text) { options->frames = parseRange("--frames", text); });
    addDeviceOptions(*command, options->device);
    setFooter(*command,
              "The layers albedo, normal, depth and halves help, where the image has them: parts of render\n"
              "--samples --denoise do, once merged. The result notes it as aureole.denoise and is no part any\n"
              "more. Bloom comes after it.\n\n"
              "Examples:\n"
              "  aureole denoise merged.exr -o clean.exr\n"
              "  aureole denoise merged.exr -o clean.exr --denoiser builtin --denoise-keep-noisy\n"
              "  aureole bloom clean.exr -o final.exr\n"
              "  aureole denoise noisy.###.exr -o clean.###.exr --frames 0:48");
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return denoise(*options); }; });
}

} // namespace aureole::cli
