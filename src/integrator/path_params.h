#pragma once

// From the scene to the parameters of shared/path/path.h, for every backend.

#include <cstdint>

#include "integrator/light_tables.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/path.h"

namespace aureole {

/// PathParams::samplerKind and PathParams::sampling.
std::uint32_t samplerOf(const IntegratorSettings& integrator);
std::uint32_t samplingOf(const IntegratorSettings& integrator);

/// PathParams of a view, without the addresses of lights, materials and tables, and the number of the fog's; `models`
/// are those of the materials that paths may meet (modelsOf).
shared::PathParams makePathParams(const Scene& scene, const View& view, const Space& space, const LightTables& tables,
                                  std::uint32_t models);

} // namespace aureole
