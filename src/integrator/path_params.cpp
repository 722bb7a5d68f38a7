#include "integrator/path_params.h"

#include <algorithm>

#include "integrator/camera_medium.h"
#include "integrator/camera_params.h"

namespace aureole {

namespace {

/// Surface hits after which Russian roulette starts: of scenes of opaque materials, and of those with glass, where a
/// path that has lost some light at a matt surface may yet find a lamp by way of several clear ones.
constexpr std::uint32_t kRouletteStart = 4;
constexpr std::uint32_t kRouletteStartOfGlass = 16;
/// Less than 1, so that a path's light, which is little after so many hits, varies less for a few more rays. Of several
/// values this one has the least error times time (tests/bench/record/sampling.md).
constexpr float kRouletteWeight = 0.25F;

} // namespace

std::uint32_t samplerOf(const IntegratorSettings& integrator) {
    return integrator.sampler == SamplerKind::Sobol ? SAMPLER_SOBOL : SAMPLER_INDEPENDENT;
}

std::uint32_t samplingOf(const IntegratorSettings& integrator) {
    return integrator.sampling == DirectionSampling::Bsdf     ? SAMPLING_BSDF
           : integrator.sampling == DirectionSampling::Cosine ? SAMPLING_COSINE
                                                              : SAMPLING_UNIFORM;
}

void setPathView(const Scene& scene, const View& view, const Space& space, std::uint32_t models,
                 shared::PathParams& params) {
    params.camera = makeCameraParams(scene, view, space);
    params.seed = seedOf(scene, view);
    params.maxDepth = scene.integrator.maxDepth;
    params.rouletteStart = (models & MODELS_OF_GLASS) != 0 ? kRouletteStartOfGlass : kRouletteStart;
    params.rouletteWeight = kRouletteWeight;
    const std::uint32_t medium = cameraMedium(scene, view);
    params.cameraMedium = medium == kNone ? MEDIUM_NONE : medium + 1;
    if (scene.environment.fog) {
        const double top = space.point(glm::dvec3(scene.environment.fog->height)).y;
        params.fogTop = static_cast<float>(std::min(top, double{LIGHT_FAR}));
    }
    params.media = (models & (1U << MODEL_MEDIUM)) != 0 ? 1 : 0;
    params.strategy = scene.integrator.lightSampling == LightSampling::Bsdf     ? STRATEGY_BSDF
                      : scene.integrator.lightSampling == LightSampling::Lights ? STRATEGY_LIGHTS
                                                                                : STRATEGY_MIS;
    params.samplerKind = samplerOf(scene.integrator);
    params.shutterEase = static_cast<float>(scene.film.shutterEase);
    params.sampling = samplingOf(scene.integrator);
}

} // namespace aureole
