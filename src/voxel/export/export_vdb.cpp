#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "core/file.h"
#include "core/set_bits.h"
#include "import/vdb/volume_grid.h"
#include "model/level_set.h"
#include "shared/octree/attributes.h"
#include "shared/octree/field.h"
#include "voxel/export/export.h"
#include "voxel/export/export_stream.h"
#include "voxel/export/vdb_tree.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/level.h"
#include "voxel/tree/level_walk.h"

namespace aureole {

namespace {

/// What a level set has where no distance is known, in voxels: beyond all that a field holds.
constexpr float kBeyond = 2.0F;

/// Leaves by their corners, made where they are asked for.
class LeafTable {
public:
    /// The leaf of a point, and whether it is new.
    std::pair<std::size_t, bool> find(const glm::ivec3& point) {
        const glm::u64vec3 at(point >> 3);
        const std::uint64_t key = at.x | (at.y << 21U) | (at.z << 42U);
        if (key == lastKey_) {
            return {last_, false};
        }
        const auto [found, isNew] = numbers_.try_emplace(key, numbers_.size());
        lastKey_ = key;
        last_ = found->second;
        return {last_, isNew};
    }

private:
    std::unordered_map<std::uint64_t, std::size_t> numbers_;
    std::uint64_t lastKey_ = ~std::uint64_t{0};
    std::size_t last_ = 0;
};

glm::ivec3 leafOf(const glm::ivec3& point) {
    return point & -8;
}

/// Solid voxels as a density of 1, and their colours where they have any.
class VoxelGrids {
public:
    explicit VoxelGrids(const Octree& octree)
        : hasColours_(!octree.isShape) {
        const glm::dvec3 middle = octree.grid.origin + 0.5 * octree.grid.voxelSize;
        density_ = {"density", vdb::kFogKind, middle, octree.grid.voxelSize};
        density_.values = [this](std::size_t leaf, std::vector<float>& values) {
            std::size_t count = 0;
            for (const std::uint64_t word : density_.leaves[leaf].active) {
                count += static_cast<std::size_t>(std::popcount(word));
            }
            values.insert(values.end(), count, 1.0F);
        };
        colours_ = {"Cd", "", middle, octree.grid.voxelSize, 0.0F, true};
        colours_.values = [this](std::size_t leaf, std::vector<float>& values) {
            std::sort(albedos_[leaf].begin(), albedos_[leaf].end(),
                      [](const Coloured& a, const Coloured& b) { return a.bit < b.bit; });
            for (const Coloured& voxel : albedos_[leaf]) {
                const glm::vec3 albedo = shared::unpackAttributes(voxel.attributes).albedo;
                values.insert(values.end(), {albedo.x, albedo.y, albedo.z});
            }
        };
        ExportProgress progress("collecting voxels", countVoxels(octree, 0));
        walkOctree(octree, 0,
                   {[&](const WalkedBlock& block) {
                        add(block);
                        progress.add(static_cast<std::uint64_t>(std::popcount(block.mask)));
                    },
                    [&](std::uint64_t code, std::uint32_t levels) {
                        const int side = 1 << (2 * levels);
                        addCube(glm::ivec3(codeCell(code)) * side, side);
                        progress.add(std::uint64_t{1} << (6 * levels));
                    }});
    }
    VoxelGrids(const VoxelGrids&) = delete;
    VoxelGrids& operator=(const VoxelGrids&) = delete;

    /// They refer to this.
    void appendTo(std::vector<VdbGrid>& grids, bool withDensity) {
        if (withDensity) {
            grids.push_back(density_);
        }
        if (hasColours_) {
            grids.push_back(colours_);
        }
    }

private:
    struct Coloured {
        std::uint32_t bit;
        shared::VoxelAttributes attributes;
    };

    static VdbLeaf& leafAt(LeafTable& table, VdbGrid& grid, const glm::ivec3& point, std::size_t& number) {
        const auto [found, isNew] = table.find(point);
        number = found;
        if (isNew) {
            grid.leaves.push_back({leafOf(point)});
        }
        return grid.leaves[found];
    }

