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
         .help = "sobol (default): Owen-scrambled points, with less noise; independent: random numbers",
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

} // namespace aureole
