#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "bloom/filter.h"
#include "cli/arguments.h"
#include "cli/bloom_kernel.h"
#include "cli/bloom_kernel_options.h"
#include "cli/bloom_layer.h"
#include "cli/bloom_mode_options.h"
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
    std::string layer;
    KernelOptions kernel;
    ModeOptions mode;
    std::string kernelOutput;
    gpu::DeviceRequest device;
};

/// What is asked for, or what render noted in the image; else that of a usual camera.
double pixelAngle(const Image& image, const std::optional<double>& fieldOfView) {
    if (fieldOfView) {
        return degreesPerPixel(*fieldOfView, image.height);
    }
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

/// Without an image: the kernel is what is wanted.
ExitCode writeKernel(const BloomOptions& options) {
    const BloomSettings& settings = options.kernel.settings;
    if (!options.output.empty()) {
        fail(ExitCode::Usage, "IN.exr is required with --output");
    }
    if (options.kernelOutput.empty()) {
        fail(ExitCode::Usage, "IN.exr and --output are required, or --kernel-out to save a kernel");
    }
    if (isGeneratedBloomKernel(settings.kernel) && settings.kernelSize == 0) {
        fail(ExitCode::Usage, "--kernel-size is required without an image");
    }
    checkOutput(options.kernelOutput, {ImageFormat::Exr});
    const std::uint32_t size = std::max(settings.kernelSize, 1U);
    const BloomKernel kernel = makeBloomKernel(
        settings, {size, size}, degreesPerPixel(options.kernel.fieldOfView.value_or(kUsualVerticalFov), size));
    writeExr(options.kernelOutput, kernelToImage(kernel));
    return ExitCode::Done;
}

ExitCode runBloom(const BloomOptions& options) {
    checkKernelOptions(options.kernel);
    checkModeOptions(options.mode);
    if (options.input.empty()) {
        return writeKernel(options);
    }
    if (options.output.empty()) {
        fail(ExitCode::Usage, "--output is required");
    }
    checkOutput(options.output, {ImageFormat::Exr});
    if (!options.kernelOutput.empty()) {
        checkOutput(options.kernelOutput, {ImageFormat::Exr});
    }
    const BloomSettings& settings = options.kernel.settings;
    Image image = readImage(options.input);
    const BloomLayer layer(image, options.layer, options.input);
    const BloomKernel kernel =
        makeBloomKernel(settings, {image.width, image.height}, pixelAngle(image, options.kernel.fieldOfView));
    if (!options.kernelOutput.empty()) {
        writeExr(options.kernelOutput, kernelToImage(kernel));
    }
    const gpu::Device device = gpu::Device::open(options.device);
    double milliseconds = 0.0;
    BloomMethod method = bloomMethod(settings);
    method.mode = options.mode.mode;
    method.filter = options.mode.chosenFilter();
    Image bloomed = bloom(device, image, kernel, method, options.input, &milliseconds);
    layer.restore(bloomed);
    writeExr(options.output, bloomed);
    logInfo("{}: bloom with a kernel of {}x{} in {:.2f} ms", options.output, kernel.width, kernel.height, milliseconds);
    return ExitCode::Done;
}

} // namespace

void addBloomCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("bloom", "Add bloom to a linear image");
    const auto options = std::make_shared<BloomOptions>();
    command
        ->add_option("IN.exr", options->input,
                     "The image to bloom; channels other than colour are kept. Without one,\n"
                     "only the kernel is made, for --kernel-out")
        ->type_name("");
    command->add_option("-o,--output", options->output, "The image to write")->type_name("OUT.exr");
    addValue(*command, "--layer", "NAME", "Bloom the channels NAME.R, NAME.G, NAME.B instead of R, G, B",
             [options](const std::string& text) { options->layer = text; });
    addKernelOptions(*command, options->kernel);
    addValue(*command, "--kernel-out", "FILE.exr", "Write the kernel that was used",
             [options](const std::string& text) { options->kernelOutput = text; });
    BloomSettings& settings = options->kernel.settings;
    addValue(*command, "--sharpen", "T", "From 0, the whole kernel (the default), to 1, no bloom",
             [&settings](const std::string& text) { settings.sharpen = parseNumber("--sharpen", text, 0.0, 1.0); });
    addValue(*command, "--padding", "zero|mirror",
             "Around the image: darkness (the default), or its reflection, which keeps its light",
             [&settings](const std::string& text) {
                 static const std::array<std::string, 2> kPaddings = {"zero", "mirror"};
                 settings.padding =
                     parseChoice("--padding", text, kPaddings) == "mirror" ? BloomPadding::Mirror : BloomPadding::Zero;
             });
    addModeOptions(*command, options->mode);
    addDeviceOptions(*command, options->device);
    command->footer("Examples:\n"
                    "  aureole bloom merged.exr -o final.exr\n"
                    "  aureole bloom in.exr -o out.exr --kernel star.png --sharpen 0.3\n"
                    "  aureole bloom in.exr -o out.exr --kernel aperture --f-number 22 --blades 7 --dust 30\n"
                    "  aureole bloom in.exr -o out.exr --kernel eye --adaptation 0.05 --fov 40\n"
                    "  aureole bloom --kernel airy --kernel-size 513 --fov 1 --kernel-out kernel.exr");
    command->callback([options, &invocation] { invocation.run = [options] { return runBloom(*options); }; });
}

} // namespace aureole::cli
