#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

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

class Glass : public gpu::GpuTest {
protected:
    static FilmSums render(const Scene& scene, const Octree& octree, std::uint32_t samples) {
        return renderOnDevice(device(), scene, octree, samples);
    }
};

/// A solid that loses no light is invisible in uniform radiance.
TEST_F(Glass, LosslessSolidsAreInvisibleInAWhiteFurnace) {
    for (const GlassKind& kind : glassKinds()) {
        for (const std::uint32_t resolution : {24U, 100U}) {
            Scene scene = glassScene(ballMesh(48), clearGlass());
            const Octree octree = voxelizeAs(scene, kind, resolution);
            const double mean = meanRadiance(render(scene, octree, furnaceSamples(24)));
            std::cout << "furnace: ball, " << kind.name << ", " << resolution << ": " << mean << '\n';
            EXPECT_NEAR(mean, 1.0, kind.normals == VoxelNormals::Face ? 0.003 : 0.005) << kind.name;
        }
    }
}

/// Nor does a ball lose light whose shading normals are not those of its surface, whatever it is made of: no direction
/// comes to lie on the wrong side of its stairs, and no path arrives there from the wrong side.
TEST_F(Glass, SmoothNormalsLoseNoLightInAWhiteFurnace) {
    struct Kind {
        MaterialModel model;
        float ior;
        float roughness;
        double tolerance;
        float transmission = 1.0F;
        float clearcoat = 0.0F;
    };
    std::vector<Kind> kinds = {{MaterialModel::Dielectric, 4.0F, 1.0F, 0.008},
                               {MaterialModel::Mirror, 1.5F, 0.0F, 1e-3},
                               {MaterialModel::MetallicRoughness, 1.5F, 0.3F, 2e-3},
                               {MaterialModel::MetallicRoughness, 1.5F, 0.0F, 1e-3, 1.0F, 1.0F}};
    if (fullSweep()) {
        kinds.insert(kinds.end(), {{MaterialModel::Dielectric, 1.0F, 0.0F, 1e-4},
                                   {MaterialModel::ThinGlass, 1.5F, 0.5F, 3e-3, 0.5F},
                                   {MaterialModel::ThinGlass, 1.5F, 0.0F, 1e-3},
                                   {MaterialModel::Lambert, 1.5F, 1.0F, 1e-3}});
    }
    for (const Kind& kind : kinds) {
        Scene scene = glassScene(ballMesh(48), clearGlass());
        scene.materials[0].model = kind.model;
        scene.materials[0].ior = kind.ior;
        scene.materials[0].roughness = kind.roughness;
        scene.materials[0].transmission = kind.transmission;
        scene.materials[0].clearcoat = kind.clearcoat;
        scene.materials[0].metalness = kind.model == MaterialModel::MetallicRoughness ? 1.0F : 0.0F;
        scene.integrator.lightSampling = LightSampling::Bsdf; // without noise, where nothing is lost
        const double mean = meanRadiance(render(scene, voxelizeAs(scene, smoothCubes(), 40), furnaceSamples(24)));
        std::cout << "furnace: cubes, model " << static_cast<int>(kind.model) << ", index " << kind.ior << ": " << mean
                  << '\n';
        EXPECT_NEAR(mean, 1.0, kind.tolerance) << static_cast<int>(kind.model) << ' ' << kind.ior;
    }
}

/// Rough surfaces give back what single scattering loses, here by the tables that the device has. Faces of voxels are
/// in planes, so that no normal bends; from the highest index light escapes after some twenty bounces.
TEST_F(Glass, RoughSurfacesAreInvisibleInAWhiteFurnace) {
    for (const MaterialModel model : {MaterialModel::Dielectric, MaterialModel::MetallicRoughness}) {
        Scene scene = glassScene(boxMesh(glm::vec3(-0.7F), glm::vec3(0.8F)), clearGlass());
        scene.materials[0].model = model;
        scene.materials[0].ior = 4.0F;
        scene.materials[0].roughness = 1.0F;
        scene.materials[0].metalness = model == MaterialModel::MetallicRoughness ? 0.5F : 0.0F;
        const FilmSums film = render(scene, voxelizeAs(scene, glassKinds()[0], 16), 64);
        const ZTest test = zTest(film, 1.0);
        const double noise = std::abs((test.pictureMean - 1.0) / test.pictureZ);
        EXPECT_NEAR(test.pictureMean, 1.0, 3.3 * noise + 2e-3);
        EXPECT_LT(noise, 0.01);
    }
}

