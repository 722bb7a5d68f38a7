// Mirrors, glass and panes against closed forms.

#include <cmath>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "model/blended_material.h"
#include "render/support/statistics.h"
#include "scenes.h"

namespace aureole {
namespace {

Scene glassScene(const Mesh& mesh, float ior) {
    Scene scene = sceneOf(mesh, 1.0F, 0.0F);
    scene.materials[0].model = MaterialModel::Dielectric;
    scene.materials[0].roughness = 0.0F;
    scene.materials[0].ior = ior;
    scene.environment.radiance = glm::vec3(1.0F);
    lookAtOrigin(scene, {0.5, 0.8, 3.0}, 30.0);
    return scene;
}

void moveFarAway(Scene& scene) {
    const glm::dvec3 away(1000.0, -2000.0, 500.0);
    scene.meshInstances[0].worldFromMesh = glm::translate(glm::dmat4(1.0), away);
    scene.cameras[0].position += away;
    scene.cameras[0].target += away;
}

/// Reflectance of an interface at normal incidence.
double normalReflectance(double ior) {
    return (ior - 1.0) * (ior - 1.0) / ((ior + 1.0) * (ior + 1.0));
}

TEST(SmoothMaterials, MirrorBoxHasTheClosedFormRadiance) {
    for (const float albedo : {0.0F, 0.5F, 0.8F}) {
        Scene scene = sceneOf(boxMesh(glm::vec3(1.0F)), albedo, 0.75F);
        scene.materials[0].model = MaterialModel::Mirror;
        const ZTest test = zTest(render(scene, 512), 0.75 / (1.0 - static_cast<double>(albedo)));
        EXPECT_LT(test.worstPixel, test.pixelLimit) << albedo;
        EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
    }
}

TEST(SmoothMaterials, ClearGlassIsInvisibleInAUniformField) {
    // Whatever enters a box by one of its faces can leave it by this face and the one across. (A sphere of flat facets
    // is another thing: of a high index some of the light stays inside for more reflections than roulette lets live.)
    for (const float ior : {1.0F, 1.1F, 1.5F, 2.4F, 4.0F}) {
        const Scene scene = glassScene(boxMesh({0.6F, 0.7F, 0.5F}), ior);
        // Paths lose nothing: all that differs from 1 are the few that roulette takes after many hits.
        const ZTest test = zTest(render(scene, 1024), 1.0);
        EXPECT_LT(std::abs(test.pictureZ), 3.3) << ior;
        EXPECT_NEAR(test.pictureMean, 1.0, 1e-4) << ior;
    }
}

/// Nor does what is glass for a share of the light only lose any of it.
TEST(SmoothMaterials, PartialGlassIsInvisibleInAUniformField) {
    for (const MaterialModel model : {MaterialModel::Dielectric, MaterialModel::ThinGlass}) {
        Scene scene = glassScene(boxMesh({0.6F, 0.7F, 0.5F}), 1.5F);
        scene.materials[0].model = model;
        scene.materials[0].roughness = 0.5F;
        scene.materials[0].metalness = 0.2F;
        scene.materials[0].transmission = 0.5F;
        const ZTest test = zTest(render(scene, 512), 1.0);
        EXPECT_LT(std::abs(test.pictureMean - 1.0), 0.003) << test.pictureZ;
    }
}

/// Nothing is refracted, so that nothing changes: not even by rounding.
TEST(SmoothMaterials, GlassOfIndexOneIsNotThere) {
    Scene scene = glassScene(sphereMesh(1.0F, 16), 1.0F);
    scene.environment.type = EnvironmentType::Gradient;
    scene.environment.zenith = glm::vec3(4.0F, 0.2F, 0.5F);
    scene.environment.horizon = glm::vec3(0.3F);
    const FilmSums glass = render(scene, 64);
    scene.materials[0].alpha = 0.0F;
    scene.materials[0].alphaMode = AlphaMode::Mask;
    const FilmSums nothing = render(scene, 64);
    for (std::size_t i = 0; i < glass.radiance.size(); ++i) {
        EXPECT_NEAR(glass.radiance[i], nothing.radiance[i], 1e-6 * nothing.radiance[i]);
    }
}

/// A slab of thickness d in a uniform field: what is reflected, and what goes through once, thrice, ...
TEST(SmoothMaterials, SlabsAbsorbByBeersLaw) {
    Scene scene = glassScene(boxMesh({40.0F, 40.0F, 0.25F}), 1.5F);
    scene.materials[0].absorption = {0.0F, 1.0F, 6.0F};
    lookAtOrigin(scene, {0.0, 0.0, 3.0}, 0.5);
    const FilmSums film = render(scene, 4096);
    const double r = normalReflectance(1.5);
    for (std::size_t c = 0; c < 3; ++c) {
        const double once = std::exp(-static_cast<double>(scene.materials[0].absorption[static_cast<int>(c)]) * 0.5);
        const double expected = r + (1.0 - r) * (1.0 - r) * once / (1.0 - r * once);
        EXPECT_NEAR(meanOf(film, c), expected, 0.003) << c;
    }
}

/// The whole of the sphere lies between, whichever way the glass bends what is seen through its middle.
TEST(SmoothMaterials, SpheresAbsorbAlongTheirAxis) {
    Scene scene = glassScene(sphereMesh(1.0F, 400), 1.0F);
    scene.materials[0].absorption = glm::vec3(0.7F);
    lookAtOrigin(scene, {0.0, 0.0, 3.0}, 0.5);
    EXPECT_NEAR(meanOf(render(scene, 64)), std::exp(-1.4), 1e-3);
}

/// A path that leaves glass by a gap in its mesh, unbent, loses no energy: it is outside where it sees the sky.
TEST(SmoothMaterials, GlassWithAGapLosesNoLight) {
    Mesh open = boxMesh({0.6F, 0.7F, 0.5F});
    open.triangles.erase(open.triangles.begin() + 3, open.triangles.begin() + 5);
    for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Bsdf}) {
        Scene scene = glassScene(open, 1.5F);
        scene.materials[0].roughness = 0.3F;
        scene.integrator.lightSampling = strategy;
        const ZTest test = zTest(render(scene, 1024), 1.0);
        EXPECT_LT(std::abs(test.pictureMean - 1.0), 0.003) << test.pictureZ;
    }
}

