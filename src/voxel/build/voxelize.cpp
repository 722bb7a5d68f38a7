#include <algorithm>
#include <bit>
#include <future>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "core/shared_progress.h"
#include "core/threads/beside.h"
#include "core/threads/parallel.h"
#include "core/trace.h"
#include "scene/scene_conflicts.h"
#include "scene/surface.h"
#include "voxel/build/brick.h"
#include "voxel/build/brick_collector.h"
#include "voxel/build/brick_maker.h"
#include "voxel/build/build.h"
#include "voxel/build/closed_meshes.h"
#include "voxel/build/grid.h"
#include "voxel/build/ordered_work.h"
#include "voxel/build/shape_material.h"
#include "voxel/build/solid_fill.h"
#include "voxel/surface/field_distances.h"
#include "voxel/surface/field_signs.h"
#include "voxel/surface/level_set_lattice.h"
#include "voxel/surface/surface_closures.h"
#include "voxel/tree/emitter_boxes.h"

namespace aureole {

namespace {

/// Finished bricks that wait for an earlier one may take this much, or a quarter of a smaller budget.
constexpr std::uint64_t kWaitingBytes = std::uint64_t{256} << 20U;
/// What bricks in work may take, and the arrays' own buffers.
constexpr std::uint64_t kWorkingBytes = std::uint64_t{16} << 20U;
/// This share of what is left stays free for what the allocator keeps between bricks: 16384^3 in 6 GiB was seen to take
/// 220 MiB more than what is counted.
constexpr std::uint64_t kUncountedShare = 24;

/// What is left of the memory for the octree's arrays and for finished bricks.
struct Shares {
    std::uint64_t arrays = 0;
    std::uint64_t waiting = 0;
};

Shares shareMemory(const Scene& scene, const VoxelizeOptions& options, std::uint64_t taken) {
    if (options.memory == std::numeric_limits<std::uint64_t>::max()) {
        return {options.memory, kWaitingBytes};
    }
    if (options.memory < taken + 2 * kWorkingBytes) {
        constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
        fail(ExitCode::OutOfMemory, "{}: found {} MiB of memory to voxelise in, expected at least {} MiB",
             scene.file.string(), options.memory / kMebibyte, (taken + 2 * kWorkingBytes) / kMebibyte + 1);
    }
    const std::uint64_t counted = options.memory - taken - kWorkingBytes;
    const std::uint64_t left = counted - counted / kUncountedShare;
    const std::uint64_t waiting = std::min(kWaitingBytes, left / 4);
    return {left - waiting, waiting};
}

void checkSurface(const Scene& scene, const VoxelizeOptions& options) {
    const std::string& surface = surfaceKindNames()[static_cast<std::size_t>(options.surface)];
    if (options.surface != SurfaceKind::Cubes && options.coverage != Coverage::Conservative) {
        fail(ExitCode::Usage, "{}: found surface '{}' with mode '{}', expected mode 'conservative'",
             scene.file.string(), surface, coverageNames()[static_cast<std::size_t>(options.coverage)]);
    }
    if (options.attributes == VoxelContent::None) {
        if (std::vector<SceneConflict> found = findShapeConflicts(scene, options.surface); !found.empty()) {
            throw ConflictError(scene, std::move(found));
        }
    }
    const MeshInstance* glass =
        options.coverage == Coverage::Thin ? findSolidGlass(scene, scene.meshInstances) : nullptr;
    if (glass != nullptr) {
        fail(ExitCode::Usage, "{}: found mesh '{}' of glass with mode 'thin', expected mode 'conservative' or 'solid'",
             scene.file.string(), scene.meshes[glass->mesh].name);
    }
}

/// The closures of opaque meshes; the others count as open.
std::vector<Closure> opaqueClosures(const Scene& scene, std::vector<Closure> closures) {
    for (std::size_t i = 0; i < closures.size(); ++i) {
        closures[i] = isGlass(materialOf(scene, scene.meshInstances[i])) ? Closure::Open : closures[i];
    }
    return closures;
}

/// Adds what the distances of a field are made of, where a maker has not found these. `opaque`: opaqueClosures.
void addField(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
              const std::vector<Closure>& closures, const std::vector<Closure>& opaque, BrickVoxels& voxels) {
    const Scene& scene = primitives.scene();
    voxels.crossings = findCrossings(primitives, bricks, brick, closures, RowPoints::Corners);
    sortCrossings(voxels.crossings);
    if (!voxels.distances.empty()) {
        return;
    }
    if (primitives.hasGlass()) {
        voxels.opaqueCrossings = findCrossings(primitives, bricks, brick, opaque, RowPoints::Corners);
        sortCrossings(voxels.opaqueCrossings);
        voxels.fieldVoxels.reserve(voxels.voxels.size());
        for (const SurfaceVoxel& voxel : voxels.voxels) {
            voxels.fieldVoxels.push_back({{}, !isGlass(scene.materials.at(voxel.material.material))});
        }
    } else { // of which a shape alone has no others
        std::size_t count = 0;
        for (const VoxelBlock& block : voxels.blocks) {
            count += static_cast<std::size_t>(std::popcount(block.mask));
        }
        voxels.fieldVoxels.resize(count);
    }
    findDistances(primitives, bricks, brick, voxels);
    findLevelSetDistances(primitives, bricks, brick, voxels);
}

/// The voxels of a brick, as the CPU makes them.
BrickVoxels makeBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                      const VoxelizeOptions& options) {
    if (options.surface == SurfaceKind::Planes) {
        return voxelizeBrickPlanes(primitives, bricks, brick, options.error, octreeLevels(primitives.grid().size));
    }
    return options.attributes == VoxelContent::None ? voxelizeBrickShape(primitives, bricks, brick)
                                                    : voxelizeBrick(primitives, bricks, brick);
}

void checkInterrupt() {
    if (interruptRequested()) {
        fail(ExitCode::Interrupted, "voxelisation interrupted");
    }
}

/// Has the CPU's cores make all bricks: voxels = make(index).
template <typename Make>
void makeBricks(const BrickList& bricks, std::uint64_t waitingBytes, BrickCollector& collector, const Make& make) {
    SharedProgress progress("voxelising", bricks.entryCount());
    forEachInOrder(
        bricks.bricks().size(), waitingBytes,
        [&](std::uint64_t index) {
            checkInterrupt();
            const Brick& brick = bricks.bricks()[index];
            BrickVoxels voxels = make(index);
            progress.add(brick.end - brick.first);
            return voxels;
        },
        [&](std::uint64_t index, BrickVoxels&& voxels) {
            collector.append({&bricks.bricks()[index], 1}, {&voxels, 1});
        });
}

/// Has the maker make all bricks, of which complete(index, voxels) adds what it does not, where there is such, and
/// join(voxels) what is the same whoever has made them; one batch is appended while the next is made.
template <typename Complete, typename Join>
void makeBricks(BrickMaker& maker, const BrickList& bricks, BrickCollector& collector, bool completes,
                const Complete& complete, const Join& join) {
    const std::vector<Brick>& all = bricks.bricks();
    SharedProgress progress("voxelising", bricks.entryCount());
    struct Ending { // also where a run is cut short: the maker may be at the bricks yet
        BrickMaker& maker;
        ~Ending() { maker.end(); }
    } const ending{maker};
    std::future<void> appended;
    for (std::size_t first = 0; first < all.size();) {
        checkInterrupt();
        std::vector<BrickVoxels> batch = [&] {
            const TraceSpan span("make bricks");
            return maker.make(first);
        }();
        if (completes) {
            parallelFor(static_cast<std::int64_t>(batch.size()), 1, [&](std::int64_t i) {
                complete(first + static_cast<std::size_t>(i), batch[static_cast<std::size_t>(i)]);
            });
        }
        forEachBeside(batch.size(), [&](std::size_t i) { join(batch[i]); });
        if (appended.valid()) {
            appended.get();
        }
        const std::size_t end = first + batch.size();
        progress.add(all[end - 1].end - all[first].first);
        appended = std::async(std::launch::async, [&all, &collector, first, batch = std::move(batch)]() mutable {
            const TraceSpan span("append bricks");
            collector.append(std::span(all).subspan(first, batch.size()), batch);
        });
        first = end;
    }
    if (appended.valid()) {
        appended.get();
    }
}

/// The maker that options ask for, ready for the scene's bricks; null where there is none, or it cannot make them.
/// Notes in the octree's metadata who makes it; nothing where the maker has no memory, which may be other at once.
BrickMaker* readyMaker(const Scene& scene, const VoxelizeOptions& options, const Primitives& primitives,
                       const BrickList& bricks, bool branches, std::map<std::string, std::string>& metadata) {
    if (options.maker == nullptr) {
        return nullptr;
    }
    if (const std::string why = options.maker->whyNot(scene, options); !why.empty()) {
        logInfo("voxels   made by the CPU: {}", why);
        metadata[kMakerKey] = why;
        return nullptr;
    }
    try {
        options.maker->begin(primitives, bricks, options, branches);
        logInfo("voxels   made by {}", options.maker->name());
        metadata[kMakerKey] = options.maker->name();
        return options.maker;
    } catch (const Error& error) {
        if (error.code() != ExitCode::OutOfMemory) {
            throw;
        }
        logWarning("voxels   made by the CPU: {}", error.what());
        return nullptr;
    }
}

[[noreturn]] void refuseNoVoxels(const Scene& scene, Coverage coverage) {
    fail(ExitCode::BadInput, "{}: no voxel is left: {}", scene.file.string(),
         coverage == Coverage::Thin ? "no surface passes by the middle of a voxel, or alpha testing cuts it away"
                                    : "alpha testing cuts every surface away");
}

/// The octree of a scene without surfaces.
Octree emptyOctree(const Scene& scene, const VoxelGrid& grid) {
    const VoxelGrid one{grid.origin, grid.voxelSize, glm::uvec3(1)};
    return buildOctree(one, {}, {}, {kPlainMaterial}, makeOctreeMaterials(scene.materials));
}

} // namespace

