#include "session/bloom.h"

#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "bloom/psf/airy.h"
#include "bloom/psf/aperture.h"
#include "bloom/psf/eye.h"
#include "bloom/psf/gaussians.h"
#include "core/error.h"
#include "core/log.h"
#include "core/to_number.h"
#include "image/attributes.h"
#include "image/exr/exr.h"
#include "image/image_file.h"
#include "scene/value_keys.h"

namespace aureole {

namespace {

/// The diameter of a lens's aperture in millimetres. The sensor is as high as the image, so a pixel's size on it and
/// the angle that a pixel spans give the focal length.
double diameterOf(const BloomLens& lens, std::uint32_t imageHeight, double degreesPerPixel) {
    if (lens.diameter) {
        return *lens.diameter;
    }
    const double focalLength = lens.sensorHeight / imageHeight / std::tan(degreesPerPixel * kPi / 180.0);
    return focalLength / lens.fNumber;
}

BloomKernel apertureOf(const BloomAperture& aperture, Links links, const PsfFrame& frame, double diameter) {
    if (!aperture.image.empty()) {
        return apertureKernel(frame, diameter, readImage(aperture.image, links), aperture.image);
    }
    return apertureKernel(
        frame, diameter,
        {aperture.blades, aperture.roundness, aperture.rotation, aperture.dust, aperture.scratches, aperture.seed});
}

BloomKernel gaussiansOf(const std::vector<BloomGaussian>& gaussians, const PsfFrame& frame) {
    std::vector<GaussianLobe> lobes;
    lobes.reserve(gaussians.size());
    for (const BloomGaussian& gaussian : gaussians) {
        lobes.push_back({gaussian.weight, gaussian.sigma, {gaussian.colour.x, gaussian.colour.y, gaussian.colour.z}});
    }
    return gaussianKernel(frame, lobes);
}

/// The field of view that is assumed of images that do not tell theirs.
constexpr double kUsualVerticalFov = 40.0;

/// In degrees, more than a pixel of any kernel spans.
constexpr double kLargestPixel = 180.0;

} // namespace

BloomKernel makeBloomKernel(const BloomSettings& settings, const glm::uvec2& imageSize, double trueDegreesPerPixel) {
    if (!isGeneratedBloomKernel(settings.kernel)) {
        return scaledKernel(kernelFromImage(readImage(settings.kernel, settings.links), settings.kernel),
                            settings.kernelScale, settings.kernel);
    }
    // All of these are defined by angles: where a pixel spans less, they are wider.
    const double degreesPerPixel = trueDegreesPerPixel / settings.kernelScale;
    if (settings.kernelScale < 1.0 && degreesPerPixel >= kLargestPixel) {
        fail(ExitCode::BadInput,
             "bloom kernel: found a scale ('kernelScale' or --kernel-scale) of {:g} with pixels of {:g} degrees, "
             "expected one above {:.3g}, where a pixel of the kernel spans less than {} degrees",
             settings.kernelScale, trueDegreesPerPixel, trueDegreesPerPixel / kLargestPixel, kLargestPixel);
    }
    // A kernel of odd size has a middle pixel, about which it is symmetric.
    PsfFrame frame{settings.kernelSize > 0 ? settings.kernelSize : imageSize.x | 1U,
                   settings.kernelSize > 0 ? settings.kernelSize : imageSize.y | 1U, degreesPerPixel};
    if (settings.kernel == "airy") {
        return airyKernel(frame, diameterOf(settings.airy, imageSize.y, trueDegreesPerPixel));
    }
    if (settings.kernel == "aperture") {
        return apertureOf(settings.aperture, settings.links, frame,
                          diameterOf(settings.aperture.lens, imageSize.y, trueDegreesPerPixel));
    }
    if (settings.kernel == "eye") {
        return eyeKernel(frame, {settings.eye.adaptation, settings.eye.flareLines, settings.eye.seed});
    }
    if (settings.kernel == "gaussians") {
        return gaussiansOf(settings.gaussians, frame);
    }
    GlareOptions options;
    options.degreesPerPixel = degreesPerPixel;
    options.width = frame.width;
    options.height = frame.height;
    return glareKernel(options);
}

BloomMethod bloomMethod(const BloomSettings& settings) {
    return {settings.sharpen, settings.padding, settings.mode, settings.resampling};
}

std::string describeBloom(const BloomSettings& settings, const BloomKernel& kernel, const BloomMethod& method) {
    std::string mode = bloomModeNames().at(static_cast<std::size_t>(method.mode));
    if (method.mode == BloomMode::Resampled) {
        mode += " by " + bloomResamplingNames().at(static_cast<std::size_t>(method.filter));
    }
    const std::string scale =
        settings.kernelScale == 1.0 ? "" : fmt::format(", {:g} times as wide", settings.kernelScale);
    return fmt::format("kernel {} of {}x{} pixels{}, sharpen {:g}, padding {}, {}", settings.kernel, kernel.width,
                       kernel.height, scale, method.sharpen,
                       bloomPaddingNames().at(static_cast<std::size_t>(method.padding)), mode);
}

glm::uvec2 wholeSize(const Image& image) {
    const glm::uvec2 own{image.width, image.height};
    try {
        const std::optional<PictureWindow> window = windowOf(image);
        return window ? window->whole : own;
    } catch (const Error& error) {
        logWarning("{}; taking the image as a whole", error.what());
        return own;
    }
}

Look lookOfImage(const Scene& scene, const std::string& file) {
    if (!changesWithin(scene, "/") || imageFormat(file) != ImageFormat::Exr) {
        return lookOf(scene);
    }
    const Image head = readExrHead(file);
    const auto frame = toNumber<std::uint32_t>(attributeOf(head, kFrameAttribute));
    return frame ? lookAtFrame(scene, *frame) : lookOf(scene);
}

BloomView bloomViewOf(const Image& image, const std::optional<double>& fieldOfView) {
    const glm::uvec2 size = wholeSize(image);
    const double usual = degreesPerPixel(fieldOfView.value_or(kUsualVerticalFov), size.y);
    const auto noted = image.attributes.find(kDegreesPerPixelAttribute);
    if (fieldOfView || noted == image.attributes.end()) {
        return {size, usual};
    }
    const std::string& text = noted->second;
    const double angle = toNumber<double>(text).value_or(0.0);
    if (angle > 0.0 && angle < kLargestPixel) {
        return {size, angle};
    }
    logWarning("{}: found '{}', expected an angle in degrees; taking a field of view of {} degrees",
               kDegreesPerPixelAttribute, text, kUsualVerticalFov);
    return {size, usual};
}

} // namespace aureole
