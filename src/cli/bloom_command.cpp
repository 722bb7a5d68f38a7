#include <algorithm>
#include <charconv>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "bloom/filter.h"
#include "cli/arguments.h"
#include "cli/bloom_kernel.h"
#include "cli/commands.h"
#include "cli/device_options.h"
#include "cli/output.h"
#include "core/log.h"
#include "image/exr.h"

namespace aureole::cli {

namespace {

/// Of images that do not tell.
constexpr double kUsualVerticalFov = 40.0;

struct BloomOptions {
    std::string input;
    std::string output;
    BloomSettings settings;
    std::string kernelOutput;
    gpu::DeviceRequest device;
};

/// What render noted in the image; else that of a usual camera.
double pixelAngle(const Image& image) {
    const auto noted = image.attributes.find(kDegreesPerPixelAttribute);
    if (noted != image.attributes.end()) {
        const std::string& text = noted->second;
        double value = 0.0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc() && end == text.data() + text.size() && value > 0.0 && value < 180.0) {
            return value;
        }
        logWarning("{}: found '{}', expected an angle in degrees; taking a field of view of {} degrees",
                   kDegreesPerPixelAttribute, text, kUsualVerticalFov);
    }
    return degreesPerPixel(kUsualVerticalFov, image.height);
}

ExitCode runBloom(const BloomOptions& options) {
    checkOutput(options.output, {ImageFormat::Exr});
    if (!options.kernelOutput.empty()) {
        checkOutput(options.kernelOutput, {ImageFormat::Exr});
    }
    if (options.settings.kernel != "default" && options.settings.kernelSize > 0) {
        fail(ExitCode::Usage, "--kernel-size: found it with --kernel {}, expected it with the default kernel only",
             options.settings.kernel);
    }
    const Image image = readImage(options.input);
    const BloomKernel kernel = makeBloomKernel(options.settings, {image.width, image.height}, pixelAngle(image));
    if (!options.kernelOutput.empty()) {
        writeExr(options.kernelOutput, kernelToImage(kernel));
    }
    const gpu::Device device = gpu::Device::open(options.device);
    double milliseconds = 0.0;
    const Image bloomed = bloom(device, image, kernel, options.settings.sharpen, options.input, &milliseconds);
    writeExr(options.output, bloomed);
    logInfo("{}: bloom with a kernel of {}x{} in {:.2f} ms", options.output, kernel.width, kernel.height, milliseconds);
    return ExitCode::Done;
}

} // namespace

void addBloomCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("bloom", "Add bloom to a linear image");
    const auto options = std::make_shared<BloomOptions>();
    BloomSettings& settings = options->settings;
    command->add_option("IN.exr", options->input, "The image to bloom; channels other than colour are kept")
        ->required()
        ->type_name("");
    command->add_option("-o,--output", options->output, "The image to write")->required()->type_name("OUT.exr");
    addValue(*command, "--kernel", "NAME|FILE", "'default', a generated glare, or a point-spread function, EXR or PNG",
             [&settings](const std::string& text) { settings.kernel = text; });
    addValue(*command, "--kernel-size", "N", "Pixels a side of the generated kernel; as large as the image by default",
             [&settings](const std::string& text) {
                 settings.kernelSize = parseCount("--kernel-size", text, 1, kMaximumKernelSize);
             });
    addValue(*command, "--kernel-out", "FILE.exr", "Write the kernel that was used",
             [options](const std::string& text) { options->kernelOutput = text; });
    addValue(*command, "--sharpen", "T", "From 0, the whole kernel (the default), to 1, no bloom",
             [&settings](const std::string& text) { settings.sharpen = parseNumber("--sharpen", text, 0.0, 1.0); });
    addDeviceOptions(*command, options->device);
    command->footer("Examples:\n"
                    "  aureole bloom merged.exr -o final.exr\n"
                    "  aureole bloom in.exr -o out.exr --kernel star.png --sharpen 0.3\n"
                    "  aureole bloom in.exr -o out.exr --kernel-size 513 --kernel-out kernel.exr");
    command->callback([options, &invocation] { invocation.run = [options] { return runBloom(*options); }; });
}

} // namespace aureole::cli