    void add(const WalkedBlock& block) {
        const glm::ivec3 corner(codeCell(block.code) << 2U);
        std::size_t next = 0;
        for (const std::uint32_t bit : setBits(block.mask)) {
            const glm::ivec3 voxel = corner + glm::ivec3(shared::bitCell(bit));
            std::size_t leaf = 0;
            leafAt(densityLeaves_, density_, voxel, leaf).activate(vdbBit(voxel));
            if (((block.inside >> bit) & 1U) != 0) {
                continue;
            }
            const shared::VoxelAttributes& attributes = block.attributes[next++];
            if (!hasColours_) {
                continue;
            }
            leafAt(colourLeaves_, colours_, voxel, leaf).activate(vdbBit(voxel));
            albedos_.resize(colours_.leaves.size());
            albedos_[leaf].push_back({vdbBit(voxel), attributes});
        }
    }

    /// A cube that is solid throughout; of 4 voxels, or of many leaves.
    void addCube(const glm::ivec3& corner, int side) {
        const int step = std::min(side, 8);
        glm::ivec3 at;
        for (at.z = 0; at.z < side; at.z += step) {
            for (at.y = 0; at.y < side; at.y += step) {
                for (at.x = 0; at.x < side; at.x += step) {
                    if (step == 8) {
                        density_.full.push_back(corner + at);
                    } else {
                        add({cellCode(glm::uvec3(corner)) >> 6U, ~std::uint64_t{0}, ~std::uint64_t{0}, {}, {}});
                    }
                }
            }
        }
    }

    bool hasColours_;
    VdbGrid density_;
    VdbGrid colours_;
    LeafTable densityLeaves_;
    LeafTable colourLeaves_;
    std::vector<std::vector<Coloured>> albedos_; ///< per leaf of colours
};

/// A field's distances as a level set. Its points are the corners of voxels.
class FieldGrid {
public:
    explicit FieldGrid(const Octree& octree)
        : voxelSize_(static_cast<float>(octree.grid.voxelSize)) {
        collect(octree);
        order();
        grid_ = {"surface", vdb::kLevelSetKind, octree.grid.origin, octree.grid.voxelSize, kBeyond * voxelSize_};
        for (const glm::ivec3& block : levelSet_.blocks) {
            VdbLeaf& leaf = grid_.leaves.emplace_back(VdbLeaf{block * LevelSet::kBlock});
            forEachPoint([&](const glm::ivec3& point, std::size_t number) {
                if (std::abs(levelSet_.distances[(grid_.leaves.size() - 1) * LevelSet::kBlockPoints + number]) <
                    kBeyond) {
                    leaf.activate(vdbBit(point));
                }
            });
        }
        grid_.values = [this](std::size_t leaf, std::vector<float>& values) {
            for (std::uint32_t bit = 0; bit < LevelSet::kBlockPoints; ++bit) {
                if (((grid_.leaves[leaf].active[bit / 64] >> (bit % 64)) & 1U) != 0) {
                    const std::size_t number = (bit >> 6U) + (((bit >> 3U) & 7U) << 3U) + ((bit & 7U) << 6U);
                    values.push_back(voxelSize_ * levelSet_.distances[leaf * LevelSet::kBlockPoints + number]);
                }
            }
        };
        grid_.isMinus = [this](const glm::ivec3& point) { return sampler_.at(point) < 0.0F; };
    }
    FieldGrid(const FieldGrid&) = delete;
    FieldGrid& operator=(const FieldGrid&) = delete;

    /// It refers to this.
    const VdbGrid& grid() const { return grid_; }

private:
    /// Calls visit(point, number) for the points of a block of a level set.
    template <typename Visit>
    static void forEachPoint(const Visit& visit) {
        for (std::size_t i = 0; i < LevelSet::kBlockPoints; ++i) {
            const auto n = static_cast<int>(i);
            visit(glm::ivec3(n & 7, (n >> 3) & 7, n >> 6), i);
        }
    }

