// Lengths far below and far above a metre: thin films, far lamps, scenes far from the world's origin.

#include <cmath>

#include <gtest/gtest.h>

#include "render/support/statistics.h"
#include "scenes.h"

namespace aureole {
namespace {

/// A box of glass across the line of sight along z, its middle at `middle`.
Scene filmScene(float thickness, const glm::dvec3& middle) {
    Scene scene = sceneOf(boxMesh({0.4F, 0.4F, 0.5F * thickness}), 1.0F, 0.0F);
    scene.meshInstances[0].worldFromMesh = glm::translate(glm::dmat4(1.0), middle);
    scene.materials[0].model = MaterialModel::Dielectric;
    scene.materials[0].roughness = 0.0F;
    scene.materials[0].ior = 1.5F;
    scene.environment.radiance = glm::vec3(1.0F);
    scene.cameras[0].position = middle + glm::dvec3(0.0, 0.0, 1.0);
    scene.cameras[0].target = middle;
    scene.cameras[0].verticalFov = 0.5;
    return scene;
}

/// What is reflected, and what goes through once, thrice, ...: the same for every thickness of the same optical depth.
TEST(Precision, ThinFilmsAbsorbByBeersLaw) {
    const double r = 0.04;
    const double once = std::exp(-1.0);
    const double expected = r + (1.0 - r) * (1.0 - r) * once / (1.0 - r * once);
    for (const double z : {0.0, 0.037, -0.3, 0.3}) { // some of it at the world's origin, some beside it
        for (const float thickness : {1e-3F, 1e-4F, 1e-5F, 1e-6F}) {
            Scene scene = filmScene(thickness, {0.1, -0.2, z});
            scene.materials[0].absorption = glm::vec3(1.0F / thickness);
            EXPECT_NEAR(meanOf(render(scene, 512)), expected, 0.008) << z << ' ' << thickness;
        }
    }
}

/// A floor of albedo 1/2 at the origin, seen from near by.
Scene floorForLamps() {
    Scene scene = sceneOf(boxMesh({2.0F, 0.01F, 2.0F}), 0.5F, 0.0F);
    scene.materials.resize(3);
    scene.materials[1].albedo = scene.materials[2].albedo = glm::vec3(0.0F);
    lookAtOrigin(scene, {0.0, 1.0, 0.5}, 10.0);
    scene.integrator.maxDepth = 2;
    return scene;
}

void place(Scene& scene, const Mesh& mesh, std::uint32_t material, const glm::dvec3& position) {
    scene.meshes.push_back(mesh);
    scene.meshInstances.push_back(
        {static_cast<std::uint32_t>(scene.meshes.size() - 1), glm::translate(glm::dmat4(1.0), position), material});
}

/// Lamps of 2 mm, 20 m and 200 m away: what they give, and that a plate closer to them than their size takes it all.
TEST(Precision, FarLampsAreBlockedByWhatIsBeforeThem) {
    const float half = 1e-3F;
    for (const double height : {20.0, 200.0}) {
        for (const bool isPoint : {false, true}) {
            Scene scene = floorForLamps();
            const glm::dvec3 way = glm::normalize(glm::dvec3(0.3, 1.0, -0.2));
            const glm::dvec3 lamp = height * way;
            // Where the floor's albedo is 1/2, its radiance is a fifth of this over pi.
            const double irradiance = 0.4 * kPi;
            if (isPoint) {
                PunctualLight light;
                light.position = lamp;
                light.intensity = glm::dvec3(irradiance * height * height / way.y);
                scene.lights = {light};
            } else {
                place(scene, sphereMesh(half, 8), 1, lamp);
                // The cross section of a sphere of facets: a quarter of its area.
                const double area = 0.25 * [&] {
                    double sum = 0.0;
                    for (const glm::uvec3& t : scene.meshes.back().triangles) {
                        const auto& p = scene.meshes.back().positions;
                        const glm::dvec3 a = p[t.x];
                        sum += 0.5 * glm::length(glm::cross(glm::dvec3(p[t.y]) - a, glm::dvec3(p[t.z]) - a));
                    }
                    return sum;
                }();
                scene.materials[1].emission = glm::dvec3(irradiance * height * height / way.y / area);
                scene.integrator.lightSampling = LightSampling::Lights;
            }
            EXPECT_NEAR(meanOf(render(scene, 256)), 0.2, 0.01) << height << ' ' << isPoint;
            place(scene, boxMesh({0.1F, 1e-4F, 0.1F}), 2, lamp - glm::dvec3(0.0, 1.5 * half, 0.0));
            EXPECT_EQ(meanOf(render(scene, 64)), 0.0) << height << ' ' << isPoint;
        }
    }
}

/// Clear glass in a uniform field cannot be seen, wherever the scene is.
TEST(Precision, FarFromTheOriginNothingChanges) {
    for (const double far : {0.0, 1e5, -1e7}) {
        Scene scene = sceneOf(sphereMesh(1.0F, 64), 1.0F, 0.0F);
        scene.materials[0].model = MaterialModel::Dielectric;
        scene.materials[0].roughness = 0.0F;
        scene.environment.radiance = glm::vec3(1.0F);
        const glm::dvec3 middle(far, 0.7 * far, -0.9 * far);
        scene.meshInstances[0].worldFromMesh = glm::translate(glm::dmat4(1.0), middle);
        scene.cameras[0].position = middle + glm::dvec3(0.5, 0.8, 3.0);
        scene.cameras[0].target = middle;
        scene.cameras[0].verticalFov = 30.0;
        const FilmSums film = render(scene, 256);
        EXPECT_NEAR(meanOf(film), 1.0, 0.01) << far;
    }
}

/// Glass that stands on a white floor, or leans on other glass, without a gap: it cannot be seen either, as light
/// leaves the one before it comes to the other.
TEST(Precision, SolidsThatTouchLoseNoLight) {
    for (const double height : {0.0, 0.3}) {
        for (const double turn : {0.0, 17.0}) {
            Scene scene = sceneOf(boxMesh({3.0F, 0.5F, 3.0F}), 1.0F, 0.0F);
            scene.meshInstances[0].worldFromMesh[3] = glm::dvec4(0.0, height - 0.5, 0.0, 1.0);
            scene.materials.resize(2);
            scene.materials[1].model = MaterialModel::Dielectric;
            scene.materials[1].albedo = glm::vec3(1.0F);
            scene.materials[1].roughness = 0.0F;
            place(scene, boxMesh(glm::vec3(0.5F)), 1, {0.0, height + 0.5, 0.0});
            place(scene, boxMesh(glm::vec3(0.25F)), 1, {0.75, height + 0.25, 0.0});
            for (std::size_t i = 0; i < 3; ++i) {
                scene.meshInstances[i].worldFromMesh =
                    glm::rotate(glm::dmat4(1.0), glm::radians(turn), glm::dvec3(0.0, 1.0, 0.0)) *
                    scene.meshInstances[i].worldFromMesh;
            }
            scene.environment.radiance = glm::vec3(1.0F);
            lookAtOrigin(scene, {2.5, 2.0, 3.0}, 30.0);
            const ZTest test = zTest(render(scene, 2048), 1.0);
            EXPECT_LT(std::abs(test.pictureMean - 1.0), 0.003) << height << ' ' << turn << ": z " << test.pictureZ;
        }
    }
}

} // namespace
} // namespace aureole
