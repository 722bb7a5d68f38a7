#pragma once

// From the lights of a scene to the tables that paths draw them by, for every backend.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "integrator/light_tree.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/path.h"

namespace aureole {

/// The arrays that LightParams points to.
struct LightTables {
    std::vector<shared::Light> lights; ///< lights of the first choice, then those with a place
    std::vector<shared::AliasSlot> choice;
    LightTree tree;                     ///< of the lights with a place; its trails are those of the boxes alone
    std::vector<glm::vec4> environment; ///< empty where it is black
    std::vector<shared::AliasSlot> environmentPick; ///< empty where nothing is drawn there
    glm::uvec2 environmentSize{0};
    float environmentProbability = 0.0F;
    std::uint32_t environmentGroup = 0;
    std::uint32_t sun = 0;      ///< index, or the number of lights of the first choice
    std::uint32_t surfaces = 0; ///< index of LIGHT_SURFACES, or that number
    std::uint32_t placed = 0;   ///< index of LIGHT_PLACED, or that number
};

/// First, the environment, its sun, each directional light and all lights with a place are chosen in proportion to the
/// power they send into the scene, each at least at a tenth of an equal share; of the environment's, what is not left
/// to chance (sampleByLuminance). `bounds` are the scene's, `surfacePower` the power in watts (by luminance) that its
/// emissive surfaces send out: of `boxes` (placedBoxes), which the tree draws with the punctual lights, or, where there
/// are none, of LIGHT_SURFACES. Lights that move with instances are where they are at `moment` (View).
LightTables makeLightTables(const Scene& scene, const Space& space, const Bounds& bounds, double surfacePower,
                            std::span<const PlacedLight> boxes = {}, std::optional<double> moment = {});

/// LightParams without the addresses.
shared::LightParams describeLights(const LightTables& tables);

} // namespace aureole
