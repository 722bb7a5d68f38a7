#pragma once

// The tree that lights with a place are drawn by (shared/light/light_tree.h).

#include <cstdint>
#include <span>
#include <vector>

#include "shared/light/emitter_boxes.h"
#include "shared/light/light_tree.h"

namespace aureole {

/// A light with a place.
struct PlacedLight {
    glm::vec3 middle{0.0F};
    float radius = 0.0F;    ///< of a ball that all of it is in
    double intensity = 0.0; ///< by luminance, at least 0: the mean over the directions it shines in
    glm::vec3 axis{0.0F, 1.0F, 0.0F};
    double cone = kEverywhere; ///< half-angle about the axis that it shines in, in radians
    std::uint32_t leaf = 0;    ///< what the tree gives for it: LightNode::child without LIGHT_LEAF

    static constexpr double kEverywhere = 4.0; ///< any angle above pi
};

struct LightTree {
    std::vector<shared::LightNode> nodes;
    std::uint32_t root = 0;            ///< LightNode::child of all of them
    std::vector<std::uint32_t> trails; ///< of the lights, in their order: the way to each, for unfacedProbability
};

/// At least one light, at most 2^30; the tree is the same for the same lights, and at most 32 branches deep.
LightTree makeLightTree(std::span<const PlacedLight> lights);

/// Has a lamp of so much power (EmitterBox::power times the area of a voxel's side) shine the way that it looks, which
/// is of unit length, or 0: then everywhere.
void shine(PlacedLight& light, double power, const glm::vec3& facing);

/// Emissive boxes with their power, which is theirs in voxels, and the way that each looks, or 0; `voxelSize` is that
/// of their space.
std::vector<PlacedLight> placedBoxes(std::span<const shared::EmitterBox> boxes, std::span<const glm::vec3> facings,
                                     double voxelSize);

} // namespace aureole
