#pragma once

// Boxes of any orientation around voxels or the surfaces in them.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/math.h"
#include "voxel/tree/voxel_shape.h"

namespace aureole {

/// How voxels glow, by the luminance of their emission.
struct Glow {
    double sum = 0.0;
    double squares = 0.0;

    void add(float luminance) {
        sum += double{luminance};
        squares += double{luminance} * double{luminance};
    }
    void add(const Glow& other) {
        sum += other.sum;
        squares += other.squares;
    }
    double mean(std::size_t voxels) const { return sum / static_cast<double>(voxels); }
    /// The mean luminance of light itself: that of the voxels where all glow alike, else more.
    double weighted() const { return sum > 0.0 ? squares / sum : 0.0; }
    /// The squared mean over the mean square: 1 where all glow alike.
    double evenness(std::size_t voxels) const { return sum > 0.0 ? mean(voxels) / weighted() : 1.0; }
};

/// A box in voxels of the grid.
struct FittedBox {
    glm::mat3 axes{1.0F}; ///< its axes, right-handed
    glm::vec3 low{0.0F};  ///< along these
    glm::vec3 high{0.0F};

    float surface() const;
};

/// Where a part has more voxels than this, the functions below share out the work on all cores.
constexpr std::size_t kPartAtOnce = 16384;

/// The box around some voxels, at least one, that has the least surface among two: the one along the grid's axes, and
/// the one along the commonest normal of the surfaces, turned about that so that its side is least.
FittedBox fitBox(const LampShapes& shapes, std::span<const std::uint32_t> part);

/// How much of a box hides what is behind it: the share of its sides that the voxels in it cover, seen straight on.
float coveredShare(const LampShapes& shapes, std::span<const std::uint32_t> part, const FittedBox& box);

Glow glowOf(const LampShapes& shapes, std::span<const std::uint32_t> part);

/// Sorts the voxels into two parts, by a plane across an axis of their box, so that the boxes of these have the least
/// surface, weighted by Glow::weighted. Returns the size of the first part, which is neither empty nor all, or 0 where
/// no plane parts them.
std::size_t splitBox(const LampShapes& shapes, std::span<std::uint32_t> part, const FittedBox& box);

} // namespace aureole
