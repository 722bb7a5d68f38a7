#include "import/vdb/vdb_import.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/extension.h"
#include "import/vdb/nvdb_file.h"
#include "import/vdb/vdb_file.h"

namespace aureole::vdb {

namespace {

/// The side of a cell in the world, of stretched ones on average. Throws Error (BadInput) for a grid without room.
double cellSide(const LevelSetGrid& grid, const std::string& place) {
    const double side = std::cbrt(std::abs(glm::determinant(glm::dmat3(grid.worldFromIndex))));
    constexpr double kSmallest = 1e-30;
    constexpr double kLargest = 1e30;
    bool good = side >= kSmallest && side <= kLargest; // which NaN is not
    for (glm::length_t column = 0; column < 4; ++column) {
        for (glm::length_t row = 0; row < 4; ++row) {
            good = good && std::abs(grid.worldFromIndex[column][row]) <= kLargest;
        }
    }
    if (!good) {
        fail(ExitCode::BadInput, "{}: found a transform that makes voxels {:g} wide, expected one that can be inverted",
             place, side);
    }
    return side;
}

/// Appends a leaf's distances in the order of LevelSet, in sides of cells.
void appendDistances(const Leaf& leaf, double perUnit, const std::string& place, std::vector<float>& distances) {
    constexpr int kSide = LevelSet::kBlock;
    for (int z = 0; z < kSide; ++z) {
        for (int y = 0; y < kSide; ++y) {
            for (int x = 0; x < kSide; ++x) {
                const float value = leaf.values[static_cast<std::size_t>((x * kSide + y) * kSide + z)];
                const auto distance = static_cast<float>(value * perUnit);
                if (!std::isfinite(distance)) {
                    fail(ExitCode::BadInput, "{}: found the distance {} at ({}, {}, {}), expected a finite one", place,
                         value, leaf.origin.x + x, leaf.origin.y + y, leaf.origin.z + z);
                }
                distances.push_back(distance);
            }
        }
    }
}

LevelSet levelSetOf(const LevelSetGrid& grid, const std::string& place) {
    const double perUnit = 1.0 / cellSide(grid, place);
    LevelSet levelSet;
    levelSet.farthest = static_cast<float>(grid.background * perUnit);
    if (!(levelSet.farthest > 0.0F && std::isfinite(levelSet.farthest))) {
        fail(ExitCode::BadInput, "{}: found the background {}, expected a distance above 0", place, grid.background);
    }
    std::vector<std::uint32_t> order(grid.leaves.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return blockBefore(grid.leaves[a].origin, grid.leaves[b].origin);
    });
    levelSet.blocks.reserve(order.size());
    levelSet.distances.reserve(order.size() * LevelSet::kBlockPoints);
    for (const std::uint32_t i : order) {
        const Leaf& leaf = grid.leaves[i];
        const glm::ivec3 block = leaf.origin / LevelSet::kBlock; // which divides it
        if (!levelSet.blocks.empty() && levelSet.blocks.back() == block) {
            fail(ExitCode::BadInput, "{}: found two leaves at ({}, {}, {}), expected one", place, leaf.origin.x,
                 leaf.origin.y, leaf.origin.z);
        }
        constexpr int kFarthest = 1 << 25;
        if (glm::any(glm::greaterThan(glm::abs(glm::dvec3(leaf.origin)), glm::dvec3(kFarthest)))) {
            fail(ExitCode::BadInput, "{}: found a leaf at ({}, {}, {}), expected it within {} of the origin", place,
                 leaf.origin.x, leaf.origin.y, leaf.origin.z, kFarthest);
        }
        levelSet.blocks.push_back(block);
        appendDistances(leaf, perUnit, place, levelSet.distances);
    }
    return levelSet;
}

/// Moves the model's corner to the first cells that the surface goes through; returns where that was.
glm::ivec3 fitToSurface(VoxelModel& model, const std::string& place) {
    glm::ivec3 low(std::numeric_limits<int>::max());
    glm::ivec3 high(std::numeric_limits<int>::min());
    for (const glm::ivec3& cell : crossedCells(model.levelSet)) {
        low = glm::min(low, cell);
        high = glm::max(high, cell);
    }
    if (low.x > high.x) {
        fail(ExitCode::BadInput, "{}: found no surface, expected distances above and below 0", place);
    }
    const glm::ivec3 size = high - low + 1;
    constexpr int kLongest = 0xffff; // as of other grids of cells
    if (std::max({size.x, size.y, size.z}) > kLongest) {
        fail(ExitCode::BadInput, "{}: found a surface of {} x {} x {} voxels, expected at most {} along a side", place,
             size.x, size.y, size.z, kLongest);
    }
    model.size = glm::uvec3(size);
    constexpr int kInBlock = LevelSet::kBlock - 1;
    for (glm::ivec3& block : model.levelSet.blocks) {
        block -= (low - (low & kInBlock)) / LevelSet::kBlock;
    }
    model.levelSet.offset = low & kInBlock;
    return low;
}

} // namespace

ImportedModel importVdb(const AssetReader& reader, const std::string& grid) {
    const std::vector<std::byte> bytes = reader.readModel();
    const LevelSetGrid found = lowerExtension(reader.file()) == ".nvdb" ? readNvdb(bytes, reader.name(), grid)
                                                                        : readVdb(bytes, reader.name(), grid);
    const std::string place = fmt::format("{}: grid '{}'", reader.name(), found.name);
    ImportedModel model;
    model.materials.emplace_back().name = found.name;
    VoxelModel& voxels = model.voxelModels.emplace_back();
    voxels.name = found.name;
    voxels.materials.fill(kNone);
    voxels.materials[1] = 0;
    voxels.levelSet = levelSetOf(found, place);
    const glm::ivec3 low = fitToSurface(voxels, place);
    glm::dmat4 worldFromModel = found.worldFromIndex;
    worldFromModel[3] = found.worldFromIndex * glm::dvec4(glm::dvec3(low), 1.0);
    model.voxelInstances.push_back({0, worldFromModel});
    return model;
}

} // namespace aureole::vdb
