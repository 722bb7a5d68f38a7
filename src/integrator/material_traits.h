#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/material.h"
#include "scene/view.h"
#include "shared/bsdf/material.h"

namespace aureole {

/// What the models of the materials need besides the surfaces' own values, in the order of the materials.
std::vector<shared::MaterialTraits> makeMaterialTraits(std::span<const Material> materials, const Space& space);

/// The bits of MATERIAL_MODELS (shared/bsdf/material.h) that a pipeline for these materials needs.
std::uint32_t modelsOf(std::span<const Material> materials);

} // namespace aureole
