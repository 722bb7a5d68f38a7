#pragma once

// Grids in OpenVDB's file format, of which import/vdb reads level sets.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/math.h"
#include "voxel/export/export_stream.h"

namespace aureole {

/// 8 x 8 x 8 points, of which some have a value.
struct VdbLeaf {
    glm::ivec3 origin{0};                  ///< multiples of 8, from 0 to 2^23
    std::array<std::uint64_t, 8> active{}; ///< by vdbBit

    void activate(std::uint32_t bit) { active[bit / 64] |= std::uint64_t{1} << (bit % 64); }
};

/// The number of a point in a leaf: z runs fastest.
inline std::uint32_t vdbBit(const glm::ivec3& point) {
    return static_cast<std::uint32_t>((point.x & 7) << 6 | (point.y & 7) << 3 | (point.z & 7));
}

/// What a file has of one grid. Its functions are called in the order of the file, with indices into `leaves`.
struct VdbGrid {
    std::string name;
    std::string kind;        ///< vdb::kLevelSetKind, kFogKind, or "" for others
    glm::dvec3 origin{0.0};  ///< of point (0, 0, 0) in the world
    double spacing = 1.0;    ///< of points
    float background = 0.0F; ///< what is not active
    bool isVector = false;   ///< three floats a point instead of one
    std::vector<VdbLeaf> leaves{};
    std::vector<glm::ivec3> full{}; ///< leaves of points that are all active and have the value 1; their origins
    /// Appends the values of a leaf's active points.
    std::function<void(std::size_t leaf, std::vector<float>& values)> values{};
    /// Whether a point that is not active has minus the background; none of a grid where all have the background.
    std::function<bool(const glm::ivec3& point)> isMinus{};
};

/// Writes a file of these grids, their values packed by zlib.
void writeVdb(ExportStream& out, const std::vector<VdbGrid>& grids);

} // namespace aureole
