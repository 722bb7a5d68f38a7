#include "octree_samples.h"

#include <algorithm>
#include <map>

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
    const shared::VoxelSurface grey{
        glm::vec3(0.5F), glm::vec3(0.0F, 1.0F, 0.0F), 1.0F, 0.0F, 0, glm::vec3(0.0F, 1.0F, 0.0F), 0, 0, 0, 0.0F, 0};
    VoxelGrid grid;
    grid.size = glm::uvec3(1U << (2 * levels));
    return buildOctree(grid, blocks, std::vector(count, shared::packAttributes(grey)));
}

void setSurface(Octree& octree, const glm::uvec3& voxel, const shared::VoxelSurface& surface) {
    const shared::OctreeView view = makeView(octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    const shared::GridRay ray = makeGridRay(octree, glm::dvec3(voxel) + 0.5, {1.0, 0.0, 0.0});
    shared::Traversal state{};
    shared::traversalBegin(address, ray.origin, ray.direction, ray.inverse, ray.cell, state);
    std::uint32_t steps = OCTREE_MAX_LEVELS;
    if (shared::traversalRun(address, state, steps) == TRAVERSAL_HIT) {
        const std::uint64_t index =
            attributeBase(octree, state.index) + shared::maskRank(state.mask, shared::traversalBit(state));
        octree.attributes[index] = shared::packAttributes(surface);
    }
}

std::vector<OctreeSample> sampleOctrees() {
    std::vector<OctreeSample> samples;
    const auto add = [&](const char* name, std::uint32_t levels, const std::vector<glm::uvec3>& voxels) {
        samples.push_back({name, octreeOf(levels, voxels), voxels});
    };
    std::mt19937 random(7);
    const auto randomVoxels = [&](std::uint32_t side, std::size_t count) {
        std::uniform_int_distribution<std::uint32_t> coordinate(0, side - 1);
        std::vector<glm::uvec3> voxels(count);
        for (glm::uvec3& v : voxels) {
            v = {coordinate(random), coordinate(random), coordinate(random)};
        }
        return voxels;
    };
    add("random, dense", 2, randomVoxels(16, 400));
    add("random, sparse", 3, randomVoxels(64, 3000));
    add("random, deep", 7, randomVoxels(16384, 20000));
    add("empty", 3, {});
    std::vector<glm::uvec3> all;
    for (std::uint32_t i = 0; i < 4096; ++i) {
        all.emplace_back(i % 16, i / 16 % 16, i / 256);
    }
    add("full", 2, all);
    add("single voxel", 4, {{200, 17, 91}});
    std::vector<glm::uvec3> diagonal;
    for (std::uint32_t i = 0; i < 256; ++i) {
        diagonal.emplace_back(i, i, i);
    }
    add("diagonal line", 4, diagonal);
    return samples;
}

std::vector<shared::GridRay> sampleRays(const OctreeSample& sample, std::size_t count, unsigned seed) {
    const Octree& octree = sample.octree;
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
        switch (rays.size() % 8) {
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
        case 6: // at a solid voxel
            if (!sample.voxels.empty()) {
                direction = glm::dvec3(sample.voxels[random() % sample.voxels.size()]) + 0.5 - point;
            }
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
