#include "test_scene.h"

#include <cmath>

#include <gtest/gtest.h>

namespace aureole::test {

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
