#pragma once

// Glare: which kernel a picture is convolved with, and how.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_file.h"
#include "core/math.h"
#include "settings/field.h"
#include "settings/limits.h"

namespace aureole {

/// How large the aperture is whose diffraction shows: of a camera with this sensor, or as given.
struct BloomLens {
    double fNumber = 16.0;
    double sensorHeight = 24.0;     ///< mm, as high as the image; with the field of view, it gives the focal length
    std::optional<double> diameter; ///< mm; without one, focal length / fNumber
};

struct BloomAperture {
    BloomLens lens;
    std::uint32_t blades = 6;    ///< 0, a round aperture, or 3 to 64
    double roundness = 0.0;      ///< 0, straight sides, to 1, a circle
    double rotation = 0.0;       ///< degrees counter-clockwise; at 0 a corner is on the right
    std::uint32_t dust = 0;      ///< specks
    std::uint32_t scratches = 0; ///< as many
    std::uint32_t seed = 0;      ///< of dust and scratches
    std::string image;           ///< instead of all these, an EXR or PNG file, as an absolute path
};

struct BloomEye {
    double adaptation = 1.0;        ///< cd/m^2
    std::uint32_t flareLines = 200; ///< of the ciliary corona
    std::uint32_t seed = 0;
};

struct BloomGaussian {
    double weight = 1.0;
    double sigma = 0.1; ///< degrees
    glm::vec3 colour{1.0F};
};

/// The kernels that are generated, by name: "default", "airy", "aperture", "eye", "gaussians".
const std::vector<std::string>& generatedBloomKernels();
bool isGeneratedBloomKernel(std::string_view name);

/// What lies around the image for the bloom: darkness, or the image's reflection, with the edge pixels repeated.
enum class BloomPadding { Zero, Mirror };

/// In the order of the enumeration.
inline const std::vector<std::string>& bloomPaddingNames() {
    static const std::vector<std::string> names = {"zero", "mirror"};
    return names;
}

/// Whether the kernel's spectrum is made for the padded image, or for the kernel alone and resampled.
enum class BloomMode { Exact, Resampled };

/// In the order of the enumeration.
inline const std::vector<std::string>& bloomModeNames() {
    static const std::vector<std::string> names = {"exact", "resampled"};
    return names;
}

/// How a kernel's spectrum is resampled: between two frequencies, or by a Kaiser-Bessel window over six.
enum class BloomResampling { Bilinear, Kaiser };

/// In the order of the enumeration.
inline const std::vector<std::string>& bloomResamplingNames() {
    static const std::vector<std::string> names = {"bilinear", "kaiser"};
    return names;
}

struct BloomSettings {
    bool enabled = false;
    std::string kernel = "default"; ///< a generated one, or an EXR or PNG file, as an absolute path
    Links links = Links::Follow;    ///< in the paths of images; refused where a scene refers to them
    std::uint32_t kernelSize = 0;   ///< of a generated kernel, in pixels; 0 follows the image
    double kernelScale = 1.0;       ///< how many times as wide it is
    double sharpen = 0.0;           ///< 0 the whole kernel, 1 a Dirac delta
    BloomPadding padding = BloomPadding::Zero;
    BloomMode mode = BloomMode::Exact;
    BloomResampling resampling = BloomResampling::Kaiser; ///< in mode Resampled
    BloomLens airy;
    BloomAperture aperture;
    BloomEye eye;
    std::vector<BloomGaussian> gaussians = {{0.85, 0.015}, {0.1, 0.15}, {0.04, 0.8}, {0.01, 4.0}};
};

/// The settings of bloom but the kernel's name. The parameters of kernels have tables of their own.
inline constexpr std::array kBloomFields = {
    field<&BloomSettings::enabled>({.key = "enabled",
                                    .domain = Switch{},
                                    .description = "True by default; false keeps this object without bloom.",
                                    .defaultDepends = true}),
    field<&BloomSettings::kernelSize>(
        {.key = "kernelSize",
         .domain = CountRange{.least = 0, .most = kMaximumKernelSize, .leastOption = 1},
         .option = "--kernel-size",
         .unit = "N",
         .help = "Pixels a side of the generated kernel; as large as the image by default",
         .description = "Of a generated kernel, in pixels; 0 follows the image."}),
    field<&BloomSettings::kernelScale>(
        {.key = "kernelScale",
         .domain = NumberRange{kMinimumKernelScale, kMaximumKernelScale},
         .option = "--kernel-scale",
         .unit = "X",
         .help = "How many times as wide as it is the kernel is to be ({default})",
         .description =
             "How many times as wide as it is the kernel is to be: the angles of a generated one, the pixels "
             "of an image."}),
    field<&BloomSettings::sharpen>({.key = "sharpen",
                                    .domain = kUnitRange,
                                    .option = "--sharpen",
                                    .unit = "T",
                                    .help = "From 0, the whole kernel (the default), to 1, no bloom",
                                    .description = "From the whole kernel (0) to none (1)."}),
    field<&BloomSettings::padding>(
        {.key = "padding",
         .domain = Words{&bloomPaddingNames},
         .option = "--padding",
         .unit = "zero|mirror",
         .help = "Around the image: darkness (the default), or its reflection, which keeps its light",
         .description = "Around the image: darkness, or its reflection."}),
    field<&BloomSettings::mode>(
        {.key = "mode",
         .domain = Words{&bloomModeNames},
         .option = "--mode",
         .unit = "exact|resampled",
         .help = "The kernel's spectrum: made for the padded image (the default), or for the\nkernel alone and "
                 "resampled",
         .description = "The kernel's spectrum is made for the padded image, or for the kernel alone and "
                        "resampled."}),
    field<&BloomSettings::resampling>(
        {.key = "resample",
         .domain = Words{&bloomResamplingNames},
         .option = "--resample",
         .unit = "bilinear|kaiser",
         .help = "With --mode resampled: between two frequencies, which leaves ghosts of the\nkernel, or by a "
                 "Kaiser-Bessel window over six (the default)",
         .description = "In mode \"resampled\": between two frequencies, which leaves ghosts of the kernel, "
                        "or by a Kaiser-Bessel window over six."}),
};

/// The lens of the kernels "airy" and "aperture".
inline constexpr std::array kBloomLensFields = {
    field<&BloomLens::fNumber>({.key = "fNumber",
                                .domain = NumberRange{kMinimumFNumber, kMaximumFNumber},
                                .option = "--f-number",
                                .unit = "N",
                                .help = "Focal length over the aperture's diameter ({default})",
                                .description = "Focal length over the aperture's diameter."}),
    field<&BloomLens::sensorHeight>({.key = "sensorHeight",
                                     .domain = NumberRange{kMinimumSensorHeight, kMaximumSensorHeight},
                                     .option = "--sensor-height",
                                     .unit = "MM",
                                     .help = "Of the sensor that the image fills ({default}); gives the focal length",
                                     .description = "Millimetres; with the field of view, it gives the focal length."}),
    field<&BloomLens::diameter>({.key = "diameter",
                                 .domain = NumberRange{kMinimumApertureDiameter, kMaximumApertureDiameter},
                                 .option = "--aperture",
                                 .unit = "MM",
                                 .help = "The aperture's diameter, instead of --f-number",
                                 .description = "Millimetres; instead of that of fNumber and sensorHeight."}),
};

/// The aperture but its lens and its image. Its seed has an option with that of the eye, kBloomSeedOption.
inline constexpr std::array kBloomApertureFields = {
    field<&BloomAperture::blades>({.key = "blades",
                                   .domain = CountRange{0, kMaximumBlades, kMinimumBlades},
                                   .option = "--blades",
                                   .unit = "N",
                                   .help = "Of the aperture, 3 to 64 ({default}); 0 is a round one",
                                   .description = "0 is a round aperture. An odd number makes twice as many streaks."}),
    field<&BloomAperture::roundness>({.key = "roundness",
                                      .domain = kUnitRange,
                                      .option = "--roundness",
                                      .unit = "X",
                                      .help = "Of the blades, from 0, straight (the default), to 1, a circle",
                                      .description = "Of the sides: straight (0) to a circle (1)."}),
    field<&BloomAperture::rotation>({.key = "rotation",
                                     .domain = NumberRange{-360.0, 360.0},
                                     .option = "--rotation",
                                     .unit = "DEG",
                                     .help = "Of the aperture, counter-clockwise",
                                     .description = "Degrees, counter-clockwise; at 0 a corner is on the right."}),
    field<&BloomAperture::dust>({.key = "dust",
                                 .domain = CountRange{0, kMaximumDust},
                                 .option = "--dust",
                                 .unit = "N",
                                 .help = "Specks on the aperture"}),
    field<&BloomAperture::scratches>({.key = "scratches",
                                      .domain = CountRange{0, kMaximumScratches},
                                      .option = "--scratches",
                                      .unit = "N",
                                      .help = "Scratches on the aperture"}),
    field<&BloomAperture::seed>({.key = "seed", .domain = kSeedRange, .description = "Of dust and scratches."}),
};

inline constexpr std::array kBloomEyeFields = {
    field<&BloomEye::adaptation>(
        {.key = "adaptation",
         .domain = NumberRange{kMinimumAdaptation, kMaximumAdaptation},
         .option = "--adaptation",
         .unit = "CD",
         .help = "Luminance that the eye is adapted to, in cd/m^2 ({default}); less shows more glare",
         .description = "Luminance that the eye is adapted to, in cd/m^2: night vision to 0.005, day "
                        "vision from 5."}),
    field<&BloomEye::flareLines>({.key = "flareLines",
                                  .domain = CountRange{0, kMaximumFlareLines},
                                  .option = "--flare-lines",
                                  .unit = "N",
                                  .help = "Needles of the ciliary corona ({default})",
                                  .description = "Needles of the ciliary corona; 0 makes it smooth."}),
    field<&BloomEye::seed>({.key = "seed", .domain = kSeedRange, .description = "Of the flare lines."}),
};

/// The option of the seeds of aperture and eye. Their keys are rows of the tables above.
inline constexpr Setting kBloomSeedOption = {.key = "seed",
                                             .domain = kSeedRange,
                                             .option = "--kernel-seed",
                                             .unit = "N",
                                             .help = "Of dust and scratches, or of the flare lines ({default})"};

} // namespace aureole
