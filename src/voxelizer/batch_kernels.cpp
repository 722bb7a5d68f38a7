#include "voxelizer/batch_kernels.h"

#include <algorithm>
#include <bit>

#include "core/divide_up.h"
#include "core/threads/parallel.h"
#include "gpu/workgroups.h"
#include "voxel/build/coverage.h"
#include "voxelizer_shaders.h"

namespace aureole::voxelizer {

namespace {

using gpu::MemoryKind;

constexpr std::uint32_t kWorkgroupSize = 128;
/// FIELD_REACH on the lattice that triangles are on.
constexpr int kReachUnits = static_cast<int>(FIELD_REACH * kSnapUnits);
constexpr const char* kFetch = "voxelize: fetch"; ///< the pass that copies to the host

/// The pairs of a triangle and a cell that a level may have, and one behind.
std::uint64_t pairsOf(const BatchLimits& limits) {
    return std::max(limits.fragments, limits.entries) + std::uint64_t{1};
}

gpu::Pipeline pipelineOf(const gpu::Device& device, const gpu::Shader& shader, const char* name) {
    gpu::PipelineOptions options;
    options.name = name;
    options.shader = shader;
    options.pushConstantBytes = sizeof(shared::VoxelizePush);
    return device.createPipeline(options);
}

} // namespace

BatchPipelines::BatchPipelines(const gpu::Device& device, const BatchLimits& limits, SurfaceKind surface) {
    const bool planes = surface == SurfaceKind::Planes;
    scan::ScanOptions scanning;
    scanning.maximumCount = pairsOf(limits);
    scanning.kind = scan::Kind::Exclusive;
    concurrently({[&] {
                      voxels = planes ? pipelineOf(device, shaders::voxelize_plane_voxels(), "voxelize_plane_voxels")
                                      : pipelineOf(device, shaders::voxelize_voxels(), "voxelize_voxels");
                  },
                  [&] {
                      if (planes) {
                          sums = pipelineOf(device, shaders::voxelize_plane_sums(), "voxelize_plane_sums");
                          means = pipelineOf(device, shaders::voxelize_plane_means(), "voxelize_plane_means");
                      }
                  },
                  [&] {
                      if (planes) {
                          fits = pipelineOf(device, shaders::voxelize_plane_fits(), "voxelize_plane_fits");
                          cells = pipelineOf(device, shaders::voxelize_plane_cells(), "voxelize_plane_cells");
                          stays = pipelineOf(device, shaders::voxelize_plane_stays(), "voxelize_plane_stays");
                      }
                  },
                  [&] { scans = scan::plan(device, scanning); },
                  [&] {
                      if (surface == SurfaceKind::Field) {
                          distances = pipelineOf(device, shaders::voxelize_distances(), "voxelize_distances");
                      }
                  },
                  [&] { leaves = pipelineOf(device, shaders::voxelize_leaves(), "voxelize_leaves"); },
                  [&] {
                      refine = pipelineOf(device, shaders::voxelize_refine(), "voxelize_refine");
                      gather = pipelineOf(device, shaders::voxelize_gather(), "voxelize_gather");
                      starts = pipelineOf(device, shaders::voxelize_starts(), "voxelize_starts");
                      blocks = pipelineOf(device, shaders::voxelize_blocks(), "voxelize_blocks");
                  }});
}

Buffer BatchKernels::make(std::uint64_t items, std::uint64_t bytes, MemoryKind memory, const char* name) const {
    return device.createBuffer(items * bytes, memory, fmt::format("voxeliser: {}", name));
}

BatchKernels::BatchKernels(const gpu::Device& gpuDevice, const BatchLimits& batchLimits, const Primitives& primitives,
                           const BatchKind& batchKind, std::future<BatchPipelines> made)
    : device(gpuDevice)
    , limits(batchLimits)
    , kind(batchKind)
    , scene(gpuDevice, primitives) {
    scan::SortOptions sorting;
    sorting.maximumCount = limits.fragments;
    sorting.endBit = kind.bits + static_cast<std::uint32_t>(std::bit_width(limits.bricks - 1));
    shared::VoxelWork addresses{};
    addresses.triangles = scene.triangles.address();
    addresses.instances = scene.instances.address();
    addresses.constants = scene.constants.address();
    addresses.cellBits = kind.bits;
    addresses.thin = kind.thin ? 1 : 0;
    addresses.error = kind.error.value_or(0.0);
    concurrently({[&] { sorts = scan::planSort(device, sorting); },
                  [&] {
                      makeBuffers(primitives.scene().materials.size(), pairsOf(limits), addresses);
                      makeMappedBuffers();
                  }});
    work = device.createBufferWith(std::span<const shared::VoxelWork>(&addresses, 1), "voxeliser: addresses");
    pipelines.emplace(made.get());
}

/// Makes what the kernels work in, and notes its addresses.
void BatchKernels::makeBuffers(std::size_t materialCount, std::uint64_t pairCount, shared::VoxelWork& addresses) {
    const auto place = [&](Buffer& buffer, std::uint64_t& address, std::uint64_t items, std::uint64_t bytes,
                           const char* name) {
        buffer = make(items, bytes, MemoryKind::Device, name);
        address = buffer.address();
    };
    place(bricks, addresses.bricks, limits.bricks, sizeof(shared::VoxelBrick), "bricks");
    place(entries, addresses.entries, limits.entries, sizeof(shared::VoxelEntry), "entries");
    for (std::size_t i = 0; i < 2; ++i) {
        place(masks[i], addresses.masks[i], pairCount, 8, "masks");
        place(pairs[i], addresses.pairs[i], pairCount, sizeof(shared::VoxelPair), "pairs");
        place(offsets[i], addresses.offsets[i], pairCount, 4, "offsets");
    }
    place(counts, addresses.counts, pairCount, 4, "counts");
    place(keys, addresses.keys, limits.fragments, 8, "keys");
    place(values, addresses.values, limits.fragments, 4, "values");
    place(sortedKeys, addresses.sortedKeys, limits.fragments, 8, "sorted keys");
    place(sortedValues, addresses.sortedValues, limits.fragments, 4, "sorted values");
    place(fragments, addresses.fragments, limits.fragments, sizeof(shared::VoxelFragment), "fragments");
    place(blockNumbers, addresses.blockNumbers, pairCount, 4, "numbers of blocks");
    place(blockFirst, addresses.blockFirst, pairCount, 4, "starts of blocks");
    place(blockKeys, addresses.blockKeys, pairCount, 4, "keys of blocks");
    place(blockMasks, addresses.blockMasks, pairCount, 8, "masks of blocks");
    place(voxelOffsets, addresses.voxelOffsets, pairCount, 4, "voxels before blocks");
    place(attributes, addresses.attributes, limits.voxels, sizeof(shared::VoxelAttributes), "attributes");
    place(terms, addresses.terms, limits.voxels, sizeof(shared::VoxelTerm), "terms");
    place(leaves, addresses.leaves, limits.blocks, sizeof(shared::VoxelLeaf), "leaves");
    place(most, addresses.most, 3, 4, "most fragments of a block");
    if (kind.error) {
        place(slabs, addresses.slabs, limits.voxels, sizeof(shared::SurfaceSlab), "slabs");
        place(parts, addresses.parts, limits.blocks, sizeof(shared::PlanePart), "parts");
        place(fits, addresses.fits, limits.blocks, sizeof(shared::PlaneFit), "fits of blocks");
        for (std::uint32_t i = 0; i < kind.planeLevels; ++i) {
            place(cells.at(i), addresses.cells[i], limits.blocks, sizeof(shared::PlaneCell), "planes");
        }
    }
    if (kind.field) {
        place(distances, addresses.distances, limits.voxels, sizeof(shared::CornerDistances), "distances");
    }
    if (materialCount != 1) {
        place(materials, addresses.materials, limits.voxels, sizeof(std::uint32_t), "materials");
    }
    if (!scene.emitting.empty()) {
        place(emitting, addresses.emitting, limits.voxels, sizeof(shared::VoxelEmitting), "what emits");
    }
}

/// Makes what batches go to the device in and come back in.
void BatchKernels::makeMappedBuffers() {
    bricksOut = make(limits.bricks, sizeof(shared::VoxelBrick), MemoryKind::Upload, "bricks");
    entriesOut = make(limits.entries, sizeof(shared::VoxelEntry), MemoryKind::Upload, "entries");
    totals = make(kTotals, 4, MemoryKind::Readback, "totals");
    const auto comesBack = [&](Buffer& buffer, const Buffer& from, const char* name) {
        if (from.size() > 0) {
            buffer = make(from.size(), 1, MemoryKind::Readback, name);
        }
    };
    for (FetchedBatch& batch : fetched) {
        comesBack(batch.leaves, leaves, "leaves");
        comesBack(batch.materials, materials, "materials");
        comesBack(batch.emitting, emitting, "what emits");
        comesBack(batch.slabs, slabs, "slabs");
        for (std::size_t i = 0; i < cells.size(); ++i) {
            comesBack(batch.cells.at(i), cells.at(i), "planes");
        }
    }
    for (Buffer& batch : fetchedAttributes) {
        comesBack(batch, attributes, "attributes");
    }
    for (Buffer& batch : fetchedDistances) {
        comesBack(batch, distances, "distances");
    }
}

void BatchKernels::dispatch(gpu::CommandEncoder& commands, const gpu::Pipeline& kernel,
                            const shared::VoxelizePush& push, std::uint32_t items) {
    const glm::uvec2 groups = gpu::groupsAlong(divideUp(items, kWorkgroupSize));
    commands.dispatch(kernel, push, groups.x, groups.y);
    commands.dispatchBarrier();
}

/// Makes offsets of the counts of `items`; what they add up to comes to stand behind them.
void BatchKernels::scan(gpu::CommandEncoder& commands, const Buffer& target, std::uint32_t items) {
    pipelines->scans.execute(commands, counts.address(), target.address(), items + std::uint64_t{1});
    commands.barrier();
}

/// Brings a word of a buffer to the host, as one of the totals.
void BatchKernels::tell(gpu::CommandEncoder& commands, Total which, const Buffer& from, std::uint64_t word) const {
    commands.copy(from, word * 4, totals, std::uint64_t{which} * 4, 4);
}

/// Runs the commands, and adds up the time that the device takes.
void BatchKernels::wait(gpu::CommandEncoder&& commands) {
    gpu::Submission submission = device.submit(std::move(commands));
    submission.wait();
    for (const gpu::PassTime& pass : submission.passTimes()) {
        (pass.name == kFetch ? fetchMilliseconds : milliseconds) += pass.milliseconds;
    }
}

/// Refines the pairs of a level below the bricks; how many the level below has, or, of the last one, 0.
std::uint32_t BatchKernels::refine(std::uint32_t level, std::uint32_t levels, std::uint32_t pairCount,
                                   std::uint32_t parents) {
    const bool isLast = level + 1 == levels;
    const int shift = kSnapBits + 2 * static_cast<int>(levels - 1 - level);
    gpu::CommandEncoder commands = device.encoder();
    commands.beginWhole("voxelize: refine");
    if (level == 0) {
        commands.copy(bricksOut, 0, bricks, 0, std::uint64_t{brickCount} * sizeof(shared::VoxelBrick));
        commands.copy(entriesOut, 0, entries, 0, std::uint64_t{pairCount} * sizeof(shared::VoxelEntry));
        commands.barrier();
    }
    dispatch(commands, pipelines->refine,
             {work.address(), pairCount, parents, level, shift, isLast ? 1U : 0U, kind.field ? kReachUnits : 0},
             pairCount + 1);
    if (!isLast) {
        const Buffer& childOffsets = offsets[level & 1U];
        scan(commands, childOffsets, pairCount);
        tell(commands, kPairs, childOffsets, pairCount);
    }
    wait(std::move(commands));
    return isLast ? 0 : total(kPairs);
}

/// Sorts the fragments that the last level left, and finds their blocks and voxels; false where these are too many.
bool BatchKernels::findBlocks(std::uint32_t level, std::uint32_t fragmentCount) {
    const shared::VoxelizePush push = {work.address(), fragmentCount, 0, level, 0, 0, 0};
    gpu::CommandEncoder commands = device.encoder();
    commands.beginWhole("voxelize: blocks");
    commands.fill(most, 0, most.size(), 0);
    commands.barrier();
    sorts.execute(commands, {keys.address(), values.address()}, {sortedKeys.address(), sortedValues.address()},
                  fragmentCount);
    commands.barrier();
    dispatch(commands, pipelines->gather, push, fragmentCount + 1);
    scan(commands, blockNumbers, fragmentCount);
    dispatch(commands, pipelines->starts, push, fragmentCount + 1);
    dispatch(commands, pipelines->blocks, push, fragmentCount + 1);
    scan(commands, voxelOffsets, fragmentCount);
    tell(commands, kBlocks, blockNumbers, fragmentCount);
    tell(commands, kVoxels, voxelOffsets, fragmentCount);
    tell(commands, kMostOfBlock, most, 0);
    tell(commands, kMostSamples, most, 1);
    tell(commands, kMostNear, most, 2);
    wait(std::move(commands));
    return total(kBlocks) <= limits.blocks && total(kVoxels) <= limits.voxels &&
           total(kMostOfBlock) <= limits.ofBlock && total(kMostSamples) <= limits.samples &&
           total(kMostNear) <= limits.nearBlock;
}

/// Makes planes of the parts of bricks, a level after the other.
void BatchKernels::makePlanes(gpu::CommandEncoder& commands, std::uint32_t blockCount) {
    commands.beginPass("voxelize: planes");
    const auto run = [&](const gpu::Pipeline& kernel, std::uint32_t levels, std::uint32_t each = 1) {
        dispatch(commands, kernel, {work.address(), blockCount, 0, levels, 0, 0, 0}, blockCount * each);
    };
    run(pipelines->sums, 1);
    for (std::uint32_t levels = 1; levels <= kind.planeLevels; ++levels) {
        run(pipelines->means, levels);
        run(pipelines->fits, levels);
        run(pipelines->cells, levels);
        if (levels > 1) {
            run(pipelines->stays, levels, 64);
        }
    }
}

void BatchKernels::makeVoxels(std::uint32_t blockCount, std::uint32_t voxelCount, std::size_t batch) {
    gpu::CommandEncoder commands = device.encoder();
    commands.beginPass("voxelize: attributes");
    dispatch(commands, pipelines->voxels, {work.address(), voxelCount, blockCount, 0, 0, 0, 0}, voxelCount);
    dispatch(commands, pipelines->leaves, {work.address(), blockCount, 0, 0, 0, 0, 0}, blockCount);
    if (kind.planeLevels > 0) {
        makePlanes(commands, blockCount);
    }
    if (kind.field) {
        commands.beginPass("voxelize: distances");
        dispatch(commands, pipelines->distances, {work.address(), blockCount, 0, 0, 0, 0, 0},
                 blockCount * kWorkgroupSize);
    }
    commands.barrier();
    commands.beginPass(kFetch);
    const auto fetch = [&](const Buffer& from, const Buffer& target, std::uint64_t count, std::uint64_t bytes) {
        if (from.size() > 0 && count > 0) {
            commands.copy(from, 0, target, 0, count * bytes);
        }
    };
    const FetchedBatch& to = fetched[batch % fetched.size()];
    fetch(attributes, fetchedAttributes[batch % fetchedAttributes.size()], voxelCount, sizeof(shared::VoxelAttributes));
    fetch(leaves, to.leaves, blockCount, sizeof(shared::VoxelLeaf));
    fetch(materials, to.materials, voxelCount, sizeof(std::uint32_t));
    fetch(emitting, to.emitting, emits ? voxelCount : 0, sizeof(shared::VoxelEmitting));
    fetch(slabs, to.slabs, voxelCount, sizeof(shared::SurfaceSlab));
    fetch(distances, fetchedDistances[batch % fetchedDistances.size()], voxelCount, sizeof(shared::CornerDistances));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        fetch(cells.at(i), to.cells.at(i), blockCount, sizeof(shared::PlaneCell));
    }
    wait(std::move(commands));
}

} // namespace aureole::voxelizer
