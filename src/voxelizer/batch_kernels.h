#pragma once

// The kernels of shaders/voxelize that a batch of bricks goes through, with scans and a sort between them:
//   refine  one invocation a pair: the cells that the triangle touches (shared/voxelize/coverage.h); for each level
//   gather  one a fragment, which is a triangle in a block: fragments in the order of blocks
//   starts  one a fragment: where the fragments of a block begin
//   blocks  one a block: which of its voxels are solid
//   voxels  one a voxel: its attributes, from the triangles in it (shared/voxelize/average.h, edges.h)
//   leaves  one a block: the sum of its voxels and its average (shared/voxelize/area_sum.h)
// Of fields, whose fragments are also triangles that only come near to a block:
//   distances  one a corner of a block's voxels: how far it is from the nearest triangle (shared/voxelize/distance.h)
// And of planes, whose voxels get their slabs with their attributes, for the parts of bricks (shared/voxelize/
// plane_merge.h) of one level after the other:
//   sums    one a block: the sums over its samples; of the lowest level only
//   means   one a part: its average
//   fits    one a block: whether that stands for its voxels, and how high its corners lie
//   cells   one a part: its plane
//   stays   64 a block: whether that plane stays at the surface in the blocks of the part that it meets

#include <array>
#include <cstdint>
#include <future>
#include <optional>
#include <span>
#include <string>

#include "gpu/device.h"
#include "scan/scan_plan.h"
#include "scan/sort_plan.h"
#include "settings/voxels.h"
#include "shared/voxelize/work.h"
#include "voxel/surface/plane_brick.h"
#include "voxelizer/device_triangles.h"

namespace aureole::voxelizer {

/// What a batch may have at most; brick by brick, what has more is made by the CPU. Some 90 bytes of device memory a
/// fragment, 150 a block and 100 a voxel; of planes, 700 more a block and 12 a voxel; of fields, 12 more a voxel.
struct BatchLimits {
    std::uint32_t entries = 1U << 20U;   ///< pairs of a triangle and a brick
    std::uint32_t fragments = 1U << 21U; ///< pairs of a triangle and a block, or a cell above blocks
    std::uint32_t blocks = 1U << 20U;
    std::uint32_t voxels = 1U << 22U;
    std::uint32_t ofBlock = 1U << 12U; ///< fragments of a block, each of which its voxels go through several times
    std::uint32_t bricks = 1U << 16U;
    /// Of fields: those near a block as well, each of which its corners go through once.
    std::uint32_t nearBlock = 1U << 14U;
    // Of planes:
    std::uint32_t planeBlocks = 1U << 18U;
    std::uint32_t samples = ~0U;         ///< of a block, a triangle in a voxel each
    std::uint64_t points = kPlanePoints; ///< of a brick: samples and corners, as the CPU holds them
};

/// What of a batch comes to the host while it is made, a word each.
enum Total : std::uint32_t { kPairs, kBlocks, kVoxels, kMostOfBlock, kMostSamples, kMostNear, kTotals };

using gpu::Buffer;

template <typename T>
std::span<T> mappedAs(const Buffer& buffer, std::size_t count) {
    return {reinterpret_cast<T*>(buffer.mapped().data()), count};
}

/// What a batch comes back to the host in, mapped, but for its attributes and distances.
struct FetchedBatch {
    Buffer materials, emitting, leaves, slabs; ///< as in shared::VoxelWork
    std::array<Buffer, PLANE_LEVELS> cells;
};

/// The kernels that are the same for all scenes of a surface.
struct BatchPipelines {
    /// Makes all at once: the first time, a driver compiles each for up to a second.
    BatchPipelines(const gpu::Device& device, const BatchLimits& limits, SurfaceKind surface);

    gpu::Pipeline refine, gather, starts, blocks, voxels, leaves;
    gpu::Pipeline sums, means, fits, cells, stays; ///< of planes only
    gpu::Pipeline distances;                       ///< of fields only
    scan::ScanPlan scans;
};

/// What voxels are made of a scene.
struct BatchKind {
    bool thin = false;
    bool field = false;
    std::optional<double> error;   ///< of planes, in voxels; none: the surface is no planes
    std::uint32_t planeLevels = 0; ///< that nodes of planes may have
    std::uint32_t bits = 0;        ///< of the code of a block within its brick
};

/// The kernels, and the memory that they work in.
struct BatchKernels {
    /// Waits for the pipelines once it has all else.
    BatchKernels(const gpu::Device& gpuDevice, const BatchLimits& batchLimits, const Primitives& primitives,
                 const BatchKind& batchKind, std::future<BatchPipelines> made);

    void makeBuffers(std::size_t materialCount, std::uint64_t pairCount, shared::VoxelWork& addresses);
    void makeMappedBuffers();
    Buffer make(std::uint64_t items, std::uint64_t bytes, gpu::MemoryKind memory, const char* name) const;
    static void dispatch(gpu::CommandEncoder& commands, const gpu::Pipeline& kernel, const shared::VoxelizePush& push,
                         std::uint32_t items);
    void scan(gpu::CommandEncoder& commands, const Buffer& target, std::uint32_t items);
    void tell(gpu::CommandEncoder& commands, Total which, const Buffer& from, std::uint64_t word) const;
    std::uint32_t refine(std::uint32_t level, std::uint32_t levels, std::uint32_t pairCount, std::uint32_t parents);
    bool findBlocks(std::uint32_t level, std::uint32_t fragmentCount);
    void makeVoxels(std::uint32_t blockCount, std::uint32_t voxelCount, std::size_t batch);
    void wait(gpu::CommandEncoder&& commands);
    std::uint32_t total(Total which) const { return mappedAs<const std::uint32_t>(totals, kTotals)[which]; }

    void makePlanes(gpu::CommandEncoder& commands, std::uint32_t blockCount);

    const gpu::Device& device;
    BatchLimits limits;
    BatchKind kind;
    DeviceTriangles scene;
    std::optional<BatchPipelines> pipelines;
    scan::SortPlan sorts;
    std::uint32_t brickCount = 0;   ///< of the batch
    std::uint32_t entryCount = 0;   ///< likewise
    bool emits = false;             ///< whether a triangle of the batch does: else what emits does not come back
    double milliseconds = 0.0;      ///< of the batch's kernels
    double fetchMilliseconds = 0.0; ///< of the copies to the host
    // As in shared::VoxelWork.
    Buffer bricks, entries;
    std::array<Buffer, 2> masks, pairs, offsets;
    Buffer counts, keys, values, sortedKeys, sortedValues, fragments;
    Buffer blockNumbers, blockFirst, blockKeys, blockMasks, voxelOffsets;
    Buffer attributes, terms, materials, emitting, leaves, most;
    Buffer slabs, parts, fits, distances;
    std::array<Buffer, PLANE_LEVELS> cells;
    Buffer work;
    // Mapped.
    Buffer bricksOut, entriesOut, totals;
    std::array<FetchedBatch, 2> fetched;     ///< in turn: the host takes one batch while the next is made
    std::array<Buffer, 3> fetchedAttributes; ///< likewise; those of the batch before are still being copied
    std::array<Buffer, 3> fetchedDistances;
};

} // namespace aureole::voxelizer
