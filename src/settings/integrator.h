#pragma once

// How light is estimated.

#include <cstdint>

#include "settings/limits.h"

namespace aureole {

enum class LightSampling { Bsdf, Lights, Mis };

/// How directions are drawn at surfaces (shared/bsdf/scatter.h).
enum class DirectionSampling { Bsdf, Cosine, Uniform };

/// Where the numbers of samples come from (shared/sampling/rng.h). Independent ones are the default: with them, and
/// with them only, the scatter of a pixel's samples tells its error, which adaptive sampling, the variance AOV and the
/// tests rely on.
enum class SamplerKind { Independent, Sobol };

struct IntegratorSettings {
    std::uint32_t samplesPerPixel = kDefaultSamplesPerPixel;
    std::uint32_t maxDepth = 0; ///< surface hits of a path; 0 is unlimited
    std::uint32_t seed = 0;
    LightSampling lightSampling = LightSampling::Mis;
    DirectionSampling sampling = DirectionSampling::Bsdf;
    SamplerKind sampler = SamplerKind::Independent;
    double clamp = 0.0; ///< of the radiance that indirect light brings to a sample at once; 0: none
    double noise = 0.0; ///< relative error at which a pixel is done, samplesPerPixel at most; 0: no adaptive sampling
};

} // namespace aureole
