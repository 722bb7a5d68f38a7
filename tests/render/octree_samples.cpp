#include "octree_samples.h"

#include <algorithm>
#include <map>

#include "shared/attributes.h"
#include "voxel/build.h"

namespace aureole {

namespace {

std::uint64_t mortonCode(glm::uvec3 p) {
    std::uint64_t code = 0;
    for (unsigned bit = 0; bit < 21; ++bit) {
        for (int axis = 0; axis < 3; ++axis) {
            code |= std::uint64_t{(p[axis] >> bit) & 1U} << (3 * bit + static_cast<unsigned>(axis));
        }
    }
    return code;
}

} // namespace

Octree octreeOf(std::uint32_t levels, const std::vector<glm::uvec3>& voxels) {
    std::map<std::uint64_t, std::uint64_t> masks;
    for (const glm::uvec3& v : voxels) {
        masks[mortonCode(v / 4U)] |= std::uint64_t{1} << shared::cellBit(v.x, v.y, v.z);
    }
    std::vector<VoxelBlock> blocks;
    std::size_t count = 0;
    for (const auto& [code, mask] : masks) {
        blocks.push_back({code, mask});
        count += static_cast<std::size_t>(std::popcount(mask));
    }
    const shared::VoxelSurface grey{glm::vec3(0.5F), glm::vec3(0.0F, 1.0F, 0.0F), 1.0F, 0.0F, 0};
    VoxelGrid grid;
    grid.size = glm::uvec3(1U << (2 * levels));
    return buildOctree(grid, blocks, std::vector(count, shared::packAttributes(grey)), {glm::vec3(0.0F)});
}

std::vector<std::pair<std::string, Octree>> sampleOctrees() {
    std::vector<std::pair<std::string, Octree>> samples;
    std::mt19937 random(7);
    const auto randomVoxels = [&](std::uint32_t side, std::size_t count) {
        std::uniform_int_distribution<std::uint32_t> coordinate(0, side - 1);
        std::vector<glm::uvec3> voxels(count);
        for (glm::uvec3& v : voxels) {
            v = {coordinate(random), coordinate(random), coordinate(random)};
        }
        return voxels;
    };
    samples.emplace_back("random, dense", octreeOf(2, randomVoxels(16, 400)));
    samples.emplace_back("random, sparse", octreeOf(3, randomVoxels(64, 3000)));
    samples.emplace_back("random, deep", octreeOf(7, randomVoxels(16384, 20000)));
    samples.emplace_back("empty", octreeOf(3, {}));
    std::vector<glm::uvec3> all;
    for (std::uint32_t i = 0; i < 4096; ++i) {
        all.emplace_back(i % 16, i / 16 % 16, i / 256);
    }
    samples.emplace_back("full", octreeOf(2, all));
    samples.emplace_back("single voxel", octreeOf(4, {{200, 17, 91}}));
    std::vector<glm::uvec3> diagonal;
    for (std::uint32_t i = 0; i < 256; ++i) {
        diagonal.emplace_back(i, i, i);
    }
    samples.emplace_back("diagonal line", octreeOf(4, diagonal));
    return samples;
}

std::vector<shared::GridRay> sampleRays(const Octree& octree, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    const double side = 1U << (2 * octree.levels);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<int> axis(0, 2);
    const auto anyDirection = [&] { return glm::dvec3(normal(random), normal(random), normal(random)); };
    const auto anyPoint = [&] { return side * glm::dvec3(unit(random), unit(random), unit(random)); };
    std::vector<shared::GridRay> rays;
    while (rays.size() < count) {
        glm::dvec3 point = anyPoint();
        glm::dvec3 direction = anyDirection();
        bool outside = false;
        switch (rays.size() % 7) {
        case 0: // from inside, anywhere
            break;
        case 1: // from outside and far away
            point = side * 0.5 + side * (rays.size() % 2 == 0 ? 1.5 : 100.0) * glm::normalize(anyDirection());
            direction = anyPoint() - point;
            outside = true;
            break;
        case 2: // along an axis
            direction = glm::dvec3(0.0);
            direction[axis(random)] = unit(random) < 0.5 ? -1.0 : 1.0;
            break;
        case 3: // along an axis, on the edges of cells
            point = glm::floor(point);
            direction = glm::dvec3(0.0);
            direction[axis(random)] = unit(random) < 0.5 ? -1.0 : 1.0;
            break;
        case 4: // from corner to corner of cells
            point = glm::floor(point);
            direction = glm::floor(anyPoint()) - point;
            break;
        case 5: // along diagonals through corners
            point = glm::floor(point);
            direction = glm::sign(anyDirection());
            break;
        default: // in planes between cells
            point[axis(random)] = std::floor(point[axis(random)]);
            direction[axis(random)] = 0.0;
            break;
        }
        if (direction == glm::dvec3(0.0)) {
            continue;
        }
        shared::GridRay ray = makeGridRay(octree, point, direction);
        if (outside) {
            float travelled = 0.0F;
            std::uint32_t entered = 0;
            if (shared::clipToBox(glm::vec3(1.0F), glm::vec3(2.0F), ray.origin, ray.direction, ray.inverse, travelled,
                                  entered) == 0) {
                continue;
            }
            ray.cell = shared::gridCell(ray.origin, octree.levels);
        }
        rays.push_back(ray);
    }
    return rays;
}

} // namespace aureole
