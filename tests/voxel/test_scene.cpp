#include "test_scene.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace aureole::test {

namespace {

template <typename T>
bool sameBytes(const Array<T>& a, const Array<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

} // namespace

Scene sceneOf(const std::vector<std::array<glm::vec3, 3>>& triangles) {
    Scene scene;
    scene.file = "scene.json";
    scene.materials.emplace_back();
    Mesh mesh;
    mesh.name = "soup";
    for (const std::array<glm::vec3, 3>& triangle : triangles) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.insert(mesh.positions.end(), triangle.begin(), triangle.end());
        mesh.triangles.emplace_back(first, first + 1, first + 2);
    }
    scene.meshes.push_back(mesh);
    scene.meshInstances.emplace_back();
    return scene;
}

Scene latticeScene(const glm::ivec3& size, std::vector<LatticeTriangle>& lattice) {
    const glm::ivec3 low(0);
    const glm::ivec3 high = size * 256;
    lattice.push_back({low, low, low});
    lattice.push_back({high, high, high});
    std::vector<std::array<glm::vec3, 3>> triangles;
    for (LatticeTriangle& t : lattice) {
        triangles.push_back({glm::vec3(t[0]) / 256.0F, glm::vec3(t[1]) / 256.0F, glm::vec3(t[2]) / 256.0F});
        for (glm::ivec3& vertex : t) {
            vertex = glm::min(vertex, high - 1);
        }
    }
    return sceneOf(triangles);
}

std::vector<LatticeTriangle> closedSurface(const glm::dvec3& centre, int rings, int sectors,
                                           const std::function<double(const glm::dvec3&)>& radius) {
    const auto vertex = [&](int ring, int sector) {
        const double polar = kPi * ring / rings;
        const double around = 2.0 * kPi * (sector % sectors) / sectors;
        const double ringRadius = ring == 0 || ring == rings ? 0.0 : std::sin(polar);
        const glm::dvec3 direction(ringRadius * std::cos(around), ringRadius * std::sin(around), std::cos(polar));
        return glm::ivec3(glm::round((centre + direction * radius(direction)) * 256.0));
    };
    std::vector<LatticeTriangle> triangles;
    for (int ring = 0; ring < rings; ++ring) {
        for (int sector = 0; sector < sectors; ++sector) {
            if (ring > 0) {
                triangles.push_back({vertex(ring, sector), vertex(ring + 1, sector), vertex(ring, sector + 1)});
            }
            if (ring + 1 < rings) {
                triangles.push_back({vertex(ring, sector + 1), vertex(ring + 1, sector), vertex(ring + 1, sector + 1)});
            }
        }
    }
    return triangles;
}

VoxelSet solidVoxels(const Octree& octree) {
    VoxelSet solid;
    const glm::ivec3 size(octree.grid.size);
    for (int x = -1; x <= size.x; ++x) {
        for (int y = -1; y <= size.y; ++y) {
            for (int z = -1; z <= size.z; ++z) {
                if (isSolid(octree, {x, y, z})) {
                    solid.insert({x, y, z});
                }
            }
        }
    }
    return solid;
}

shared::VoxelSurface surfaceAt(const Octree& octree, const glm::ivec3& voxel) {
    const std::optional<shared::VoxelAttributes> attributes = attributesAt(octree, voxel);
    EXPECT_TRUE(attributes.has_value()) << voxel.x << ' ' << voxel.y << ' ' << voxel.z << " is empty";
    return shared::unpackAttributes(attributes.value_or(shared::VoxelAttributes{}));
}

template <typename T>
Array<T> copied(const Array<T>& values) {
    return std::vector<T>(values.begin(), values.end());
}

Octree copyOf(const Octree& octree) {
    Octree copy;
    copy.grid = octree.grid;
    copy.levels = octree.levels;
    copy.nodes = copied(octree.nodes);
    copy.leaves = copied(octree.leaves);
    copy.surfaces = copied(octree.surfaces);
    copy.leafOffsets = copied(octree.leafOffsets);
    copy.leafGroups = copied(octree.leafGroups);
    copy.dag = copied(octree.dag);
    copy.attributes = copied(octree.attributes);
    copy.slabs = copied(octree.slabs);
    copy.distances = copied(octree.distances);
    copy.leafAverages = copied(octree.leafAverages);
    copy.nodeAverages = copied(octree.nodeAverages);
    copy.leafMaterials = copied(octree.leafMaterials);
    copy.nodeMaterials = copied(octree.nodeMaterials);
    copy.palette = copied(octree.palette);
    copy.materialRuns = copied(octree.materialRuns);
    copy.materials = copied(octree.materials);
    copy.voxels = octree.voxels;
    copy.coverage = octree.coverage;
    copy.encoding = octree.encoding;
    copy.metadata = octree.metadata;
    return copy;
}

bool identical(const Octree& a, const Octree& b) {
    return a.levels == b.levels && a.grid.size == b.grid.size && a.grid.origin == b.grid.origin &&
           sameBytes(a.nodes, b.nodes) && sameBytes(a.leaves, b.leaves) && sameBytes(a.leafAverages, b.leafAverages) &&
           sameBytes(a.nodeAverages, b.nodeAverages) && sameBytes(a.leafMaterials, b.leafMaterials) &&
           sameBytes(a.nodeMaterials, b.nodeMaterials) && sameBytes(a.surfaces, b.surfaces) &&
           sameBytes(a.leafOffsets, b.leafOffsets) && sameBytes(a.leafGroups, b.leafGroups) &&
           sameBytes(a.attributes, b.attributes) && sameBytes(a.distances, b.distances) &&
           sameBytes(a.slabs, b.slabs) && sameBytes(a.dag, b.dag) && a.encoding == b.encoding &&
           sameBytes(a.palette, b.palette) && sameBytes(a.materialRuns, b.materialRuns) &&
           sameBytes(a.materials, b.materials);
}

Scene pinnedScene(float side) {
    const float near = side - 0.1F;
    return sceneOf(
        {{{{0, 0, 0}, {0.1F, 0, 0}, {0, 0.1F, 0}}}, {{{side, side, side}, {near, side, side}, {side, near, side}}}});
}

void addRectangle(Scene& scene, glm::vec3 a, glm::vec3 u, glm::vec3 v, const Material& material) {
    Mesh mesh;
    mesh.name = "rectangle";
    mesh.positions = {a, a + u, a + u + v, a + v};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    mesh.material = static_cast<std::uint32_t>(scene.materials.size());
    scene.materials.push_back(material);
    scene.meshInstances.emplace_back();
    scene.meshInstances.back().mesh = static_cast<std::uint32_t>(scene.meshes.size());
    scene.meshes.push_back(mesh);
}

Caught errorOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return {error.code(), error.what()};
    }
    ADD_FAILURE() << "no error";
    return {};
}

} // namespace aureole::test