    void collect(const Octree& octree) {
        const auto& distances = std::get<FieldEncoding>(octree.encoding).distances;
        LeafTable table;
        std::size_t next = 0;
        ExportProgress progress("collecting distances", countVoxels(octree, 0));
        walkOctree(octree, 0,
                   {[&](const WalkedBlock& block) {
                        const glm::ivec3 corner(codeCell(block.code) << 2U);
                        for (const std::uint32_t bit : setBits(block.mask & ~block.inside)) {
                            addVoxel(corner + glm::ivec3(shared::bitCell(bit)), distances[next++], table);
                        }
                        progress.add(static_cast<std::uint64_t>(std::popcount(block.mask)));
                    },
                    [&](std::uint64_t, std::uint32_t levels) { progress.add(std::uint64_t{1} << (6 * levels)); }});
    }

    void addVoxel(const glm::ivec3& voxel, const shared::CornerDistances& corners, LeafTable& table) {
        for (std::uint32_t i = 0; i < 8; ++i) {
            const glm::ivec3 point = voxel + glm::ivec3(i & 1U, (i >> 1U) & 1U, i >> 2U);
            const auto [leaf, isNew] = table.find(point);
            if (isNew) {
                levelSet_.blocks.push_back(point >> 3);
                levelSet_.distances.insert(levelSet_.distances.end(), LevelSet::kBlockPoints, kBeyond);
            }
            const glm::ivec3 in = point & 7;
            levelSet_
                .distances[leaf * LevelSet::kBlockPoints + static_cast<std::size_t>(in.x + 8 * (in.y + 8 * in.z))] =
                shared::fieldValue(corners, i) * (FIELD_REACH / static_cast<float>(FIELD_MAX_CODE));
        }
    }

    /// Orders blocks, and gives points without a distance the side of the last one before them in their row.
    void order() {
        LevelSet sorted;
        sorted.farthest = kBeyond;
        std::vector<std::size_t> numbers(levelSet_.blocks.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = i;
        }
        std::sort(numbers.begin(), numbers.end(),
                  [&](std::size_t a, std::size_t b) { return blockBefore(levelSet_.blocks[a], levelSet_.blocks[b]); });
        for (const std::size_t number : numbers) {
            const auto first =
                levelSet_.distances.begin() + static_cast<std::ptrdiff_t>(number * LevelSet::kBlockPoints);
            sorted.blocks.push_back(levelSet_.blocks[number]);
            sorted.distances.insert(sorted.distances.end(), first, first + LevelSet::kBlockPoints);
        }
        levelSet_ = std::move(sorted);
        for (std::size_t i = 0; i < levelSet_.blocks.size(); ++i) {
            const glm::ivec3& block = levelSet_.blocks[i];
            const bool follows = i > 0 && levelSet_.blocks[i - 1].y == block.y && levelSet_.blocks[i - 1].z == block.z;
            for (std::size_t row = 0; row < LevelSet::kBlockPoints; row += LevelSet::kBlock) {
                float* const values = &levelSet_.distances[i * LevelSet::kBlockPoints + row];
                // The last point of the block before, in the same row.
                float side = follows ? *(values - LevelSet::kBlockPoints + LevelSet::kBlock - 1) : kBeyond;
                for (int x = 0; x < LevelSet::kBlock; ++x) {
                    values[x] = values[x] < kBeyond ? values[x] : std::copysign(kBeyond, side);
                    side = values[x];
                }
            }
        }
    }

    float voxelSize_;
    LevelSet levelSet_;
    LevelSetSampler sampler_{levelSet_};
    VdbGrid grid_;
};

} // namespace

ExportFigures exportVdb(const std::filesystem::path& file, const Octree& octree) {
    ExportFigures figures;
    writeFileAtomically(file, [&](const std::filesystem::path& temporary) {
        ExportStream out(temporary);
        std::vector<VdbGrid> grids;
        std::optional<FieldGrid> field;
        if (octree.encodingKind() == OctreeEncoding::Field) {
            grids.push_back(field.emplace(octree).grid());
        }
        VoxelGrids voxels(octree);
        voxels.appendTo(grids, !field);
        writeVdb(out, grids);
        out.finish();
        figures.grids = grids.size();
    });
    return figures;
}

} // namespace aureole
