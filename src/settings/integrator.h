#pragma once

// How light is estimated.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "settings/field.h"
#include "settings/limits.h"

namespace aureole {

enum class LightSampling { Bsdf, Lights, Mis };

/// In the order of the enumeration.
inline const std::vector<std::string>& lightSamplingNames() {
    static const std::vector<std::string> names = {"bsdf", "lights", "mis"};
    return names;
}

/// How directions are drawn at surfaces (shared/bsdf/scatter.h).
enum class DirectionSampling { Bsdf, Cosine, Uniform };

/// In the order of the enumeration.
inline const std::vector<std::string>& directionSamplingNames() {
    static const std::vector<std::string> names = {"bsdf", "cosine", "uniform"};
    return names;
}

/// Where the numbers of samples come from (shared/sampling/rng.h). How the error of a picture is told depends on it
/// (film/film.h).
enum class SamplerKind { Independent, Sobol };

/// In the order of the enumeration.
inline const std::vector<std::string>& samplerNames() {
    static const std::vector<std::string> names = {"independent", "sobol"};
    return names;
}

struct IntegratorSettings {
    std::uint32_t samplesPerPixel = kDefaultSamplesPerPixel;
    std::uint32_t maxDepth = 0; ///< surface hits of a path; 0 is unlimited
    std::uint32_t seed = 0;
    LightSampling lightSampling = LightSampling::Mis;
    DirectionSampling sampling = DirectionSampling::Bsdf;
    SamplerKind sampler = SamplerKind::Sobol;
    double clamp = 0.0; ///< of the radiance that indirect light brings to a sample at once; 0: none
    double noise = 0.0; ///< relative error at which a pixel is done, samplesPerPixel at most; 0: no adaptive sampling
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
         .description = "Adaptive sampling: the relative standard error at which a part of the picture "
                        "gets no more samples; samplesPerPixel is then the most a pixel gets. 0: all "
                        "pixels get as many.",
         .noted = Noted::PictureUnlessZero,
         .attribute = "aureole.noise"}),
    field<&IntegratorSettings::samplesPerPixel>(
        {.key = "samplesPerPixel",
         .domain = CountRange{1, kMaximumSamplesPerPixel},
         .option = "--spp",
         .unit = "N",
         .help = "Samples per pixel; the scene's by default",
         .description = "64 by default; with noise, the most that a pixel gets, 65536 by default.",
         .changesSamples = false,
         .defaultDepends = true}),
    field<&IntegratorSettings::clamp>(
        {.key = "clamp",
         .domain = NumberRange{0.0, kMaximumNumber},
         .option = "--clamp",
         .unit = "X",
         .help = "The most radiance that indirect light may bring to a sample at once: no fireflies,\n"
                 "but a darker, biased picture; no limit by default",
         .description = "The most radiance that light scattered twice or more may bring to a sample at "
                        "once; 0 is no limit. A limit takes fireflies away, and light: the picture is "
                        "biased.",
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
         .help = "sobol (default): Owen-scrambled points, with less noise; independent: random numbers",
         .description = "Owen-scrambled Sobol points, or random numbers, which are noisier at equal samples.",
         .noted = Noted::Picture,
         .attribute = "aureole.sampler"}),
    field<&IntegratorSettings::sampling>(
        {.key = "sampling",
         .domain = Words{&directionSamplingNames},
         .option = "--sampling",
         .unit = "NAME",
         .help = "How directions are drawn at surfaces: bsdf (default), cosine or uniform",
         .description = "How directions are drawn at surfaces: as they scatter, or over the hemisphere in "
                        "proportion to the cosine or evenly. Mirrors, glass and next to smooth surfaces "
                        "keep 'bsdf', the only one that finds their reflections.",
         .noted = Noted::Picture,
         .attribute = "aureole.sampling"}),
    field<&IntegratorSettings::lightSampling>(
        {.key = "lightSampling",
         .domain = Words{&lightSamplingNames},
         .option = "--light-sampling",
         .unit = "NAME",
         .help = "How light is found: bsdf (by chance), lights (next-event estimation), or\nmis (default), both "
                 "combined",
         .description = "Chance hits, next-event estimation, or both by multiple importance sampling. "
                        "Lights without an extent are always connected to, and what mirrors show is always "
                        "a chance hit.",
         .noted = Noted::Picture,
         .attribute = "aureole.light_sampling"}),
};

} // namespace aureole
