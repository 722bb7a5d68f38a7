#pragma once

// From the scene to the parameters of shared/path/path.h, for every backend.

#include <cstdint>

#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/path.h"

namespace aureole {

/// PathParams::samplerKind and PathParams::sampling.
std::uint32_t samplerOf(const IntegratorSettings& integrator);
std::uint32_t samplingOf(const IntegratorSettings& integrator);

/// Sets the members that a view and the settings of paths decide. Those that tell of the scene's tables stay as they
/// are: lights, materials, bsdfTables, and what describeMedia sets. `models` are those of the materials that paths may
/// meet (modelsOf).
void setPathView(const Scene& scene, const View& view, const Space& space, std::uint32_t models,
                 shared::PathParams& params);

} // namespace aureole
