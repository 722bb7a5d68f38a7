// Solids of glass with edges, and of different glass that touch or stand in each other.

#include <cmath>
#include <functional>
#include <iostream>
#include <span>
#include <vector>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "full_sweep.h"
#include "glass_scenes.h"
#include "gpu_test/gpu_test.h"
#include "renders.h"
#include "statistics.h"
#include "voxel/build/build.h"
#include "voxel/tree/dag.h"

namespace aureole {
namespace {

class GlassTouching : public gpu::GpuTest {
protected:
    static FilmSums render(const Scene& scene, const Octree& octree, std::uint32_t samples) {
        return renderOnDevice(device(), scene, octree, samples);
    }
};

/// Adds a material of glass to the scene; returns its number.
std::uint32_t addGlass(Scene& scene, float ior) {
    Material material = clearGlass();
    material.ior = ior;
    scene.materials.push_back(material);
    return static_cast<std::uint32_t>(scene.materials.size()) - 1;
}

/// A model of 16 cells a side whose indices are its materials' numbers plus 1.
Scene modelScene(const std::function<std::uint8_t(const glm::uvec3&)>& cellAt) {
    constexpr std::uint32_t kSide = 16;
    Scene scene = glassScene(Mesh{}, clearGlass());
    scene.meshes.clear();
    scene.meshInstances.clear();
    addGlass(scene, 1.33F);
    addGlass(scene, 1.8F);
    VoxelModel model;
    model.name = "glasses";
    model.size = glm::uvec3(kSide);
    model.materials.fill(0);
    for (std::uint32_t i = 0; i < kSide * kSide * kSide; ++i) {
        model.cells.push_back(cellAt({i % kSide, i / kSide % kSide, i / (kSide * kSide)}));
    }
    for (std::uint32_t i = 1; i < 8; ++i) {
        model.materials[i] = i - 1;
    }
    scene.voxelModels = {model};
    scene.voxelInstances.emplace_back();
    scene.voxels.normals = VoxelNormals::Face;
    scene.cameras[0].position = {22.3, 15.1, 25.7};
    scene.cameras[0].target = {5.9, 5.2, 6.1};
    scene.cameras[0].verticalFov = 28.0;
    return scene;
}

bool within(const glm::uvec3& cell, std::uint32_t low, std::uint32_t high) {
    return glm::all(glm::greaterThanEqual(cell, glm::uvec3(low))) && glm::all(glm::lessThan(cell, glm::uvec3(high)));
}

/// Two glasses side by side, with a third in the one and a bubble in the other.
std::uint8_t glassesCell(const glm::uvec3& c) {
    if (!within(c, 2, 10) || c == glm::uvec3(8, 5, 6)) {
        return 0;
    }
    return within(c, 3, 6) ? 3 : c.x < 6 ? 1 : 2;
}

/// A path that goes from one glass to another leaves the first: by every such face it gains and loses the same.
TEST_F(GlassTouching, ModelsLoseNoLightInAWhiteFurnace) {
    for (const VoxelNormals normals : {VoxelNormals::Face, VoxelNormals::Smooth}) {
        Scene scene = modelScene(glassesCell);
        scene.voxels.normals = normals;
        const double mean = meanRadiance(render(scene, voxelizeScene(scene, 16), furnaceSamples(64)));
        std::cout << "furnace: three glasses of a model: " << mean << '\n';
        EXPECT_NEAR(mean, 1.0, normals == VoxelNormals::Face ? 5e-4 : 5e-3);
    }
    const Scene scene = modelScene(glassesCell);
    EXPECT_NEAR(meanRadiance(renderReference(scene, furnaceSamples(64))), 1.0, 5e-4) << "reference";
}

/// The same voxels on both backends: smooth and rough, tinted, with something opaque in the glass, a floor under it and
/// a lamp over it.
TEST_F(GlassTouching, ModelsAreThoseOfTheReference) {
    const auto cellAt = [](const glm::uvec3& c) -> std::uint8_t {
        const bool lamp = c.y == 11 && c.x < 3;
        return c.y == 0 ? 4 : lamp ? 5 : c == glm::uvec3(7, 4, 7) ? 4 : glassesCell(c);
    };
    const std::vector<float> all = {12.0F / 31.0F, 0.0F}; // of the second glass; the others are smooth
    for (const float roughness : std::span(all).first(fullSweep() ? 2 : 1)) {
        Scene scene = modelScene(cellAt);
        scene.environment.radiance = glm::vec3(0.4F, 0.6F, 0.9F);
        scene.integrator.maxDepth = 24;
        scene.materials[0].absorption = glm::vec3(0.2F, 0.05F, 0.0F);
        scene.materials[0].albedo = glm::vec3(0.9F, 1.0F, 0.8F);
        scene.materials[1].absorption = glm::vec3(0.0F, 0.1F, 0.3F);
        scene.materials[1].roughness = roughness; // of the steps that voxels store
        scene.materials[2].albedo = glm::vec3(1.0F, 0.7F, 0.7F);
        scene.materials.resize(5);
        scene.materials[3].albedo = glm::vec3(0.7F, 0.5F, 0.3F);
        scene.materials[4].emission = glm::vec3(4.0F);
        scene.integrator.seed = 1;
        const std::uint32_t samples = quickOrFull(128U, 256U);
        const FilmSums gpu = render(scene, toDag(voxelizeScene(scene, 16)), samples);
        scene.integrator.seed = 2;
        const ZTest test = zTestOfTwo(gpu, renderReference(scene, samples));
        std::cout << "three glasses, roughness " << roughness << ": worst z " << test.worstPixel << ", z of the mean "
                  << test.pictureZ << '\n';
        EXPECT_LT(test.worstPixel, test.pixelLimit + 0.4); // means of skewed samples are not quite normal
        EXPECT_LT(std::abs(test.pictureZ), 3.3);
    }
}

/// Boxes that touch, of two glasses and of one, and a ball in a ball.
TEST_F(GlassTouching, MeshesLoseNoLightInAWhiteFurnace) {
    for (const GlassKind& kind : glassKinds()) {
        for (const bool nested : {false, true}) {
            Scene scene = glassScene(nested ? ballMesh(32) : boxMesh(glm::vec3(-0.8F), glm::vec3(0.0F, 0.8F, 0.8F)),
                                     clearGlass());
            Mesh other = nested ? ballMesh(32) : boxMesh({0.0F, -0.8F, -0.8F}, glm::vec3(0.8F));
            other.material = addGlass(scene, 1.33F);
            scene.meshes.push_back(other);
            scene.meshInstances.push_back({1, glm::scale(glm::dmat4(1.0), glm::dvec3(nested ? 0.5 : 1.0)), kNone});
            const double mean = meanRadiance(render(scene, voxelizeAs(scene, kind, 48), furnaceSamples(48)));
            std::cout << "furnace: " << (nested ? "ball in ball, " : "boxes that touch, ") << kind.name << ": " << mean
                      << '\n';
            EXPECT_NEAR(mean, 1.0, kind.normals == VoxelNormals::Face ? 5e-4 : 6e-3) << kind.name;
        }
    }
}

/// Lamps in place of the sky: the walls of a room.
TEST_F(GlassTouching, MeshesLoseNoLightOfLamps) {
    for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Mis}) {
        Scene scene = glassScene(ballMesh(32), clearGlass());
        Mesh other = ballMesh(32);
        other.material = addGlass(scene, 1.33F);
        scene.meshes.push_back(other);
        scene.meshInstances.push_back({1, glm::scale(glm::dmat4(1.0), glm::dvec3(0.5)), kNone});
        Mesh room = boxMesh(glm::vec3(-5.0F), glm::vec3(5.0F));
        room.material = static_cast<std::uint32_t>(scene.materials.size());
        scene.materials.emplace_back();
        scene.materials.back().albedo = glm::vec3(0.0F);
        scene.materials.back().emission = glm::vec3(1.0F);
        scene.meshes.push_back(room);
        scene.meshInstances.push_back({2, glm::dmat4(1.0), kNone});
        scene.environment.radiance = glm::vec3(0.0F);
        scene.integrator.lightSampling = strategy;
        EXPECT_NEAR(meanRadiance(render(scene, voxelizeAs(scene, glassKinds()[0], 128), furnaceSamples(32))), 1.0,
                    1e-3);
    }
}