/// Where a path comes in and where it goes out. Of index 1 it is 2 * 0.25 and the sky behind; a `field` may lose sight
/// of an edge.
TEST_F(Glass, GlowsOnBothSidesOfItsSurface) {
    for (const float roughness : {0.0F, 0.5F}) {
        Scene scene = glassScene(boxMesh(glm::vec3(-0.7F), glm::vec3(0.8F)), clearGlass());
        scene.materials[0].ior = roughness == 0.0F ? 1.0F : 1.2F;
        scene.materials[0].roughness = roughness;
        scene.materials[0].emission = glm::vec3(0.25F);
        scene.cameras[0].verticalFov = 4.0; // nothing but glass
        const double expected = roughness == 0.0F ? 1.5 : meanRadiance(renderReference(scene, 256));
        for (const GlassKind& kind : glassKinds()) {
            const double found = meanRadiance(render(scene, voxelizeAs(scene, kind, 24), furnaceSamples(48)));
            EXPECT_NEAR(found, expected, roughness == 0.0F ? 1e-3 : 0.015) << kind.name << ", roughness " << roughness;
        }
    }
}

/// What differs from triangles falls with the resolution.
TEST_F(Glass, BallsConvergeToTriangles) {
    Scene scene = colouredGlassScene(ballMesh(96));
    const FilmSums expected = renderReference(scene, 64);
    for (const GlassKind& kind : glassKinds()) {
        if (kind.normals == VoxelNormals::Face) {
            continue;
        }
        double before = 0.0;
        for (const std::uint32_t resolution : {32U, 96U, 288U}) {
            const FilmSums film = render(scene, voxelizeAs(scene, kind, resolution), 64);
            double error = 0.0;
            double bias = 0.0;
            double total = 0.0;
            for (std::size_t i = 0; i < film.radiance.size(); ++i) {
                error += std::abs(film.radiance[i] - expected.radiance[i]);
                bias += film.radiance[i] - expected.radiance[i];
                total += expected.radiance[i];
            }
            error /= total;
            if (before > 0.0) {
                EXPECT_LT(error, 1.5 * before) << kind.name; // planes of few voxels are nearly exact
            }
            before = error;
            std::cout << "ball: " << kind.name << ", " << resolution << ": mean error " << error << ", bias "
                      << bias / total << '\n';
        }
        EXPECT_LT(before, 0.03) << kind.name; // noise is 0.005 of it
    }
}

/// Of two films of the same scene: the largest z of a pixel's difference over the limit at a significance of 0.001 for
/// all pixels together, and the z of the means.
struct Difference {
    double worst = 0.0;
    double mean = 0.0;
};

Difference difference(const FilmSums& a, const FilmSums& b) {
    const auto n = static_cast<double>(a.sampleCount());
    Difference result;
    double sum = 0.0;
    double variances = 0.0;
    for (std::size_t i = 0; i < a.radiance.size(); ++i) {
        const double apart = (a.radiance[i] - b.radiance[i]) / n;
        const auto variance = [&](const FilmSums& film) {
            const double mean = film.radiance[i] / n;
            return std::max(film.squared[i] / n - mean * mean, 1e-8) / (n - 1.0);
        };
        const double both = variance(a) + variance(b);
        result.worst = std::max(result.worst, std::abs(apart) / std::sqrt(both));
        sum += apart;
        variances += both;
    }
    result.mean = sum / std::sqrt(3.0 * variances); // channels go together
    return result;
}

