#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "glass_scenes.h"
#include "gpu_test/gpu_test.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

/// Pictures under a directional light that grazes what they show, pixel by pixel against the triangles'.
class Grazing : public gpu::GpuTest {};

constexpr std::uint32_t kPictureSide = 96;

/// A body askew to all axes and nothing else, of one diffuse bounce, under a light 5 degrees over the plane that was
/// horizontal before it was turned.
Scene litScene(const Mesh& mesh, double fov) {
    Scene scene;
    scene.file = "scene.json";
    scene.materials.resize(1);
    scene.materials[0].albedo = glm::vec3(0.8F);
    scene.meshes = {mesh};
    scene.meshInstances.emplace_back();
    const glm::dmat3 turn = glm::mat3_cast(glm::dquat(glm::radians(glm::dvec3(30, 40, 10))));
    scene.meshInstances[0].worldFromMesh = glm::dmat4(turn);
    const double low = glm::radians(5.0);
    const double around = glm::radians(35.0);
    PunctualLight light;
    light.type = LightType::Directional;
    light.direction =
        -(turn * glm::dvec3(std::cos(low) * std::cos(around), std::sin(low), std::cos(low) * std::sin(around)));
    scene.lights = {light};
    Camera camera;
    camera.position = turn * glm::dvec3(3.1, 5.2, 3.7);
    camera.up = turn * glm::dvec3(0, 1, 0);
    camera.verticalFov = fov;
    scene.cameras = {camera};
    scene.film.width = kPictureSide;
    scene.film.height = kPictureSide;
    scene.film.filter = PixelFilter::Box;
    scene.film.filterRadius = 0.5;
    scene.integrator.maxDepth = 2;
    return scene;
}

struct Compared {
    std::size_t lit = 0;   ///< pixels that are lit on the triangles
    std::size_t dark = 0;  ///< of these, with no light at all
    std::size_t wrong = 0; ///< with less than half
    double error = 0.0;    ///< root of the mean square over the mean
    double uneven = 0.0;   ///< root of the mean square of relative errors, where the light is not too faint and neither
                           ///< backend sees an edge or a shadow that the other does not
};

/// One sample a pixel, the same for both, so that each pixel is one point of the surface.
Compared compare(const gpu::Device& device, const Scene& scene, const FilmSums& expected, SurfaceKind surface,
                 std::uint32_t resolution) {
    VoxelizeOptions options;
    options.resolution = resolution;
    options.surface = surface;
    const FilmSums found = renderOnDevice(device, scene, voxelizeScene(scene, options), 1);
    Compared result;
    double sum = 0.0;
    double squares = 0.0;
    double relativeSquares = 0.0;
    std::size_t smooth = 0;
    const double brightest = *std::max_element(expected.radiance.begin(), expected.radiance.end());
    for (std::size_t i = 0; i < found.radiance.size(); i += 3) {
        const double want = expected.radiance[i];
        const double have = found.radiance[i];
        result.lit += want > 0.0 ? 1 : 0;
        result.dark += want > 0.0 && have == 0.0 ? 1 : 0;
        result.wrong += want > 0.0 && have < 0.5 * want ? 1 : 0;
        sum += want;
        squares += (have - want) * (have - want);
        const double relative = (have - want) / std::max(want, 1e-9);
        if (want > 0.05 * brightest && std::abs(relative) < 0.5) {
            relativeSquares += relative * relative;
            ++smooth;
        }
    }
    result.uneven = std::sqrt(relativeSquares / static_cast<double>(smooth));
    const double pixels = static_cast<double>(found.radiance.size()) / 3.0;
    result.error = std::sqrt(squares / pixels) / (sum / pixels);
    return result;
}

/// What a surface may have at most, at 64 and at 256 voxels a side: shares of the lit pixels in thousandths.
struct Limits {
    SurfaceKind surface;
    std::array<double, 2> dark;
    std::array<double, 2> wrong;
};

void expectWithin(const gpu::Device& device, const Scene& scene, const Limits& limits, const char* what) {
    const FilmSums expected = renderReference(scene, 1);
    for (std::size_t i = 0; i < (fullSweep() ? 2U : 1U); ++i) {
        const std::uint32_t resolution = i == 0 ? 64 : 256;
        const Compared found = compare(device, scene, expected, limits.surface, resolution);
        const auto share = [&](std::size_t count) {
            return 1000.0 * static_cast<double>(count) / static_cast<double>(found.lit);
        };
        std::cout << what << " of " << surfaceKindNames()[static_cast<std::size_t>(limits.surface)] << ", "
                  << resolution << ": " << found.lit << " lit, " << found.dark << " dark, " << found.wrong
                  << " with less than half, error " << found.error << '\n';
        EXPECT_GT(found.lit, 4000U);
        EXPECT_LE(share(found.dark), limits.dark.at(i)) << what << ' ' << resolution;
        EXPECT_LE(share(found.wrong), limits.wrong.at(i)) << what << ' ' << resolution;
    }
}