/// Seen through its missing lid, the first surface of glass is an inner side, and the camera is outside all the same.
TEST(SmoothMaterials, GlassWithoutALidLosesNoLight) {
    const auto isInTheLid = [](const Mesh& mesh, const glm::uvec3& triangle) {
        return mesh.positions[triangle.x].z > 0.0F && mesh.positions[triangle.y].z > 0.0F &&
               mesh.positions[triangle.z].z > 0.0F;
    };
    Mesh open = boxMesh({0.6F, 0.7F, 0.5F});
    std::erase_if(open.triangles, [&](const glm::uvec3& triangle) { return isInTheLid(open, triangle); });
    ASSERT_EQ(open.triangles.size(), 10U);
    Scene scene = glassScene(open, 1.5F);
    EXPECT_NEAR(meanOf(render(scene, 256)), 1.0, 0.003);
    moveFarAway(scene);
    EXPECT_NEAR(meanOf(render(scene, 256)), 1.0, 0.003);
}

/// Radiance is larger by ior^2 inside of glass. The camera's first segment tells it where it is.
TEST(SmoothMaterials, InsideOfGlassRadianceIsLarger) {
    Scene scene = glassScene(sphereMesh(1.0F, 64), 1.5F);
    lookAtOrigin(scene, {0.0, 0.0, 0.1}, 30.0);
    // Near the middle of the sphere light arrives at nearly normal incidence, and all of it leaves.
    const double r = normalReflectance(1.5);
    EXPECT_NEAR(meanOf(render(scene, 2048)), 2.25, 0.01);
    Scene far = scene;
    moveFarAway(far);
    EXPECT_NEAR(meanOf(render(far, 2048)), 2.25, 0.01);
    scene.materials[0].absorption = glm::vec3(1.0F);
    scene.cameras[0].position = {0.0, 0.0, 0.5};
    scene.cameras[0].verticalFov = 0.5;
    // Bounces along the axis: 1.5 to the first wall, 2 to each one after it.
    const double expected = 2.25 * (1.0 - r) * std::exp(-1.5) / (1.0 - r * std::exp(-2.0));
    EXPECT_NEAR(meanOf(render(scene, 2048)), expected, 0.01 * expected);
}

TEST(SmoothMaterials, PanesReflectTheSumOfTheirBounces) {
    Mesh pane;
    pane.positions = {{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}};
    pane.triangles = {{0, 1, 2}, {0, 2, 3}};
    Scene scene = glassScene(pane, 1.5F);
    scene.materials[0].model = MaterialModel::ThinGlass;
    scene.materials[0].albedo = {1.0F, 0.5F, 0.0F};
    const double r = 2.0 * normalReflectance(1.5) / (1.0 + normalReflectance(1.5));
    for (const double side : {3.0, -3.0}) {
        lookAtOrigin(scene, {0.0, 0.0, side}, 0.5);
        const FilmSums film = render(scene, 4096);
        EXPECT_NEAR(meanOf(film, 0), 1.0, 1e-6);
        EXPECT_NEAR(meanOf(film, 1), r + 0.5 * (1.0 - r), 0.003);
        EXPECT_NEAR(meanOf(film, 2), r, 0.003);
    }
}