/// A block of green glass with an opaque cell in it, a hole through it and a step, on a floor, under a sky and a lamp.
Scene blockScene() {
    Scene scene = glassScene(boxMesh(glm::vec3(0.0F), glm::vec3(1.0F)), clearGlass());
    scene.meshes.clear();
    scene.meshInstances.clear();
    scene.materials[0].absorption = glm::vec3(0.3F, 0.05F, 0.2F);
    scene.materials.resize(3);
    scene.materials[1].albedo = glm::vec3(0.8F, 0.4F, 0.2F);
    scene.materials[2].albedo = glm::vec3(0.5F);
    scene.materials[2].emission = glm::vec3(6.0F);
    VoxelModel model;
    model.name = "block";
    model.size = {16, 12, 12};
    model.cells.assign(16 * 12 * 12, 0);
    model.materials.fill(1);
    model.materials[1] = 0;
    model.materials[2] = 1;
    model.materials[3] = 2;
    for (std::uint32_t i = 0; i < 16 * 12 * 12; ++i) {
        const glm::uvec3 c(i % 16, i / 16 % 12, i / 192);
        const bool inBlock = c.x >= 3 && c.x < 9 && c.z >= 3 && c.z < 9 && c.y >= 1 && c.y < (c.x < 6 ? 7U : 9U);
        const bool isHole = c.x == 7 && c.z == 5;
        const bool isOpaque = c == glm::uvec3(4, 4, 6) || c == glm::uvec3(5, 4, 6);
        const bool isLamp = c.y == 11 && c.x >= 1 && c.x < 4;
        model.cells[i] = c.y == 0 || isOpaque ? 2 : inBlock && !isHole ? 1 : isLamp ? 3 : 0;
    }
    scene.voxelModels = {model};
    scene.voxelInstances.emplace_back();
    scene.voxels.normals = VoxelNormals::Face;
    scene.cameras[0].position = {21.3, 14.1, 25.7};
    scene.cameras[0].target = {5.8, 4.2, 6.1};
    scene.cameras[0].verticalFov = 30.0;
    scene.environment.radiance = glm::vec3(0.5F, 0.6F, 0.9F);
    scene.integrator.maxDepth = 24;
    return scene;
}

/// On the same voxels both backends estimate the same picture.
TEST_F(Glass, BlocksOfVoxelsAreThoseOfTheReference) {
    Scene scene = blockScene();
    const Octree octree = voxelizeScene(scene, 16);
    for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Bsdf}) {
        scene.integrator.lightSampling = strategy;
        scene.integrator.seed = 1;
        const FilmSums gpu = render(scene, octree, 256);
        scene.integrator.seed = 2;
        const Difference found = difference(gpu, renderReference(scene, 256));
        std::cout << "block: worst z " << found.worst << ", z of the mean " << found.mean << '\n';
        EXPECT_LT(found.worst, 5.2); // 768 values at 0.001 need 4.9; means of skewed samples are not quite normal
        EXPECT_LT(std::abs(found.mean), 3.3);
    }
}

/// In a white furnace a lossless block is invisible to the last path, whichever way its faces and steps are passed.
TEST_F(Glass, LosslessBlocksAreInvisibleInAWhiteFurnace) {
    Scene scene = blockScene();
    scene.environment.radiance = glm::vec3(1.0F);
    scene.materials[0].absorption = glm::vec3(0.0F);
    for (std::uint8_t& cell : scene.voxelModels[0].cells) {
        cell = cell == 1 ? 1 : 0;
    }
    scene.integrator.maxDepth = 0;
    const FilmSums film = render(scene, voxelizeScene(scene, 16), furnaceSamples(64));
    EXPECT_NEAR(meanRadiance(film), 1.0, 0.003);
}

/// A pane is one hit, however many voxels thick it stands: of a white sky it shows what it reflects, and the rest once
/// through its tint.
TEST_F(Glass, PanesAreMetOnce) {
    Material pane = clearGlass();
    pane.model = MaterialModel::ThinGlass;
    pane.albedo = glm::vec3(0.25F);
    const double once = 0.04; // at normal incidence, index 1.5
    const double reflected = 2.0 * once / (1.0 + once);
    const double expected = reflected + (1.0 - reflected) * 0.25;
    for (const GlassKind& kind : glassKinds()) {
        for (const float thickness : {0.6F, 1.4F, 2.6F}) {
            if (kind.surface == SurfaceKind::Field && thickness < 1.0F) {
                continue; // between the corners of voxels, which are all outside
            }
            const float half = 0.5F * thickness / 32.0F; // of voxels, on a grid of 64 over 2 metres
            Scene scene = glassScene(boxMesh(glm::vec3(-1.0F, -1.0F, -half), glm::vec3(1.0F, 1.0F, half)), pane);
            scene.cameras[0].position = {0.1, 0.2, 3.0};
            scene.cameras[0].target = {0.1, 0.2, 0.0};
            scene.cameras[0].verticalFov = 2.0;
            const double mean = meanRadiance(render(scene, voxelizeAs(scene, kind, 64), furnaceSamples(64)));
            EXPECT_NEAR(mean, expected, 0.02) << kind.name << ", " << thickness << " voxels";
        }
    }
}