/// No plane fits into a voxel at an edge, whose cube is then met in its place.
TEST_F(GlassTouching, EdgesOfPlanesLoseNoLight) {
    for (const VoxelNormals normals : {VoxelNormals::Face, VoxelNormals::Smooth}) {
        for (const double turn : {0.0, 20.0}) {
            for (const float offset : {0.0F, 0.013F}) {
                Scene scene = glassScene(boxMesh(glm::vec3(-0.75F + offset), glm::vec3(0.75F + offset)), clearGlass());
                scene.meshInstances[0].worldFromMesh =
                    glm::rotate(glm::dmat4(1.0), glm::radians(turn), glm::dvec3(0.6, 0.8, 0.0));
                const GlassKind planes = {"planes", SurfaceKind::Planes, normals};
                const double mean = meanRadiance(render(scene, voxelizeAs(scene, planes, 24), furnaceSamples(48)));
                EXPECT_NEAR(mean, 1.0, 1e-3) << "turned " << turn << ", moved " << offset;
            }
        }
    }
}

/// Edges of planes refract as those of triangles do, but for where they are: of a box in line with the grid, nowhere
/// else.
TEST_F(GlassTouching, BoxesOfPlanesAreThoseOfTriangles) {
    Scene scene = colouredGlassScene(boxMesh(glm::vec3(-0.75F), glm::vec3(0.75F)));
    const FilmSums expected = renderReference(scene, 256);
    const Octree octree = voxelizeAs(scene, {"planes", SurfaceKind::Planes, VoxelNormals::Smooth}, 32);
    const FilmSums film = render(scene, octree, 256);
    EXPECT_NEAR(meanRadiance(film) / meanRadiance(expected), 1.0, 5e-3);
}

