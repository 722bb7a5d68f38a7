#pragma once

// A brick's voxels as planes: a slab of the surface in each, and nodes in place of their voxels wherever one slab and
// one set of attributes stand for them all. After Laine and Karras, "Efficient Sparse Voxel Octrees" (2010).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shared/voxelize/plane_merge.h"
#include "voxel/build/brick.h"
#include "voxel/build/voxel_material.h"
#include "voxel/surface/slab_bend.h"
#include "voxel/surface/surface_average.h"

namespace aureole {

/// Samples and corners of merged nodes that a brick holds at most, 24 to some 120 bytes each: blocks beyond are not
/// merged. Only meshes with some hundred triangles in each voxel of a large flat wall have more.
inline constexpr std::size_t kPlanePoints = std::size_t{1} << 20U;

/// Adds a cell to what a brick has come to. `emitting` is of the cells that emit.
void addPlane(const shared::VoxelAttributes& attributes, const shared::VoxelMaterial& material,
              const shared::SurfaceSlab& slab, const EmittingArea& emitting, BrickVoxels& voxels);

/// Collects the blocks of a brick, in order, and merges them bottom-up.
class PlaneBrick {
public:
    /// `error` is the most that a node's plane may lie from its surface, in voxels; nodes of up to 4^maxLevels voxels a
    /// side are merged.
    PlaneBrick(double error, std::uint32_t maxLevels, std::size_t mostPoints = kPlanePoints)
        : error_(error)
        , maxLevels_(maxLevels)
        , mostPoints_(mostPoints) {}

    /// What a block of the brick holds, as averaged voxel by voxel. `corners` and `samples` count from its own corner,
    /// `code` within the brick. Voxels of `whole` have no slab.
    void addBlock(std::uint32_t code, std::uint64_t mask, std::span<const AverageSurface> surfaces,
                  std::span<const SurfaceSample> samples, std::span<const SurfaceCorner> corners, std::uint64_t whole);

    /// The result; codes count from that of the brick's first block.
    BrickVoxels take(std::uint64_t firstBlock);

    /// Samples and corners that are kept for further merging.
    std::size_t heldPoints() const { return samples_.size() + corners_.size(); }

private:
    struct Range {
        std::size_t first = 0;
        std::size_t end = 0;
    };

    /// A cube of 4^levels voxels a side.
    struct Part {
        std::uint32_t code = 0; ///< in units of its size
        std::uint64_t mask = 0;
        Range children; ///< in the list of parts a level lower; of a block, its voxels
        Range blocks;   ///< in the list of the lowest parts
        Range voxels;
        Range samples;
        Range corners;
        std::size_t sums = 0; ///< where merged, its number
        SurfaceSum sum;
        bool merged = false; ///< one slab and one surface stand for it
        shared::SurfaceSlab slab{};
        AverageSurface surface;
    };

    /// Of the samples of a merged part.
    struct Sums {
        shared::SurfaceSums surface = shared::noSums();
        NormalMoments moments;
    };

    void addVoxel(const AverageSurface& surface, std::size_t bit, bool isWhole, std::span<const SurfaceSample> samples,
                  const glm::dvec3& low);
    void mergeBlock(Part& part, std::span<const SurfaceSample> samples, std::span<const SurfaceCorner> corners,
                    const glm::dvec3& low);
    void joinParts(std::uint32_t levels);
    Sums sumsOfBlock(const Part& part) const;
    Sums sumsOfChildren(std::uint32_t levels, const Part& part) const;
    void merge(std::uint32_t levels, Part& part, const Sums& sums);
    bool staysAtSurface(std::uint32_t levels, const Part& part, const shared::SurfaceSlab& slab) const;
    bool agrees(std::uint32_t levels, const Range& voxels, const AverageSurface& average) const;
    void emit(std::uint32_t levels, const Part& part, std::uint64_t firstBlock, BrickVoxels& voxels) const;

    double error_;
    std::uint32_t maxLevels_;
    std::size_t mostPoints_;
    std::vector<std::vector<Part>> parts_; ///< by levels - 1
    std::vector<std::uint32_t> codes_;     ///< of the blocks
    std::vector<shared::uvec2> masks_;
    std::vector<Sums> sums_;
    std::vector<SurfaceSample> samples_; ///< of merged parts: positions from the brick's corner, likewise the corners
    std::vector<glm::dvec3> corners_;
    std::vector<AverageSurface> surfaces_; ///< of all voxels
    std::vector<shared::SurfaceSlab> slabs_;
    std::vector<glm::vec3> middleNormals_; ///< for shading, at the middles of voxels
    // Of a block's voxels; empty between blocks.
    std::array<std::vector<glm::dvec3>, 64> cornersOf_;
    std::array<NormalMoments, 64> momentsOf_;
};

} // namespace aureole