/// Panes that meet in an edge are two, also where a ray comes to the second close behind the first: of a white sky a
/// box of them shows twice what they let through, but for a voxel or so at its edges.
TEST_F(Glass, PanesThatMeetInAnEdgeAreTwo) {
    Material pane = clearGlass();
    pane.model = MaterialModel::ThinGlass;
    pane.ior = 1.0F; // reflects nothing
    pane.albedo = glm::vec3(0.5F);
    constexpr double kVoxel = 1.0 / 32.0;
    for (const GlassKind& kind : glassKinds()) {
        Scene scene = glassScene(boxMesh(glm::vec3(-0.5F), glm::vec3(0.5F)), pane);
        // By rays that fall as fast as they go on, so that they come to the floor less than 4 voxels behind the front.
        const glm::dvec3 middle(0.1, -0.5 + 3.0 * kVoxel, 0.5);
        const glm::dvec3 away(5.0, 20.0, 20.0);
        scene.cameras[0].position = middle + away;
        scene.cameras[0].target = middle;
        scene.cameras[0].verticalFov = glm::degrees(2.0 * std::atan(0.5 * kVoxel / glm::length(away)));
        const double mean = meanRadiance(render(scene, voxelizeAs(scene, kind, 32), 16));
        EXPECT_NEAR(mean, 0.25, 0.001) << kind.name;
    }
}

/// How far behind a pane something is, is told across the pane, whichever face of its stairs was met.
TEST_F(Glass, SlantedPanesAreMetOnce) {
    Material pane = clearGlass();
    pane.model = MaterialModel::ThinGlass;
    pane.ior = 1.0F;
    pane.albedo = glm::vec3(0.5F);
    const float half = 0.7F / 64.0F; // of 1.4 voxels
    Mesh mesh = boxMesh(glm::vec3(-0.7F, -0.7F, -half), glm::vec3(0.7F, 0.7F, half));
    for (glm::vec3& p : mesh.positions) {
        p = {p.x, (p.y - p.z) * std::sqrt(0.5F), (p.y + p.z) * std::sqrt(0.5F)};
    }
    mesh.normals.clear();
    Scene scene = glassScene(mesh, pane);
    scene.cameras[0].position = {0.5, 0.7, 4.0};
    scene.cameras[0].verticalFov = 8.0;
    EXPECT_NEAR(meanRadiance(render(scene, voxelizeAs(scene, glassKinds().front(), 64), 16)), 0.5, 0.001);
}

/// Puts a cube, `half` wide to either side, of material 1 in the middle of the scene, before a camera within.
void addWithin(Scene& scene, float half) {
    scene.cameras[0].position = {0.02, 0.03, 0.8};
    scene.cameras[0].target = {0.02, 0.03, 0.0};
    scene.cameras[0].verticalFov = 2.0;
    scene.meshes.push_back(boxMesh(glm::vec3(-half), glm::vec3(half)));
    scene.meshes[1].material = 1;
    scene.meshInstances.emplace_back().mesh = 1;
    scene.materials.emplace_back();
}

/// A camera in glass sees out of it: in white light what it would see of triangles, and tinted as far as it is from the
/// surface, with the whole glass in its way or the last voxel of it.
TEST_F(Glass, CamerasInGlassSeeOutOfIt) {
    for (const GlassKind& kind : glassKinds()) {
        Scene scene = glassScene(boxMesh(glm::vec3(-1.0F), glm::vec3(1.0F)), clearGlass());
        scene.cameras[0].target = {0.1, 0.2, 3.0};
        scene.cameras[0].verticalFov = 2.0;
        for (const double depth : {1.1, 0.005}) {
            scene.materials[0].ior = 1.5F;
            scene.materials[0].absorption = glm::vec3(0.0F);
            scene.cameras[0].position = {0.1, 0.2, 1.0 - depth};
            const double expected = meanRadiance(renderReference(scene, 64));
            const double clear = meanRadiance(render(scene, voxelizeAs(scene, kind, 48), 64));
            EXPECT_NEAR(clear / expected, 1.0, 0.02) << kind.name << ", " << depth;
            scene.materials[0].ior = 1.001F; // 1 would be a medium, by other kernels
            scene.materials[0].absorption = glm::vec3(1.0F);
            const double tinted = meanRadiance(render(scene, voxelizeAs(scene, kind, 48), 16));
            EXPECT_NEAR(tinted, std::exp(-depth), 0.03) << kind.name << ", " << depth;
        }
    }
}