/// A ball of glass that stands on a white table, just above it or sunk into it, in white light: where the two share
/// voxels, these are the table's, and no light goes on through the glass into what is below.
TEST_F(GlassTouching, GlassOnATableLosesNoLight) {
    for (const GlassKind& kind : glassKinds()) {
        for (const double height : {0.51, 0.5, 0.46}) {
            Scene scene = glassScene(ballMesh(48), clearGlass());
            scene.meshInstances[0].worldFromMesh =
                glm::scale(glm::translate(glm::dmat4(1.0), glm::dvec3(0.0, height, 0.0)), glm::dvec3(0.5));
            Material white;
            white.albedo = glm::vec3(1.0F);
            scene.materials.push_back(white);
            scene.meshes.push_back(boxMesh({-1.5F, -0.2F, -1.5F}, {1.5F, 0.0F, 1.5F}));
            scene.meshes.back().material = 1;
            scene.meshInstances.emplace_back();
            scene.meshInstances.back().mesh = 1;
            scene.cameras[0].position = {0.3, 4.0, 0.5};
            scene.cameras[0].target = {0.0, 0.0, 0.0};
            scene.cameras[0].verticalFov = 10.0;
            const double mean = meanRadiance(render(scene, voxelizeAs(scene, kind, 64), furnaceSamples(32)));
            std::cout << "on a table: " << kind.name << ", " << height << ": " << mean << '\n';
            EXPECT_NEAR(mean, 1.0, 0.015) << kind.name << ", " << height;
        }
    }
}

} // namespace
} // namespace aureole
