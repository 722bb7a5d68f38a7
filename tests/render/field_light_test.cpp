#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "emissive_palette.h"
#include "field_samples.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "renders.h"
#include "shared/octree/attributes.h"
#include "statistics.h"
#include "voxel/build/build.h"
#include "voxel/build/voxel_material.h"

namespace aureole {
namespace {

class FieldLight : public gpu::GpuTest {
protected:
    static FilmSums render(const Scene& scene, const Octree& octree, std::uint32_t samples) {
        return renderOnDevice(device(), scene, octree, samples);
    }
};

/// Gives every voxel a surface whose normal is that of the field at its middle.
void paint(Octree& octree, float albedo, std::uint32_t emission) {
    const shared::VoxelSurface surface{
        glm::vec3(albedo), glm::vec3(0, 1, 0), 1.0F, 0.0F, emission, glm::vec3(0, 1, 0), 0, 0, 0, 0.0F, 0};
    std::fill(octree.attributes.begin(), octree.attributes.end(), shared::packAttributes(surface));
}

/// A camera that looks at `target` along -direction under a white sky.
Scene skyScene(const glm::dvec3& target, const glm::dvec3& direction, double fov) {
    Scene scene;
    scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
    lookUnderSky(scene, target, 200.0, direction, fov);
    return scene;
}

/// White surfaces under a white sky reflect exactly what they see of it. A plane sees all; the largest grid leaves 9
/// bits within a voxel, the smallest 17.
TEST_F(FieldLight, PlanesDoNotShadeThemselvesAtAnyTilt) {
    double least = 1.0;
    for (const std::uint32_t levels : {3U, 7U}) {
        const glm::dvec3 middle(0.5 * (1U << (2 * levels)) + 0.37);
        for (const glm::dvec3 tilt : {glm::dvec3(1, 0, 0), glm::dvec3(1, 1, 0), glm::dvec3(1, 2, 3),
                                      glm::dvec3(1, 1, 1), glm::dvec3(0.02, 1, 0.01)}) {
            const glm::dvec3 normal = glm::normalize(tilt);
            Octree octree = fieldOf(levels, [&](const glm::dvec3& p) { return glm::dot(p - middle, normal); });
            paint(octree, 1.0F, 0);
            for (const double side : {1.0, -1.0}) {
                SCOPED_TRACE(::testing::Message() << levels << " levels, tilt " << tilt.x << " " << tilt.y << " "
                                                  << tilt.z << ", side " << side);
                Scene scene = skyScene(middle, side * normal, 2.0);
                scene.integrator.lightSampling = LightSampling::Bsdf;
                const double visibility = meanRadiance(render(scene, octree, 32));
                least = std::min(least, visibility);
                EXPECT_GE(visibility, 0.99);
                EXPECT_LE(visibility, 1.0 + 1e-5);
            }
        }
    }
    RecordProperty("least_visibility", std::to_string(least));
}

/// So does a ball, and light sampling sees the same sky.
TEST_F(FieldLight, BallsDoNotShadeThemselves) {
    const glm::dvec3 centre(31.3, 32.1, 30.7);
    for (const double radius : {4.0, 20.0}) {
        Octree octree = fieldOf(3, [&](const glm::dvec3& p) { return glm::distance(p, centre) - radius; });
        paint(octree, 1.0F, 0);
        Scene scene = skyScene(centre, glm::normalize(glm::dvec3(1, 2, 3)), 0.3 * radius);
        for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Mis}) {
            scene.integrator.lightSampling = strategy;
            const double visibility = meanRadiance(render(scene, octree, 128));
            EXPECT_GE(visibility, 0.985) << radius;
            EXPECT_LE(visibility, 1.015) << radius;
        }
    }
}

/// Within a closed surface that emits and reflects, radiance is Le / (1 - rho) everywhere, for every strategy: no ray
/// escapes, and emissive voxels are found by scattered rays and by light sampling in the right shares.
TEST_F(FieldLight, RadianceInAClosedSurfaceIsTheClosedForm) {
    const glm::dvec3 centre(31.3, 32.1, 30.7);
    const auto ball = [&](const glm::dvec3& p) { return glm::distance(p, centre) - 20.0; };
    const auto box = [&](const glm::dvec3& p) {
        const glm::dvec3 q = glm::abs(p - centre);
        return std::max({q.x - 12.0, q.y - 14.0, q.z - 10.0});
    };
    for (const auto& shape : {std::function<double(const glm::dvec3&)>(ball), {box}}) {
        Octree octree = fieldOf(3, shape);
        paint(octree, 0.5F, 1);
        octree.palette = emissivePalette({glm::vec3(0.75F)});
        octree.materialRuns = singleRun(2);
        Scene scene = skyScene(centre, glm::normalize(glm::dvec3(1, 2, 3)), 70.0);
        scene.cameras[0].position = centre + glm::dvec3(3.3, 4.1, -2.2);
        scene.environment = Environment{};
        scene.film.width = 8;
        scene.film.height = 6;
        scene.voxels.normals = VoxelNormals::Face; // those of the field, as they are
        scene.integrator.maxDepth = 0;
        for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Mis, LightSampling::Lights}) {
            scene.integrator.lightSampling = strategy;
            const ZTest test = zTest(render(scene, octree, quickOrFull(384U, 1024U)), 1.5);
            EXPECT_LT(std::abs(test.pictureZ), 3.5)
                << "mean " << test.pictureMean << ", strategy " << static_cast<int>(strategy);
        }
    }
}

/// A small lamp over a bumpy floor, of which some voxels glow too: all strategies estimate the same picture.
TEST_F(FieldLight, StrategiesAgreeInTheMean) {
    const glm::dvec3 lamp(30.2, 40.6, 33.1);
    const auto distance = [&](const glm::dvec3& p) {
        const double floor = 0.9 * (p.y - 24.0 - std::sin(0.7 * p.x) * std::cos(0.5 * p.z));
        return std::min(glm::distance(p, lamp) - 3.0, floor);
    };
    Octree octree = fieldOf(3, distance);
    paint(octree, 0.8F, 0);
    octree.palette = emissivePalette({glm::vec3(6.0F), glm::vec3(2.0F)});
    octree.materialRuns = singleRun(3);
    for (int i = 0; i < 64 * 64 * 64; ++i) {
        const glm::ivec3 voxel(i % 64, i / 64 % 64, i / 4096);
        if (const auto index = attributeIndexAt(octree, voxel)) {
            const std::uint32_t emission = voxel.y > 32 ? 1 : ((voxel.x / 2 + voxel.z / 2) % 5 == 0 ? 2 : 0);
            octree.attributes[*index].shading |= emission << ATTRIBUTE_MATERIAL_SHIFT;
        }
    }
    Scene scene = skyScene({32.0, 26.0, 32.0}, glm::normalize(glm::dvec3(0.3, 1.0, 0.5)), 12.0);
    scene.environment = Environment{};
    scene.integrator.maxDepth = 3;
    std::vector<PictureMean> means;
    for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Bsdf, LightSampling::Lights}) {
        scene.integrator.lightSampling = strategy;
        means.push_back(pictureMean(render(scene, octree, quickOrFull(512U, 1024U))));
    }
    EXPECT_NEAR(means[1].value, means[0].value, 3.5 * (means[1].error + means[0].error));
    EXPECT_NEAR(means[2].value, means[0].value, 3.5 * (means[2].error + means[0].error));
    EXPECT_LT(means[1].error, 0.01 * means[1].value); // or nothing would be told apart
}

} // namespace
} // namespace aureole