/// What is opaque in the glass that the camera is in emits through so much of the glass. Its sides lie within voxels:
/// where they lie on voxels' own, a lamp shows a voxel more, and is darker by as much (matchLamps).
TEST_F(Glass, CamerasInGlassSeeLampsInIt) {
    Scene scene = glassScene(boxMesh(glm::vec3(-1.0F), glm::vec3(1.0F)), clearGlass());
    addWithin(scene, 0.49F);
    scene.materials[0].absorption = glm::vec3(2.0F);
    scene.materials[1].albedo = glm::vec3(0.0F);
    scene.materials[1].emission = glm::vec3(2.0F);
    const double expected = 2.0 * std::exp(-2.0 * 0.31);
    EXPECT_NEAR(meanRadiance(renderReference(scene, 16)), expected, 1e-3 * expected);
    for (const GlassKind& kind : glassKinds()) { // of cubes the face is up to a voxel nearer
        const double within = kind.surface == SurfaceKind::Cubes ? 0.08 : 0.05;
        EXPECT_NEAR(meanRadiance(render(scene, voxelizeAs(scene, kind, 64), 16)), expected, within * expected)
            << kind.name;
    }
}

/// Lit from outside, it reflects some of the radiance there, which is more by the square of the index. From the middle
/// of a ball all ways lead out of it, but for what its surface sends back.
TEST_F(Glass, CamerasInGlassSeeWhatIsLitInIt) {
    Scene scene = glassScene(ballMesh(96), clearGlass());
    addWithin(scene, 0.06F);
    scene.materials[1].albedo = glm::vec3(0.1F);
    const double back = 0.04; // at normal incidence
    const double expected = 0.1 * 1.5 * 1.5 * (1.0 - back) / (1.0 - 0.1 * back);
    EXPECT_NEAR(meanRadiance(renderReference(scene, 64)), expected, 0.01 * expected);
    for (const GlassKind& kind : glassKinds()) {
        if (kind.normals == VoxelNormals::Smooth) {
            EXPECT_NEAR(meanRadiance(render(scene, voxelizeAs(scene, kind, 96), 64)), expected, 0.03 * expected)
                << kind.name;
        }
    }
}

/// Equal subtrees that stand once show the same, full nodes and all.
TEST_F(Glass, TreesAndTheirDagsAreTheSame) {
    Scene scene = glassScene(ballMesh(48), clearGlass());
    scene.materials[0].absorption = glm::vec3(0.2F, 0.5F, 1.0F);
    const Octree tree = voxelizeAs(scene, smoothCubes(), 64);
    const FilmSums expected = render(scene, tree, 8);
    const FilmSums found = render(scene, toDag(voxelizeAs(scene, smoothCubes(), 64)), 8);
    EXPECT_EQ(found.radiance, expected.radiance);
}

/// Absorption is by the way through the solid: of a slab one metre deep, seen head-on, e^-1 is left. What has index 1
/// is a medium, by kernels of media, which take a software device 45 s: where time is short it has nearly 1.
TEST_F(Glass, AbsorptionIsByMetres) {
    Material clear = clearGlass();
    clear.absorption = glm::vec3(1.0F);
    const bool isMedium = fullSweep();
    clear.ior = isMedium ? 1.0F : 1.001F;
    for (const GlassKind& kind : glassKinds()) {
        Scene scene = glassScene(boxMesh(glm::vec3(-1.0F, -1.0F, 0.0F), glm::vec3(1.0F, 1.0F, 1.0F)), clear);
        if (isMedium) {
            scene.film.aovs.add(Aov::Depth);
        }
        scene.cameras[0].position = {0.1, 0.2, 40.0};
        scene.cameras[0].target = {0.1, 0.2, 0.0};
        scene.cameras[0].verticalFov = 0.3;
        const double mean = meanRadiance(render(scene, voxelizeAs(scene, kind, 100), 4));
        // Cubes are up to a voxel deeper on either side.
        EXPECT_NEAR(mean, std::exp(-1.0), kind.surface == SurfaceKind::Cubes ? 0.015 : 0.002) << kind.name;
    }
}

} // namespace
} // namespace aureole
