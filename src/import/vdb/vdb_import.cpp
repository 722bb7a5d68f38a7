#include "import/vdb/vdb_import.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <glm/gtc/matrix_inverse.hpp>

#include "core/cube_index.h"
#include "core/error.h"
#include "core/extension.h"
#include "core/log.h"
#include "core/printable.h"
#include "import/vdb/nvdb_file.h"
#include "import/vdb/vdb_file.h"

namespace aureole::vdb {

namespace {

/// The side of a cell in the world, of stretched ones on average. Throws Error (BadInput) for a grid without room, and
/// for a transform that is not affine.
double cellSide(const glm::dmat4& worldFromIndex, const std::string& place) {
    const double side = std::cbrt(std::abs(glm::determinant(glm::dmat3(worldFromIndex))));
    constexpr double kSmallest = 1e-30;
    constexpr double kLargest = 1e30;
    bool good = side >= kSmallest && side <= kLargest; // which NaN is not
    for (glm::length_t column = 0; column < 4; ++column) {
        for (glm::length_t row = 0; row < 3; ++row) {
            good = good && std::abs(worldFromIndex[column][row]) <= kLargest;
        }
        if (const double last = worldFromIndex[column].w; last != (column == 3 ? 1.0 : 0.0)) {
            fail(ExitCode::BadInput, "{}: found a transform with {:g} in its last row, expected an affine one", place,
                 last);
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
                const float value = leaf.values[cubeIndex({z, y, x}, kSide)];
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

LevelSet levelSetOf(const FileGrid& grid, const std::string& place) {
    const double perUnit = 1.0 / cellSide(grid.worldFromIndex, place);
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

/// So many blocks fill some 24 GB as bricks.
constexpr std::size_t kMostBlocks = std::size_t{1} << 24U;

/// A block, and which values are its own.
struct Placed {
    glm::ivec3 block;
    std::uint32_t values;
};

/// The blocks of a tile, all of which have the values of that number.
template <typename T>
void appendTile(const TileOf<T>& tile, std::uint32_t values, const std::string& place, std::vector<Placed>& placed) {
    const int blocks = tile.side / DensityGrid::kBlock;
    const auto side = static_cast<std::size_t>(blocks);
    if (placed.size() + side * side * side > kMostBlocks) {
        fail(ExitCode::BadInput, "{}: found more than {} blocks of 8 x 8 x 8 voxels, expected no more", place,
             kMostBlocks);
    }
    for (int i = 0; i < blocks * blocks * blocks; ++i) {
        const glm::ivec3 offset(i % blocks, i / blocks % blocks, i / (blocks * blocks));
        placed.push_back({tile.origin / DensityGrid::kBlock + offset, values});
    }
}

/// What is no density is refused, but what is below 0 is 0: rounding of filters leaves such.
float densityOf(float value, const glm::ivec3& point, const std::string& place) {
    if (!std::isfinite(value)) {
        fail(ExitCode::BadInput, "{}: found the value {} at ({}, {}, {}), expected a finite one", place, value, point.x,
             point.y, point.z);
    }
    return std::max(value, 0.0F);
}

/// A colour; what filters and lights leave below 0 and above 1 is 0 and 1.
glm::vec3 colourOf(const glm::vec3& value, const glm::ivec3& point, const std::string& place) {
    if (value == ColourGrid::kNoColour) {
        return value;
    }
    if (!std::isfinite(value.x) || !std::isfinite(value.y) || !std::isfinite(value.z)) {
        fail(ExitCode::BadInput, "{}: found the colour ({}, {}, {}) at ({}, {}, {}), expected a finite one", place,
             value.x, value.y, value.z, point.x, point.y, point.z);
    }
    return glm::clamp(value, 0.0F, 1.0F);
}

/// Puts a grid's leaves and tiles into a DensityGrid or ColourGrid, whose values are `to`, by `valueOf`.
template <typename T, typename Grid, typename ValueOf>
void placeBlocks(const FileGridOf<T>& from, const std::string& place, Grid& grid, std::vector<T>& to,
                 const ValueOf& valueOf) {
    std::vector<Placed> placed;
    to.reserve((from.leaves.size() + from.tiles.size()) * Grid::kBlockPoints);
    const auto nextValues = [&] { return static_cast<std::uint32_t>(to.size() / Grid::kBlockPoints); };
    for (const TileOf<T>& tile : from.tiles) {
        appendTile(tile, nextValues(), place, placed);
        to.insert(to.end(), Grid::kBlockPoints, valueOf(tile.value, tile.origin, place));
    }
    for (const LeafOf<T>& leaf : from.leaves) {
        placed.push_back({leaf.origin / Grid::kBlock, nextValues()}); // which divides it
        for (std::size_t i = 0; i < Grid::kBlockPoints; ++i) {
            const glm::ivec3 inLeaf(i & 7U, i >> 3U & 7U, i >> 6U);
            to.push_back(valueOf(leaf.values[(i & 7U) << 6U | (i & 56U) | i >> 6U], leaf.origin + inLeaf, place));
        }
    }
    std::sort(placed.begin(), placed.end(),
              [](const Placed& a, const Placed& b) { return blockBefore(a.block, b.block); });
    for (const Placed& one : placed) {
        if (!grid.blocks.empty() && grid.blocks.back() == one.block) {
            fail(ExitCode::BadInput, "{}: found two leaves at ({}, {}, {}), expected one", place,
                 one.block.x * Grid::kBlock, one.block.y * Grid::kBlock, one.block.z * Grid::kBlock);
        }
        grid.blocks.push_back(one.block);
        grid.values.push_back(one.values);
    }
    if (placed.size() > kMostBlocks || !grid.isSound()) {
        fail(ExitCode::BadInput, "{}: found {} blocks of voxels, expected at most {}, within {} voxels of the origin",
             place, placed.size(), kMostBlocks, DensityGrid::kFarthest * DensityGrid::kBlock);
    }
}

DensityGrid densityGridOf(const FileGrid& grid, const std::string& place) {
    cellSide(grid.worldFromIndex, place);
    if (grid.background != 0.0F) {
        fail(ExitCode::BadInput, "{}: found the value {} outside of everything, expected 0", place, grid.background);
    }
    DensityGrid fog;
    fog.name = grid.name;
    fog.worldFromPoint = grid.worldFromIndex;
    placeBlocks(grid, place, fog, fog.densities, densityOf);
    return fog;
}

ColourGrid colourGridOf(const FileColours& grid, const glm::dmat4& worldFromModel, const std::string& place) {
    cellSide(grid.worldFromIndex, place);
    ColourGrid colours;
    // An inverse by cofactors of all four rows is affine but for rounding.
    colours.pointFromModel = glm::affineInverse(grid.worldFromIndex) * worldFromModel;
    placeBlocks(grid, place, colours, colours.colours, colourOf);
    return colours;
}

/// Whether some cell that the surface goes through has a colour.
bool coloursSurface(const VoxelModel& model) {
    const ColourSampler sampler(model.colours);
    const std::vector<glm::ivec3> cells = crossedCells(model.levelSet);
    return std::any_of(cells.begin(), cells.end(),
                       [&](const glm::ivec3& cell) { return sampler.at(glm::dvec3(cell) + 0.5).has_value(); });
}

ImportedModel levelSetModel(const FileGrid& found, const std::string& place) {
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

} // namespace

ImportedModel importVdb(const AssetReader& reader, const GridChoice& wanted) {
    const std::vector<std::byte> bytes = reader.readModel();
    const FileGrids found = lowerExtension(reader.file()) == ".nvdb" ? readNvdb(bytes, reader.name(), wanted)
                                                                     : readVdb(bytes, reader.name(), wanted);
    const std::string place = fmt::format("{}: grid '{}'", reader.name(), excerpt(found.grid.name));
    ImportedModel model;
    if (found.grid.isFog) {
        model.volume = densityGridOf(found.grid, place);
        return model;
    }
    model = levelSetModel(found.grid, place);
    if (found.colours) {
        const std::string ofColours = fmt::format("{}: colour grid '{}'", reader.name(), excerpt(found.colours->name));
        VoxelModel& coloured = model.voxelModels[0];
        coloured.colours = colourGridOf(*found.colours, model.voxelInstances[0].worldFromModel, ofColours);
        if (!coloursSurface(coloured)) {
            logWarning("{}: found no active voxel at the surface of '{}', which has its material's albedo", ofColours,
                       excerpt(coloured.name));
        }
    }
    return model;
}

} // namespace aureole::vdb
