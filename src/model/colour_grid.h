#pragma once

// Colours on a lattice of points, for the surfaces of level sets.

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/math.h"

namespace aureole {

/// Colours in blocks of points, as DensityGrid has densities; none everywhere else.
struct ColourGrid {
    static constexpr std::int32_t kBlock = 8; ///< points a side
    static constexpr std::size_t kBlockPoints = 512;
    /// What a point without a colour has.
    static constexpr glm::vec3 kNoColour{std::numeric_limits<float>::lowest()};

    std::vector<glm::ivec3> blocks;    ///< in units of blocks, each once, ordered by z, then y, then x
    std::vector<std::uint32_t> values; ///< for each block, which kBlockPoints of `colours` are its; several may share
    std::vector<glm::vec3> colours;    ///< x + 8 (y + 8 z) of a block's points; linear, from 0 to 1, or kNoColour
    glm::dmat4 pointFromModel{1.0};    ///< from the coordinates of the level set's model; finite and affine

    bool empty() const { return blocks.empty(); }
    /// Whether it is as the comments above say.
    bool isSound() const;
};

/// Looks colours up. It remembers the last block, so each thread has one of its own.
class ColourSampler {
public:
    /// Keeps a reference.
    explicit ColourSampler(const ColourGrid& grid)
        : grid_(grid) {}

    /// The colour at a place of the model: interpolated between those of the 8 points around it that have one, by their
    /// trilinear weights; none where no point has.
    std::optional<glm::vec3> at(const glm::dvec3& place) const;

private:
    const glm::vec3& atPoint(const glm::ivec3& point) const;

    const ColourGrid& grid_;
    mutable glm::ivec3 lastBlock_{std::numeric_limits<std::int32_t>::max()};
    mutable std::size_t last_ = 0; ///< the first block that does not come before that one
};

} // namespace aureole
