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

/// The traits of media that no surface bounds stand behind those of a backend's materials: fog's, if there is some,
/// then those of volumes.
struct MediaTraits {
    std::uint32_t fog;         ///< the number of fog's traits
    std::uint32_t firstVolume; ///< the number of the first volume's traits
};

inline MediaTraits mediaTraits(std::size_t materials, const Scene& scene) {
    const auto fog = static_cast<std::uint32_t>(materials);
    return {fog, fog + (scene.environment.fog ? 1U : 0U)};
}

/// What the models of the materials need besides the surfaces' own values, in the order of the materials; behind them
/// those of fog and of volumes (MediaTraits).
std::vector<shared::MaterialTraits> makeMaterialTraits(std::span<const Material> materials, const Space& space,
                                                       const std::optional<Fog>& fog = {},
                                                       std::span<const Volume> volumes = {});

/// The bits of MATERIAL_MODELS (shared/bsdf/material.h) that a pipeline for these materials, and fog, needs.
std::uint32_t modelsOf(std::span<const Material> materials, const std::optional<Fog>& fog = {});
/// The bits that a pipeline for these materials needs in a scene with its fog and volumes.
std::uint32_t modelsOf(std::span<const Material> materials, const Scene& scene);

/// Whether media scatter, or there is fog or a volume.
inline bool hasMedia(std::uint32_t models) {
    return (models & (1U << MODEL_MEDIUM)) != 0;
}

} // namespace aureole
