#include "voxel/surface/level_set_lattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/cube_index.h"
#include "shared/voxelize/distance.h"
#include "voxel/surface/field_distances.h"
#include "voxel/surface/field_voxels.h"
#include "voxel/surface/grid_level_set.h"
#include "voxel/tree/cell_code.h"

namespace aureole {

namespace {

constexpr double kFieldReach = FIELD_REACH;

/// Signed distances at the corners of a brick's voxels; NaN at those of which nobody asks.
class Corners {
public:
    Corners(const glm::ivec3& origin, int side)
        : origin_(origin)
        , count_(side + 1) {
        const auto count = static_cast<std::size_t>(count_);
        values_.assign(count * count * count, std::numeric_limits<float>::quiet_NaN());
    }

    float& at(const glm::ivec3& point) { return values_[cubeIndex(point, count_)]; }
    float& at(const glm::ivec3& voxel, std::uint32_t corner) {
        return at(voxel + glm::ivec3(corner & 1U, (corner >> 1U) & 1U, corner >> 2U));
    }
    /// Calls visit(corner of the grid, value) for those asked for, from `low` to `high`, counted from the brick's.
    template <typename Visit>
    void visit(glm::ivec3 low, glm::ivec3 high, const Visit& visit) {
        low = glm::max(low, glm::ivec3(0));
        high = glm::min(high, glm::ivec3(count_ - 1));
        glm::ivec3 point;
        for (point.z = low.z; point.z <= high.z; ++point.z) {
            for (point.y = low.y; point.y <= high.y; ++point.y) {
                for (point.x = low.x; point.x <= high.x; ++point.x) {
                    if (float& value = at(point); !std::isnan(value)) {
                        visit(origin_ + point, value);
                    }
                }
            }
        }
    }
    template <typename Visit>
    void visitAll(const Visit& action) {
        visit(glm::ivec3(0), glm::ivec3(count_), action);
    }

    const glm::ivec3& origin() const { return origin_; }
    int side() const { return count_ - 1; }

private:
    glm::ivec3 origin_;
    int count_; ///< of corners a side
    std::vector<float> values_;
};

/// Calls found(cell) for the cells of a level set in a brick and its neighbours, some of them several times.
template <typename Found>
void visitCells(const Primitives& primitives, const BrickList& bricks, const Brick& brick, std::uint32_t instance,
                const Found& found) {
    bricks.visitNear(brick, [&](std::uint32_t primitive) {
        if (!primitives.isTriangle(primitive) && primitives.cell(primitive).instance == instance) {
            found(primitives.cell(primitive).cell->cell);
        }
    });
}

/// Makes the distances of corners beyond the band those to the surface's cells.
void reachBeyond(const Primitives& primitives, const BrickList& bricks, const Brick& brick, std::uint32_t instance,
                 const GridLevelSet& levelSet, Corners& own) {
    // Within a cell of the band's end, interpolation is between distances and what only stands for some.
    const float known = std::max(levelSet.farthest() - levelSet.voxelsPerCell(), 0.5F * levelSet.farthest());
    own.visitAll([&](const glm::ivec3&, float& value) {
        value = std::abs(value) < known ? value : std::copysign(static_cast<float>(kFieldReach), value);
    });
    visitCells(primitives, bricks, brick, instance, [&](const glm::uvec3& cell) {
        const glm::dvec3 place = levelSet.placeIn(cell);
        const glm::dvec3 local = place - glm::dvec3(own.origin());
        own.visit(glm::ivec3(glm::ceil(local - kFieldReach)), glm::ivec3(glm::floor(local + kFieldReach)),
                  [&](const glm::ivec3& point, float& value) {
                      const auto distance = static_cast<float>(glm::distance(place, glm::dvec3(point)));
                      if (std::abs(value) >= known && distance < std::abs(value)) {
                          value = std::copysign(std::max(distance, known), value);
                      }
                  });
    });
}

std::uint32_t signedCode(float voxels) {
    const std::uint32_t code = shared::fieldDistanceCode(std::abs(voxels));
    return voxels < 0.0F ? FIELD_MAX_CODE - code : code;
}

/// Puts in the distances of all level sets, or of opaque ones alone, where they are less than what is there.
void addLevelSets(const Primitives& primitives, const BrickList& bricks, const Brick& brick, bool opaque,
                  Corners& corners) {
    for (std::uint32_t i = 0; i < primitives.scene().voxelInstances.size(); ++i) {
        if (!primitives.model(i).isLevelSet() || (opaque && primitives.isGlassLevelSet(i))) {
            continue;
        }
        const GridLevelSet levelSet(primitives, i);
        const glm::dvec3 low(corners.origin());
        if (glm::any(glm::lessThan(levelSet.reach().max, low)) ||
            glm::any(glm::greaterThan(levelSet.reach().min, low + static_cast<double>(corners.side())))) {
            continue;
        }
        Corners own = corners; // asked for at the same places
        own.visitAll([&](const glm::ivec3& point, float& value) { value = levelSet.at(point); });
        if (levelSet.farthest() < kFieldReach) {
            reachBeyond(primitives, bricks, brick, i, levelSet, own);
        }
        corners.visitAll(
            [&](const glm::ivec3& point, float& value) { value = std::min(value, own.at(point - corners.origin())); });
    }
}

} // namespace

void findLevelSetDistances(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                           BrickVoxels& voxels) {
    const Scene& scene = primitives.scene();
    if (std::none_of(scene.voxelInstances.begin(), scene.voxelInstances.end(),
                     [&](const VoxelInstance& one) { return scene.voxelModels[one.model].isLevelSet(); })) {
        return;
    }
    const int side = 1 << (2 * bricks.brickLevels());
    voxels.levelSets.resize(voxels.fieldVoxels.size());
    for (const bool opaque : {false, true}) {
        if (!hasFieldVoxels(voxels, opaque)) {
            continue;
        }
        Corners corners(glm::ivec3(codeCell(brick.code)) * side, side);
        visitFieldVoxels(voxels, side, opaque, [&](const glm::ivec3& voxel, std::size_t) {
            for (std::uint32_t corner = 0; corner < 8; ++corner) {
                corners.at(voxel, corner) = static_cast<float>(kFieldReach);
            }
        });
        addLevelSets(primitives, bricks, brick, opaque, corners);
        visitFieldVoxels(voxels, side, opaque, [&](const glm::ivec3& voxel, std::size_t number) {
            std::array<std::uint32_t, 8> codes{};
            for (std::uint32_t corner = 0; corner < 8; ++corner) {
                codes[corner] = signedCode(corners.at(voxel, corner));
            }
            voxels.levelSets[number] = packCorners(codes);
        });
    }
}

shared::CornerDistances unionOf(const shared::CornerDistances& a, const shared::CornerDistances& b) {
    std::array<std::uint32_t, 8> codes{};
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        codes[corner] = std::min(shared::fieldCode(a, corner), shared::fieldCode(b, corner));
    }
    return packCorners(codes);
}

} // namespace aureole
