#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/material.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/bsdf/material.h"

namespace aureole {

/// What the models of the materials need besides the surfaces' own values, in the order of the materials; behind them,
/// if there is fog, its own (PathParams::fog), and then those of volumes.
std::vector<shared::MaterialTraits> makeMaterialTraits(std::span<const Material> materials, const Space& space,
                                                       const std::optional<Fog>& fog = {},
                                                       std::span<const Volume> volumes = {});

/// The bits of MATERIAL_MODELS (shared/bsdf/material.h) that a pipeline for these materials, and fog, needs.
std::uint32_t modelsOf(std::span<const Material> materials, const std::optional<Fog>& fog = {});
/// The same for these materials in a scene with its fog and volumes.
std::uint32_t modelsOf(std::span<const Material> materials, const Scene& scene);

/// Whether media scatter, or there is fog or a volume.
inline bool hasMedia(std::uint32_t models) {
    return (models & (1U << MODEL_MEDIUM)) != 0;
}

} // namespace aureole
