// bench_voxelize SCENE RESOLUTION... [--trace FILE]: what voxelisation costs, occupancy alone and with attributes, on
// the CPU and on the device. In seconds of CPU time beside those of the clock, so that a loaded machine shows what an
// idle one would do; of the device also what its own clock says of the kernels, and of those that tell what is solid.
// With --trace, the device alone, and its timeline.

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "core/threads/parallel.h"
#include "core/trace.h"
#include "gpu/device.h"
#include "scene/load.h"
#include "voxel/build/brick_list.h"
#include "voxel/build/build.h"
#include "voxel/build/grid.h"
#include "voxelizer/device_bricks.h"

namespace aureole {
namespace {

double cpuSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peakMebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// Counts the voxels that a scene covers, brick by brick, without keeping them.
std::uint64_t countVoxels(const Scene& scene, std::uint32_t resolution) {
    const VoxelGrid grid = fitGrid(scene, resolution);
    const Primitives primitives(scene, grid, false);
    const BrickList bricks(primitives, octreeLevels(grid.size));
    std::atomic<std::uint64_t> voxels{0};
    parallelFor(static_cast<std::int64_t>(bricks.bricks().size()), 1, [&](std::int64_t i) {
        const Brick& brick = bricks.bricks()[static_cast<std::size_t>(i)];
        std::vector<std::uint64_t> masks(std::size_t{1} << (6U * (bricks.brickLevels() - 1)));
        CellCube cube = bricks.cube(brick);
        cube.code = 0;
        for (const std::uint64_t entry : bricks.entries(brick)) {
            primitives.refinePrimitive(entryPrimitive(entry), cube, kSnapBits,
                                       [&](std::uint64_t block, std::uint64_t mask) { masks[block] |= mask; });
        }
        std::uint64_t count = 0;
        for (const std::uint64_t mask : masks) {
            count += static_cast<std::uint64_t>(std::popcount(mask));
        }
        voxels += count;
    });
    return voxels;
}

template <typename Work>
void measure(const char* name, std::uint32_t resolution, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = cpuSeconds();
    const auto voxels = static_cast<double>(work());
    const double spent = cpuSeconds() - cpu;
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("{:<16} {:>5}: {:>12.0f} voxels, {:7.2f} s, {:6.2f} million/s; {:7.2f} s of CPU, {:6.2f} million/s of "
               "CPU; peak {:.0f} MiB\n",
               name, resolution, voxels, elapsed, 1e-6 * voxels / elapsed, spent, 1e-6 * voxels / spent,
               peakMebibytes());
}

void measureDevice(const Scene& scene, std::uint32_t resolution, voxelizer::DeviceBricks& maker) {
    VoxelizeOptions options;
    options.resolution = resolution;
    options.maker = &maker;
    measure("device", resolution, [&] { return voxelizeScene(scene, options).voxelCount(); });
    const voxelizer::BatchFigures figures = maker.figures();
    const auto rate = [&](double milliseconds) { return 1e-3 * static_cast<double>(figures.voxels) / milliseconds; };
    fmt::print("  its kernels: {:9.2f} ms, {:8.1f} million/s; occupancy {:9.2f} ms, {:8.1f} million/s; {:.2f} ms "
               "to fetch; {} batches, {} fragments, {} bricks by the CPU\n",
               figures.milliseconds, rate(figures.milliseconds), figures.occupancyMilliseconds,
               rate(figures.occupancyMilliseconds), figures.fetchMilliseconds, figures.batches, figures.fragments,
               figures.onCpu);
}

} // namespace
} // namespace aureole

int main(int argc, char** argv) {
    using namespace aureole;
    const Scene scene = loadScene(argc > 1 ? argv[1] : "", {});
    const gpu::Device device = gpu::Device::open({});
    voxelizer::DeviceBricks maker(device);
    std::vector<std::string> arguments(argv + std::min(argc, 2), argv + argc);
    std::string timeline;
    if (arguments.size() > 2 && arguments.end()[-2] == "--trace") {
        timeline = arguments.back();
        arguments.resize(arguments.size() - 2);
        startTrace();
    }
    for (const std::string& argument : arguments) {
        const auto resolution = static_cast<std::uint32_t>(std::atoi(argument.c_str()));
        if (timeline.empty()) {
            measure("occupancy", resolution, [&] { return countVoxels(scene, resolution); });
            measure("with attributes", resolution, [&] { return voxelizeScene(scene, resolution).voxelCount(); });
        }
        measureDevice(scene, resolution, maker);
    }
    if (!timeline.empty()) {
        writeTrace(timeline);
    }
    return 0;
}
