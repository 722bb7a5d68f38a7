#include "integrator/path_setup.h"

namespace aureole {

shared::PathParams makePathParams(const Scene& scene, const View& view, const Space& space, const LightTables& tables) {
    shared::PathParams params{};
    params.camera = makeCameraParams(scene, view, space);
    params.lights = describeLights(tables);
    params.seed = seedOf(scene, view);
    params.maxDepth = scene.integrator.maxDepth;
    params.strategy = scene.integrator.lightSampling == LightSampling::Bsdf     ? STRATEGY_BSDF
                      : scene.integrator.lightSampling == LightSampling::Lights ? STRATEGY_LIGHTS
                                                                                : STRATEGY_MIS;
    params.samplerKind = scene.integrator.sampler == SamplerKind::Sobol ? SAMPLER_SOBOL : SAMPLER_INDEPENDENT;
    params.sampling = scene.integrator.sampling == DirectionSampling::Bsdf     ? SAMPLING_BSDF
                      : scene.integrator.sampling == DirectionSampling::Cosine ? SAMPLING_COSINE
                                                                               : SAMPLING_UNIFORM;
    return params;
}

} // namespace aureole