VoxelizedScene voxelizeSurfaces(const Scene& scene, const VoxelizeOptions& options) {
    checkSurface(scene, options);
    const VoxelGrid grid = fitGrid(scene, options.resolution, options.mayBeEmpty);
    if (grid.size == glm::uvec3(0)) {
        return {emptyOctree(scene, grid), {}};
    }
    std::optional<TraceSpan> span(std::in_place, "find bricks");
    const Primitives primitives(scene, grid, options.coverage == Coverage::Thin);
    const BrickList bricks(primitives, octreeLevels(grid.size), options.memory);
    const Shares shares = shareMemory(scene, options, bricks.byteCount());
    MemoryBudget budget(shares.arrays, options.spillFolder);
    const bool field = options.surface == SurfaceKind::Field;
    std::string fault;
    const std::vector<Closure> closures = findClosures(primitives, options.surface, options.coverage, fault);
    const std::vector<Closure> opaque =
        field && primitives.hasGlass() ? opaqueClosures(scene, closures) : std::vector<Closure>();
    const bool solid = options.coverage == Coverage::Solid || (!field && !closures.empty());
    BrickCollector collector(scene, grid, budget, options, bricks.brickLevels(), solid);
    const auto complete = [&](std::size_t index, BrickVoxels& voxels) {
        const Brick& brick = bricks.bricks()[index];
        if (solid) {
            voxels.crossings = findCrossings(primitives, bricks, brick, closures, RowPoints::Centres);
        }
        if (field) {
            addField(primitives, bricks, brick, closures, opaque, voxels);
        }
    };
    const bool branches = !solid && options.surface != SurfaceKind::Planes && options.attributes == VoxelContent::All &&
                          octreeLevels(grid.size) > bricks.brickLevels();
    const auto join = [&](BrickVoxels& voxels) {
        if (branches && !voxels.blocks.empty()) {
            voxels.branch = makeBranch(voxels.blocks, bricks.brickLevels());
        }
    };
    span.emplace("voxels");
    std::map<std::string, std::string> metadata;
    if (BrickMaker* const maker = readyMaker(scene, options, primitives, bricks, branches && !field, metadata)) {
        makeBricks(*maker, bricks, collector, solid || field, complete, join);
    } else {
        makeBricks(bricks, shares.waiting, collector, [&](std::size_t index) {
            BrickVoxels voxels = makeBrick(primitives, bricks, bricks.bricks()[index], options);
            complete(index, voxels);
            join(voxels);
            return voxels;
        });
    }
    if (collector.empty() && !options.mayBeEmpty) {
        refuseNoVoxels(scene, options.coverage);
    }
    span.emplace("finish octree");
    VoxelizedScene made = collector.finish(scene);
    made.octree.metadata = std::move(metadata);
    if (!fault.empty()) {
        made.octree.metadata[kWarningKey] = fault;
    }
    return made;
}

Octree voxelizeScene(const Scene& scene, const VoxelizeOptions& options) {
    VoxelizedScene made = voxelizeSurfaces(scene, options);
    if (!made.emissive.empty()) {
        made.octree.lamps = makeEmitterBoxes(made.octree, std::move(made.emissive));
    }
    return std::move(made.octree);
}

Octree voxelizeScene(const Scene& scene, std::uint32_t resolution) {
    VoxelizeOptions options;
    options.resolution = resolution;
    return voxelizeScene(scene, options);
}

} // namespace aureole
