// make_gyroid N OUT.avo: writes the gyroid of voxel/build/gyroid.h to a file, to measure on.

#include <cstdlib>

#include <fmt/format.h>

#include "core/error.h"
#include "voxel/build/gyroid.h"
#include "voxel/file/octree_file.h"

int main(int argc, char** argv) {
    using namespace aureole;
    const unsigned long side = argc == 3 ? std::strtoul(argv[1], nullptr, 10) : 0;
    if (side > kLargestGyroid || !isGyroidSide(static_cast<std::uint32_t>(side))) {
        fmt::print(stderr, "usage: make_gyroid N OUT.avo, N a power of two from {} to {}\n", kSmallestGyroid,
                   kLargestGyroid);
        return 2;
    }
    try {
        const Octree octree = makeGyroid(static_cast<std::uint32_t>(side));
        fmt::print("{} voxels, {:.2f} bits a voxel of occupancy\n", octree.voxelCount(),
                   8.0 * static_cast<double>(octree.occupancyBytes()) / static_cast<double>(octree.voxelCount()));
        writeOctree(argv[2], octree);
    } catch (const Error& error) {
        fmt::print(stderr, "make_gyroid: {}\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}