/// Edges in the light, whose voxels neither shade the faces beside them nor are dark themselves.
TEST_F(Grazing, LitFacesOfABoxAreLitToTheirEdges) {
    const Scene scene = litScene(boxMesh(glm::vec3(-1.0F), glm::vec3(1.0F)), 26.0);
    for (const Limits& limits :
         {Limits{SurfaceKind::Cubes, {4, 1}, {12, 3}}, Limits{SurfaceKind::Planes, {15, 4}, {23, 6}},
          Limits{SurfaceKind::Field, {28, 8}, {32, 9}}}) {
        expectWithin(device(), scene, limits, "box");
    }
}

/// Where the light leaves a ball.
TEST_F(Grazing, ABallIsLitToItsTerminator) {
    const Scene scene = litScene(ballMesh(96), 18.0);
    for (const Limits& limits :
         {Limits{SurfaceKind::Cubes, {1, 2}, {2, 2}}, Limits{SurfaceKind::Planes, {12, 8}, {14, 9}},
          Limits{SurfaceKind::Field, {4, 2}, {5, 3}}}) {
        expectWithin(device(), scene, limits, "ball");
    }
}

/// Shading without stripes and without specks: cells of planes, be they voxels or many of them, must not show as
/// facets, nor may cubes shade themselves where a ring is hollow along the light.
TEST_F(Grazing, CurvedSurfacesAreShadedSmoothly) {
    struct Most {
        SurfaceKind surface;
        std::array<double, 2> ball; ///< at 64 and at 128 voxels
        std::array<double, 2> ring;
        std::array<double, 2> wrong; ///< of the ring, in thousandths of the lit pixels
    };
    const Scene ball = litScene(ballMesh(96), 18.0);
    const Scene ring = litScene(ringMesh(), 18.0);
    for (const Most& most : {Most{SurfaceKind::Cubes, {0.09, 0.065}, {0.12, 0.09}, {25, 20}},
                             Most{SurfaceKind::Planes, {0.012, 0.006}, {0.008, 0.018}, {15, 16}},
                             Most{SurfaceKind::Field, {0.035, 0.02}, {0.08, 0.055}, {14, 9}}}) {
        for (const bool isRing : {false, true}) {
            const Scene& scene = isRing ? ring : ball;
            const FilmSums expected = renderReference(scene, 1);
            for (const std::size_t i : {0U, 1U}) {
                const Compared found = compare(device(), scene, expected, most.surface, i == 0 ? 64 : 128);
                std::cout << (isRing ? "ring" : "ball") << " of "
                          << surfaceKindNames()[static_cast<std::size_t>(most.surface)] << ", " << (i == 0 ? 64 : 128)
                          << ": uneven by " << found.uneven << ", " << found.wrong << " with less than half of "
                          << found.lit << '\n';
                EXPECT_LE(found.uneven, (isRing ? most.ring : most.ball).at(i));
                if (isRing) {
                    EXPECT_LE(1000.0 * static_cast<double>(found.wrong), most.wrong.at(i) * double(found.lit));
                }
            }
        }
    }
}

/// A rectangle under a light from 1 degree on: lit all over, at any distance from its borders.
TEST_F(Grazing, APlaneIsLitHoweverLowTheLight) {
    Mesh mesh = boxMesh(glm::vec3(-1.0F), glm::vec3(1.0F));
    mesh.triangles = {{2, 6, 7}, {2, 7, 3}}; // the top
    Scene scene = litScene(mesh, 26.0);
    const glm::dvec3 up = scene.cameras[0].up;
    const glm::dvec3 along = glm::normalize(-scene.lights[0].direction - up * glm::dot(-scene.lights[0].direction, up));
    for (const double degrees : {1.0, 20.0}) {
        const double low = glm::radians(degrees);
        scene.lights[0].direction = -(along * std::cos(low) + up * std::sin(low));
        const FilmSums expected = renderReference(scene, 1);
        for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) { // a field is of closed meshes
            for (const std::uint32_t resolution : {64U, 256U}) {
                const Compared found = compare(device(), scene, expected, surface, resolution);
                EXPECT_GT(found.lit, 2000U);
                EXPECT_EQ(found.wrong, 0U) << resolution << ", " << degrees << " degrees";
            }
        }
    }
}

} // namespace
} // namespace aureole
