#include "voxel/surface/field_distances.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/cube_index.h"
#include "shared/voxelize/distance.h"
#include "voxel/surface/field_voxels.h"
#include "voxel/surface/triangle_distance.h"
#include "voxel/tree/cell_code.h"

namespace aureole {

namespace {

/// Corners farther away than this have this distance; every corner in use is nearer.
constexpr double kReach = FIELD_REACH;
constexpr float kUnused = -1.0F;

/// Squares of distances at the corners of a brick's voxels.
class CornerLattice {
public:
    CornerLattice(const glm::ivec3& origin, int side)
        : origin_(origin)
        , count_(side + 1) {
        const auto count = static_cast<std::size_t>(count_);
        squares_.assign(count * count * count, kUnused);
    }

    /// Asks for the corners of a voxel, counted from the brick's.
    void use(const glm::ivec3& voxel) {
        for (std::uint32_t corner = 0; corner < 8; ++corner) {
            squares_[cornerIndex(voxel, corner)] = static_cast<float>(kReach * kReach);
        }
    }

    void addTriangle(const SnappedTriangle& triangle) {
        const TriangleDistance distance(triangle);
        distance.visitPoints(origin_, origin_ + (count_ - 1), kReach, [&](const glm::ivec3& point) {
            float& square = squares_[cubeIndex(point - origin_, count_)];
            if (square != kUnused) {
                square = static_cast<float>(distance.squared(point, square));
            }
        });
    }

    shared::CornerDistances corners(const glm::ivec3& voxel) const {
        std::array<std::uint32_t, 8> codes{};
        for (std::uint32_t corner = 0; corner < 8; ++corner) {
            codes[corner] = shared::fieldDistanceCode(std::sqrt(squares_[cornerIndex(voxel, corner)]));
        }
        return packCorners(codes);
    }

private:
    std::size_t cornerIndex(const glm::ivec3& voxel, std::uint32_t corner) const {
        return cubeIndex(voxel + glm::ivec3(corner & 1U, (corner >> 1U) & 1U, corner >> 2U), count_);
    }

    static thread_local std::vector<float> squares_; // taken once, not for every brick
    glm::ivec3 origin_;
    int count_; ///< of corners a side
};

thread_local std::vector<float> CornerLattice::squares_;

} // namespace

std::vector<std::uint32_t> trianglesNear(const Primitives& primitives, const BrickList& bricks, const Brick& brick) {
    const int side = kSnapUnits << (2 * bricks.brickLevels());
    const auto reach = static_cast<int>(std::ceil(kReach * kSnapUnits));
    const glm::ivec3 cell(codeCell(brick.code));
    const glm::ivec3 low = cell * side - reach;
    const glm::ivec3 high = (cell + 1) * side + reach;
    std::vector<std::uint32_t> near;
    bricks.visitNear(brick, [&](std::uint32_t primitive) {
        if (!primitives.isTriangle(primitive)) {
            return; // a level set (level_set_lattice.h)
        }
        const SnappedTriangle t = primitives.snapped(primitives.triangle(primitive));
        const bool apart = glm::any(glm::greaterThan(glm::min(t[0], glm::min(t[1], t[2])), high)) ||
                           glm::any(glm::lessThan(glm::max(t[0], glm::max(t[1], t[2])), low));
        if (!apart) {
            near.push_back(primitive);
        }
    });
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    return near;
}

shared::CornerDistances packCorners(const std::array<std::uint32_t, 8>& codes) {
    shared::CornerDistances corners = shared::noDistances();
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        shared::setFieldCode(corners, corner, codes[corner]);
    }
    return corners;
}

void findDistances(const Primitives& primitives, const BrickList& bricks, const Brick& brick, BrickVoxels& voxels) {
    const int side = 1 << (2 * bricks.brickLevels());
    const std::vector<std::uint32_t> triangles = trianglesNear(primitives, bricks, brick);
    for (const bool opaque : {false, true}) {
        if (!hasFieldVoxels(voxels, opaque)) {
            continue;
        }
        CornerLattice lattice(glm::ivec3(codeCell(brick.code)) * side, side);
        visitFieldVoxels(voxels, side, opaque, [&](const glm::ivec3& voxel, std::size_t) { lattice.use(voxel); });
        for (const std::uint32_t primitive : triangles) {
            if (!opaque || !primitives.isGlass(primitive)) {
                lattice.addTriangle(primitives.snapped(primitives.triangle(primitive)));
            }
        }
        visitFieldVoxels(voxels, side, opaque, [&](const glm::ivec3& voxel, std::size_t number) {
            voxels.fieldVoxels[number].distances = lattice.corners(voxel);
        });
    }
}

} // namespace aureole
