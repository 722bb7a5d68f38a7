#include "octree_samples.h"

#include <algorithm>
#include <map>

#include "voxel/build/build.h"

namespace aureole {

namespace {

/// Nodes stand in this order.
std::uint64_t blockCode(glm::uvec3 p) {
    std::uint64_t code = 0;
    for (std::uint32_t side = 1U << 18U; side > 0; side /= 4) {
        code = 64 * code + p.z / side % 4 * 16 + p.y / side % 4 * 4 + p.x / side % 4;
    }
    return code;
}

} // namespace

Octree octreeOf(std::uint32_t levels, const std::vector<glm::uvec3>& voxels) {
    std::map<std::uint64_t, std::uint64_t> masks;
    for (const glm::uvec3& v : voxels) {
        masks[blockCode(v / 4U)] |= std::uint64_t{1} << shared::cellBit(v.x, v.y, v.z);
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
            attributeBase(*findTree(octree), state.index) + shared::maskRank(state.mask, shared::traversalBit(state));
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

namespace {

/// Draws lines through an octree, in voxels: of eight kinds by turns.
class LineSource {
public:
    LineSource(const OctreeSample& sample, unsigned seed)
        : sample_(sample)
        , random_(seed)
        , side_(1U << (2 * sample.octree.levels)) {}

    /// Returns whether the point lies outside; the direction may be 0.
    bool draw(std::size_t kind, glm::dvec3& point, glm::dvec3& direction) {
        point = anyPoint();
        direction = anyDirection();
        switch (kind % 8) {
        case 0: // from inside, anywhere
            break;
        case 1: // from outside and far away
            point = side_ * 0.5 + side_ * (kind % 2 == 0 ? 1.5 : 100.0) * glm::normalize(anyDirection());
            direction = anyPoint() - point;
            return true;
        case 2: // along an axis
            direction = anyAxis();
            break;
        case 3: // along an axis, on the edges of cells
            point = glm::floor(point);
            direction = anyAxis();
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
            if (!sample_.voxels.empty()) {
                direction = glm::dvec3(sample_.voxels[random_() % sample_.voxels.size()]) + 0.5 - point;
            }
            break;
        default: // in planes between cells
            point[axis_(random_)] = std::floor(point[axis_(random_)]);
            direction[axis_(random_)] = 0.0;
            break;
        }
        return false;
    }

private:
    glm::dvec3 anyDirection() { return glm::dvec3(normal_(random_), normal_(random_), normal_(random_)); }
    glm::dvec3 anyPoint() { return side_ * glm::dvec3(unit_(random_), unit_(random_), unit_(random_)); }
    glm::dvec3 anyAxis() {
        glm::dvec3 direction(0.0);
        direction[axis_(random_)] = unit_(random_) < 0.5 ? -1.0 : 1.0;
        return direction;
    }

    const OctreeSample& sample_;
    std::mt19937 random_;
    double side_;
    std::uniform_real_distribution<double> unit_{0.0, 1.0};
    std::normal_distribution<double> normal_;
    std::uniform_int_distribution<int> axis_{0, 2};
};

} // namespace

Octree mergedPlanes(std::uint32_t resolution) {
    Scene scene;
    scene.materials.emplace_back();
    Mesh mesh;
    mesh.positions = {{0.0F, 0.3F, 0.1F}, {1.0F, 0.4F, 0.0F}, {0.9F, 0.5F, 1.0F}, {-0.1F, 0.4F, 1.1F},
                      {0.5F, 0.6F, 0.5F}, {0.6F, 0.9F, 0.5F}, {0.5F, 0.7F, 0.8F}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}};
    scene.meshes = {mesh};
    scene.meshInstances.emplace_back();
    VoxelizeOptions options;
    options.resolution = resolution;
    options.surface = SurfaceKind::Planes;
    return voxelizeScene(scene, options);
}

std::vector<shared::GridRay> sampleRays(const OctreeSample& sample, std::size_t count, unsigned seed) {
    LineSource lines(sample, seed);
    std::vector<shared::GridRay> rays;
    while (rays.size() < count) {
        glm::dvec3 point;
        glm::dvec3 direction;
        const bool outside = lines.draw(rays.size(), point, direction);
        if (direction == glm::dvec3(0.0)) {
            continue;
        }
        shared::GridRay ray = makeGridRay(sample.octree, point, direction);
        if (outside) {
            float travelled = 0.0F;
            std::uint32_t entered = 0;
            if (shared::clipToBox(glm::vec3(1.0F), glm::vec3(2.0F), ray.origin, ray.direction, ray.inverse, travelled,
                                  entered) == 0) {
                continue;
            }
            ray.cell = shared::gridCell(ray.origin, sample.octree.levels);
        }
        rays.push_back(ray);
    }
    return rays;
}

} // namespace aureole
