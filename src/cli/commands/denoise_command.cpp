#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/options/arguments.h"
#include "cli/options/device_options.h"
#include "core/error.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/stopwatch.h"
#include "film/picture.h"
#include "image/exr/exr.h"
#include "session/denoise.h"
#include "session/output.h"

namespace aureole::cli {

namespace {

struct DenoiseOptions {
    std::string input;
    std::string output;
    DenoiserKind denoiser = DenoiserKind::Auto;
    bool keepNoisy = false;
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

ExitCode denoise(const DenoiseOptions& options) {
    checkOutput(options.output, {ImageFormat::Exr});
    Image image = readExr(options.input);
    refuseProcessed(image, options.input, "a picture as render or merge write it: denoising comes first, and once");
    const std::optional<gpu::Device> device = openGpu(options.device);
    Denoiser denoiser(options.denoiser, device ? &*device : nullptr);
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
    require(addFile(*command, "-o,--output", "OUT.exr", "The image to write", {"exr"}, options->output));
    const std::vector<std::string> names(denoiserNames().begin() + 1, denoiserNames().end()); // but none
    addChoice(*command, "--denoiser", "NAME",
              "oidn: Open Image Denoise, which tools/denoiser.sh installs; builtin: aureole's own\n"
              "filter; auto (default): the first of these that is there",
              names, [options](std::size_t place) { options->denoiser = static_cast<DenoiserKind>(place + 1); });
    addFlag(*command, "--denoise-keep-noisy", options->keepNoisy,
            "Keep the image from before denoising as the layer noisy");
    addDeviceOptions(*command, options->device);
    setFooter(*command,
              "The layers albedo, normal, depth and halves help, where the image has them: parts of render\n"
              "--samples --denoise do, once merged. The result notes it as aureole.denoise and is no part any\n"
              "more. Bloom comes after it.\n\n"
              "Examples:\n"
              "  aureole denoise merged.exr -o clean.exr\n"
              "  aureole denoise merged.exr -o clean.exr --denoiser builtin --denoise-keep-noisy\n"
              "  aureole bloom clean.exr -o final.exr");
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return denoise(*options); }; });
}

} // namespace aureole::cli