/// A floor seen through a pane is as bright as its surroundings, whichever strategy finds its light.
TEST(SmoothMaterials, LightGoesThroughClearPanes) {
    Mesh floor;
    floor.positions = {{-50, 0, -50}, {50, 0, -50}, {50, 0, 50}, {-50, 0, 50}};
    floor.triangles = {{0, 2, 1}, {0, 3, 2}};
    Scene scene = sceneOf(floor, 0.6F, 0.0F);
    scene.environment.radiance = glm::vec3(1.0F);
    Mesh pane;
    pane.positions = {{-500, 1, -500}, {500, 1, -500}, {500, 1, 500}, {-500, 1, 500}};
    pane.triangles = floor.triangles;
    pane.material = 1;
    scene.meshes.push_back(pane);
    scene.meshInstances.push_back(MeshInstance{1});
    Material glass;
    glass.model = MaterialModel::ThinGlass;
    glass.albedo = glm::vec3(1.0F);
    scene.materials.push_back(glass);
    lookAtOrigin(scene, {0.0, 0.5, 0.001}, 20.0);
    // In half space under the pane: the floor's own light comes back to it.
    double escaping = 0.0; // share of diffuse light that the pane lets through
    for (int i = 0; i < 100000; ++i) {
        const double cosine = (i + 0.5) / 100000.0;
        const double t = std::sqrt(1.0 - (1.0 - cosine * cosine) / 2.25);
        const double p = (1.5 * cosine - t) / (1.5 * cosine + t);
        const double s = (cosine - 1.5 * t) / (cosine + 1.5 * t);
        const double r = 0.5 * (p * p + s * s);
        escaping += 2.0 * cosine * (1.0 - 2.0 * r / (1.0 + r)) / 100000.0;
    }
    const double expected = 0.6 * escaping / (1.0 - 0.6 * (1.0 - escaping));
    for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Mis}) {
        scene.integrator.lightSampling = strategy;
        EXPECT_NEAR(meanOf(render(scene, 1024)), expected, 0.01) << static_cast<int>(strategy);
    }
}

/// A black sheet of alpha 0.3 takes 0.3 of the light that goes through it, at any angle and whichever strategy finds
/// it.
TEST(SmoothMaterials, BlendedSurfacesTakeWhatTheirAlphaSays) {
    Mesh floor;
    floor.positions = {{-50, 0, -50}, {50, 0, -50}, {50, 0, 50}, {-50, 0, 50}};
    floor.triangles = {{0, 2, 1}, {0, 3, 2}};
    Scene scene = sceneOf(floor, 0.6F, 0.0F);
    scene.environment.radiance = glm::vec3(1.0F);
    Mesh sheet;
    sheet.positions = {{-500, 1, -500}, {500, 1, -500}, {500, 1, 500}, {-500, 1, 500}};
    sheet.triangles = floor.triangles;
    sheet.material = 1;
    scene.meshes.push_back(sheet);
    scene.meshInstances.push_back(MeshInstance{1});
    Material black;
    black.albedo = glm::vec3(0.0F);
    black.alpha = 0.3F;
    black.alphaMode = AlphaMode::Blend;
    blendOver(black, {}, false);
    scene.materials.push_back(black);
    for (const double height : {0.5, 2.0}) { // below the sheet, and above it
        lookAtOrigin(scene, {0.0, height, 0.001}, 20.0);
        const double expected = 0.6 * 0.7 * (height > 1.0 ? 0.7 : 1.0);
        for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Mis}) {
            scene.integrator.lightSampling = strategy;
            EXPECT_NEAR(meanOf(render(scene, 1024)), expected, 0.005) << static_cast<int>(strategy);
        }
    }
}

/// Placing a mesh in a mirror turns the winding of its triangles round, but not its inside out.
TEST(SmoothMaterials, GlassInAMirrorAbsorbsTheSame) {
    Scene scene = sceneOf(sphereMesh(1.0F, 16), 1.0F, 0.0F);
    scene.materials[0].model = MaterialModel::Dielectric;
    scene.materials[0].absorption = glm::vec3(0.5F);
    scene.environment.radiance = glm::vec3(1.0F);
    lookAtOrigin(scene, {0.5, 0.8, 3.0}, 30.0);
    const double upright = meanOf(render(scene, 256));
    scene.meshInstances[0].worldFromMesh[0][0] = -1.0;
    EXPECT_NEAR(meanOf(render(scene, 256)), upright, 0.01);
    EXPECT_LT(upright, 0.9);
}

} // namespace
} // namespace aureole
