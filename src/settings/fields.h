#pragma once

// The tables of the settings: film, integrator, voxels, and what is flat of bloom and finish. A new setting is a member
// of its struct, a row here, and an entry of scenes/aureole.schema.json.

#include <array>
#include <limits>

#include "settings/bloom.h"
#include "settings/field.h"
#include "settings/film.h"
#include "settings/finish.h"
#include "settings/integrator.h"
#include "settings/voxels.h"

namespace aureole {

// The words of choices, in the order of their enumerations.
const std::vector<std::string>& pixelFilterNames();
const std::vector<std::string>& toneMapNames();
const std::vector<std::string>& lightSamplingNames();
const std::vector<std::string>& directionSamplingNames();
const std::vector<std::string>& samplerNames();
const std::vector<std::string>& voxelNormalsNames();
const std::vector<std::string>& bloomPaddingNames();
const std::vector<std::string>& bloomModeNames();
const std::vector<std::string>& bloomResamplingNames();

inline constexpr CountRange kSeedRange{0, std::numeric_limits<std::uint32_t>::max()};
inline constexpr NumberRange kUnitRange{0.0, 1.0};

constexpr NumberRange numbersOf(const FinishRange& range) {
    return {range.least, range.most};
}

/// The settings of the film but its size and its layers, which are read by hand.
inline constexpr std::array kFilmFields = {
    field<&FilmSettings::filter>({.key = "filter", .domain = Words{&pixelFilterNames}}),
    field<&FilmSettings::filterRadius>(
        {.key = "filterRadius", .domain = NumberRange{0.5, 16.0}, .defaultDepends = true}),
    field<&FilmSettings::exposure>({.key = "exposure",
                                    .domain = NumberRange{-kMaximumExposure, kMaximumExposure},
                                    .option = "--exposure",
                                    .unit = "EV",
                                    .help = "Stops added before tone mapping, instead of the scene's; for .png output",
                                    .changesSamples = false}),
    field<&FilmSettings::tonemap>({.key = "tonemap",
                                   .domain = Words{&toneMapNames},
                                   .option = "--tonemap",
                                   .unit = "NAME",
                                   .help = "One of {names};\nfor .png output",
                                   .changesSamples = false}),
    field<&FilmSettings::transparent>({.key = "transparent",
                                       .domain = Switch{},
                                       .option = "--transparent",
                                       .help = "Leave the environment out where the camera sees it, and write alpha",
                                       .noted = Noted::CheckpointOnly,
                                       .attribute = "aureole.transparent"}),
};

inline constexpr std::array kIntegratorFields = {
    field<&IntegratorSettings::noise>(
        {.key = "noise",
         .domain = NumberRange{0.0, kMaximumNoise, kMinimumNoise, " for no adaptive sampling"},
         .option = "--noise",
         .unit = "X",
         .help = "Adaptive sampling: parts of the picture get no more samples once their relative\n"
                 "error is X, as in 0.02; at most --spp samples, 65536 by default. 0: as many samples\n"
                 "in all pixels, whatever the scene says",
         .noted = Noted::PictureUnlessZero,
         .attribute = "aureole.noise"}),
    field<&IntegratorSettings::samplesPerPixel>({.key = "samplesPerPixel",
                                                 .domain = CountRange{1, kMaximumSamplesPerPixel},
                                                 .option = "--spp",
                                                 .unit = "N",
                                                 .help = "Samples per pixel; the scene's by default",
                                                 .changesSamples = false,
                                                 .defaultDepends = true}),
    field<&IntegratorSettings::clamp>(
        {.key = "clamp",
         .domain = NumberRange{0.0, kMaximumNumber},
         .option = "--clamp",
         .unit = "X",
         .help = "The most radiance that indirect light may bring to a sample at once: no fireflies,\n"
                 "but a darker, biased picture; no limit by default",
         .noted = Noted::PictureUnlessZero,
         .attribute = "aureole.clamp"}),
    // Noted by the seed of the picture, which is that of its frame.
    field<&IntegratorSettings::seed>(
        {.key = "seed", .domain = kSeedRange, .option = "--seed", .unit = "N", .help = "Seed of the random numbers"}),
    field<&IntegratorSettings::maxDepth>(
        {.key = "maxDepth",
         .domain = CountRange{0, kMaximumDepth},
         .option = "--max-depth",
         .unit = "N",
         .help = "Surface hits of a path: 1 shows only what emits, 2 direct light too; 0 is unlimited",
         .noted = Noted::CheckpointOnly,
         .attribute = "aureole.max_depth"}),
    field<&IntegratorSettings::sampler>(
        {.key = "sampler",
         .domain = Words{&samplerNames},
         .option = "--sampler",
         .unit = "NAME",
         .help = "independent (default): random numbers; sobol: Owen-scrambled, with less\nnoise, but no honest "
                 "estimate of it",
         .noted = Noted::Picture,
         .attribute = "aureole.sampler"}),
    field<&IntegratorSettings::sampling>(
        {.key = "sampling",
         .domain = Words{&directionSamplingNames},
         .option = "--sampling",
         .unit = "NAME",
         .help = "How directions are drawn at surfaces: bsdf (default), cosine or uniform",
         .noted = Noted::Picture,
         .attribute = "aureole.sampling"}),
    field<&IntegratorSettings::lightSampling>(
        {.key = "lightSampling",
         .domain = Words{&lightSamplingNames},
         .option = "--light-sampling",
         .unit = "NAME",
         .help = "How light is found: bsdf (by chance), lights (next-event estimation), or\nmis (default), both "
                 "combined",
         .noted = Noted::Picture,
         .attribute = "aureole.light_sampling"}),
};

inline constexpr std::array kVoxelFields = {
    field<&VoxelSettings::resolution>({.key = "resolution",
                                       .domain = CountRange{kMinimumResolution, kMaximumResolution},
                                       .option = "--resolution",
                                       .unit = "N",
                                       .help = "Voxels along the longest side of the scene",
                                       .noted = Noted::CheckpointOnly,
                                       .attribute = "aureole.resolution"}),
    field<&VoxelSettings::normals>({.key = "normals", .domain = Words{&voxelNormalsNames}}),
    field<&VoxelSettings::surface>(
        {.key = "surface",
         .domain = Words{&surfaceKindNames},
         .option = "--surface",
         .unit = "NAME",
         .help = "What voxels show: cubes (default), planes fitted to the surface, field (smooth)",
         .noted = Noted::CheckpointOnly,
         .attribute = "aureole.surface"}),
    field<&VoxelSettings::error>({.key = "error",
                                  .domain = NumberRange{kMinimumSurfaceError, kMaximumSurfaceError},
                                  .option = "--error",
                                  .unit = "VOXELS",
                                  .help = "How far planes may lie from the surface; {default} by default",
                                  .noted = Noted::CheckpointOnly,
                                  .attribute = "aureole.surface_error"}),
};

/// The settings of bloom but the kernel's name. The parameters of kernels have tables of their own.
inline constexpr std::array kBloomFields = {
    field<&BloomSettings::enabled>({.key = "enabled", .domain = Switch{}, .defaultDepends = true}),
    field<&BloomSettings::kernelSize>(
        {.key = "kernelSize",
         .domain = CountRange{.least = 0, .most = kMaximumKernelSize, .leastOption = 1},
         .option = "--kernel-size",
         .unit = "N",
         .help = "Pixels a side of the generated kernel; as large as the image by default"}),
    field<&BloomSettings::sharpen>({.key = "sharpen",
                                    .domain = kUnitRange,
                                    .option = "--sharpen",
                                    .unit = "T",
                                    .help = "From 0, the whole kernel (the default), to 1, no bloom"}),
    field<&BloomSettings::padding>(
        {.key = "padding",
         .domain = Words{&bloomPaddingNames},
         .option = "--padding",
         .unit = "zero|mirror",
         .help = "Around the image: darkness (the default), or its reflection, which keeps its light"}),
    field<&BloomSettings::mode>(
        {.key = "mode",
         .domain = Words{&bloomModeNames},
         .option = "--mode",
         .unit = "exact|resampled",
         .help = "The kernel's spectrum: made for the padded image (the default), or for the\nkernel alone and "
                 "resampled"}),
    field<&BloomSettings::resampling>(
        {.key = "resample",
         .domain = Words{&bloomResamplingNames},
         .option = "--resample",
         .unit = "bilinear|kaiser",
         .help = "With --mode resampled: between two frequencies, which leaves ghosts of the\nkernel, or by a "
                 "Kaiser-Bessel window over six (the default)"}),
};

/// The lens of the kernels "airy" and "aperture".
inline constexpr std::array kBloomLensFields = {
    field<&BloomLens::fNumber>({.key = "fNumber",
                                .domain = NumberRange{kMinimumFNumber, kMaximumFNumber},
                                .option = "--f-number",
                                .unit = "N",
                                .help = "Focal length over the aperture's diameter ({default})"}),
    field<&BloomLens::sensorHeight>({.key = "sensorHeight",
                                     .domain = NumberRange{kMinimumSensorHeight, kMaximumSensorHeight},
                                     .option = "--sensor-height",
                                     .unit = "MM",
                                     .help = "Of the sensor that the image fills ({default}); gives the focal length"}),
    field<&BloomLens::diameter>({.key = "diameter",
                                 .domain = NumberRange{kMinimumApertureDiameter, kMaximumApertureDiameter},
                                 .option = "--aperture",
                                 .unit = "MM",
                                 .help = "The aperture's diameter, instead of --f-number"}),
};

/// The aperture but its lens and its image. Its seed has an option with that of the eye, kBloomSeedOption.
inline constexpr std::array kBloomApertureFields = {
    field<&BloomAperture::blades>({.key = "blades",
                                   .domain = CountRange{0, kMaximumBlades, kMinimumBlades},
                                   .option = "--blades",
                                   .unit = "N",
                                   .help = "Of the aperture, 3 to 64 ({default}); 0 is a round one"}),
    field<&BloomAperture::roundness>({.key = "roundness",
                                      .domain = kUnitRange,
                                      .option = "--roundness",
                                      .unit = "X",
                                      .help = "Of the blades, from 0, straight (the default), to 1, a circle"}),
    field<&BloomAperture::rotation>({.key = "rotation",
                                     .domain = NumberRange{-360.0, 360.0},
                                     .option = "--rotation",
                                     .unit = "DEG",
                                     .help = "Of the aperture, counter-clockwise"}),
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
    field<&BloomAperture::seed>({.key = "seed", .domain = kSeedRange}),
};

inline constexpr std::array kBloomEyeFields = {
    field<&BloomEye::adaptation>(
        {.key = "adaptation",
         .domain = NumberRange{kMinimumAdaptation, kMaximumAdaptation},
         .option = "--adaptation",
         .unit = "CD",
         .help = "Luminance that the eye is adapted to, in cd/m^2 ({default}); less shows more glare"}),
    field<&BloomEye::flareLines>({.key = "flareLines",
                                  .domain = CountRange{0, kMaximumFlareLines},
                                  .option = "--flare-lines",
                                  .unit = "N",
                                  .help = "Needles of the ciliary corona ({default})"}),
    field<&BloomEye::seed>({.key = "seed", .domain = kSeedRange}),
};

/// The option of the seeds of aperture and eye. Their keys are rows of the tables above.
inline constexpr Setting kBloomSeedOption = {.key = "seed",
                                             .domain = kSeedRange,
                                             .option = "--kernel-seed",
                                             .unit = "N",
                                             .help = "Of dust and scratches, or of the flare lines ({default})"};

// Of the steps of finishing. Where one option has several of these, its numbers come in the order of the rows.

/// The tones of a palette but its colours.
inline constexpr std::array kPaletteToneFields = {
    field<&PaletteTone::low>({.key = "low", .domain = numbersOf(PaletteTone::kLuminance)}),
    field<&PaletteTone::high>({.key = "high", .domain = numbersOf(PaletteTone::kLuminance)}),
    field<&PaletteTone::amount>({.key = "amount", .domain = kUnitRange}),
};

/// The relief but its image.
inline constexpr std::array kReliefFields = {
    field<&Relief::strength>({.key = "strength",
                              .domain = numbersOf(Relief::kStrength),
                              .option = "--relief-strength",
                              .unit = "X",
                              .help = "How strongly, -100 to 100; {default} by default"}),
    field<&Relief::angle>({.key = "angle",
                           .domain = numbersOf(Relief::kAngle),
                           .option = "--relief-angle",
                           .unit = "DEGREES",
                           .help = "From where its light comes: 0 right, 90 above; {default} by default"}),
};

inline constexpr std::array kThinFilmFields = {
    field<&ThinFilm::thickness>({.key = "thickness", .domain = numbersOf(ThinFilm::kThickness)}),
    field<&ThinFilm::index>({.key = "index", .domain = numbersOf(ThinFilm::kIndex)}),
    field<&ThinFilm::spread>({.key = "spread", .domain = numbersOf(ThinFilm::kSpread)}),
    field<&ThinFilm::amount>({.key = "amount", .domain = kUnitRange}),
};

/// The bulge but its centre.
inline constexpr std::array kBulgeFields = {
    field<&Bulge::amount>({.key = "amount", .domain = numbersOf(Bulge::kAmount), .required = true}),
    field<&Bulge::radius>({.key = "radius", .domain = numbersOf(Bulge::kRadius)}),
};

inline constexpr std::array kDistortionFields = {
    field<&LensDistortion::k1>({.key = "k1", .domain = numbersOf(LensDistortion::kCoefficient)}),
    field<&LensDistortion::k2>({.key = "k2", .domain = numbersOf(LensDistortion::kCoefficient)}),
};

inline constexpr std::array kGrainFields = {
    field<&Grain::amount>({.key = "amount", .domain = numbersOf(Grain::kAmount), .required = true}),
    field<&Grain::size>({.key = "size", .domain = numbersOf(Grain::kSize)}),
    field<&Grain::seed>({.key = "seed", .domain = kSeedRange}),
};

/// The finish but its steps, which have the tables above.
inline constexpr std::array kFinishFields = {
    field<&FinishSettings::vignette>({.key = "vignette",
                                      .domain = numbersOf(FinishSettings::kVignette),
                                      .option = "--vignette",
                                      .unit = "X",
                                      .help = "The part of the light that the corners lose, 0 to 0.99"}),
};

/// Calls visit(path, rows, struct) for the tables whose rows are options of renders; the path is that of their object.
template <typename Settings, typename Visit>
void forEachTable(Settings& settings, const Visit& visit) {
    visit("/film", kFilmFields, settings.film);
    visit("/integrator", kIntegratorFields, settings.integrator);
    visit("/voxels", kVoxelFields, settings.voxels);
}

/// The attributes of all settings that pictures or checkpoints note, in the order of the tables.
std::vector<std::string> notedSettings();

/// Those of them that pictures note.
std::vector<std::string> settingsInPictures();

} // namespace aureole
