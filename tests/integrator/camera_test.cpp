// Cameras: where their rays start and go.

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "integrator/camera_params.h"
#include "scene/scene.h"
#include "scene/view.h"

namespace aureole {
namespace {

class CameraRays : public ::testing::Test {
protected:
    void SetUp() override {
        scene.film.width = 64;
        scene.film.height = 32;
        scene.film.filter = PixelFilter::Box;
        scene.film.filterRadius = 0.5;
        scene.cameras = {Camera{}};
    }

    shared::CameraRay ray(glm::uvec2 pixel, glm::vec2 film = glm::vec2(0.5F), glm::vec2 lens = glm::vec2(0.5F),
                          const Space& space = {}) {
        params = makeCameraParams(scene, defaultView(scene), space);
        return shared::sampleCamera(reinterpret_cast<std::uint64_t>(&params), pixel, film, lens);
    }

    static void expectNear(const glm::vec3& found, const glm::vec3& expected, float tolerance = 1e-5F) {
        EXPECT_LT(glm::length(found - expected), tolerance)
            << found.x << ' ' << found.y << ' ' << found.z << ", expected " << expected.x << ' ' << expected.y << ' '
            << expected.z;
    }

    Scene scene;
    shared::CameraParams params{};
};

TEST_F(CameraRays, OrthographicOnesAreParallelAndAsFarApartAsTheirPixels) {
    Camera& camera = scene.cameras[0];
    camera.projection = Projection::Orthographic;
    camera.position = {3.0, 4.0, 5.0};
    camera.target = {3.0, 4.0, -1.0};
    camera.height = 8.0; // a quarter of a metre for each pixel
    for (const glm::uvec2 pixel : {glm::uvec2(0, 0), glm::uvec2(63, 31), glm::uvec2(17, 20)}) {
        const shared::CameraRay r = ray(pixel);
        expectNear(r.direction, {0, 0, -1});
        expectNear(r.origin, {3.0F + (static_cast<float>(pixel.x) - 31.5F) * 0.25F,
                              4.0F - (static_cast<float>(pixel.y) - 15.5F) * 0.25F, 5.0F});
    }
    // In another space they stand where that takes them.
    const shared::CameraRay scaled = ray({0, 0}, glm::vec2(0.5F), glm::vec2(0.5F), Space{0.125, glm::dvec3(1.5)});
    expectNear(scaled.origin, ray({0, 0}).origin * 0.125F + 1.5F);
    expectNear(scaled.direction, {0, 0, -1});
}

TEST_F(CameraRays, OfAnOrthographicLensMeetInThePlaneOfFocus) {
    Camera& camera = scene.cameras[0];
    camera.projection = Projection::Orthographic;
    camera.apertureRadius = 0.2;
    camera.focusDistance = 3.0;
    const shared::CameraRay a = ray({5, 6}, glm::vec2(0.5F), {0.1F, 0.3F});
    const shared::CameraRay b = ray({5, 6}, glm::vec2(0.5F), {0.9F, 0.6F});
    EXPECT_GT(glm::length(a.origin - b.origin), 0.1F);
    expectNear(a.origin + a.direction * (3.0F / -a.direction.z), b.origin + b.direction * (3.0F / -b.direction.z));
}

TEST_F(CameraRays, OfTheWholeSphereFollowTheEnvironment) {
    Camera& camera = scene.cameras[0];
    camera.projection = Projection::Equirectangular;
    camera.position = {1.0, 2.0, 3.0};
    camera.target = {1.0, 2.0, -4.0};
    std::mt19937 random(1);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    for (int i = 0; i < 200; ++i) {
        const glm::uvec2 pixel(random() % 64, random() % 32);
        const glm::vec2 film(unit(random), unit(random));
        const shared::CameraRay r = ray(pixel, film);
        expectNear(r.origin, {1, 2, 3}, 1e-6F);
        expectNear(r.direction, shared::environmentDirection({(static_cast<float>(pixel.x) + film.x) / 64.0F,
                                                              (static_cast<float>(pixel.y) + film.y) / 32.0F}));
    }
    // The filter's reach beyond the edges is across the seam and the poles.
    scene.film.filterRadius = 2.0;
    expectNear(ray({0, 15}, {0.0F, 0.5F}).direction, ray({63, 15}, {0.25F, 0.5F}).direction);
    expectNear(ray({10, 0}, {0.5F, 0.0F}).direction, ray({42, 0}, {0.5F, 0.75F}).direction);
    // Turned, the middle follows the target.
    camera.target = {9.0, 2.0, 3.0};
    scene.film.filterRadius = 0.5;
    expectNear(ray({32, 16}, {0.0F, 0.0F}).direction, {1, 0, 0});
    expectNear(ray({48, 16}, {0.0F, 0.0F}).direction, {0, 0, 1});
    expectNear(ray({10, 0}, {0.5F, 0.0F}).direction, {0, 1, 0});
}

/// A point off the plane of focus is imaged as the aperture: the rays of one pixel meet a plane at half the focus in a
/// polygon half as large, with its corners where they should be.
TEST_F(CameraRays, BladesShapeTheBokeh) {
    Camera& camera = scene.cameras[0];
    camera.position = {0.0, 0.0, 10.0};
    camera.target = {0.0, 0.0, 0.0};
    camera.apertureRadius = 1.0;
    camera.blades = 6;
    scene.film.width = 65;
    scene.film.height = 33;
    std::mt19937 random(2);
    std::uniform_real_distribution<float> unit(0.0F, 0.9999F);
    for (const double rotation : {0.0, 15.0, -100.0}) {
        camera.bladeRotation = rotation;
        double reach = 0.0;
        double area = 0.0;
        constexpr int kRays = 20000;
        for (int i = 0; i < kRays; ++i) {
            const shared::CameraRay r = ray({32, 16}, glm::vec2(0.5F), {unit(random), unit(random)});
            const glm::vec3 focus = r.origin - r.direction * (r.origin.z / r.direction.z);
            ASSERT_LT(glm::length(focus), 1e-4F);
            const glm::vec3 half = r.origin + r.direction * ((5.0F - r.origin.z) / r.direction.z);
            // From the axis to the middle of the nearest side: cos(30 degrees) of the corners' half metre.
            const double angle = static_cast<double>(std::atan2(half.y, half.x)) - glm::radians(rotation);
            const double sector = std::remainder(angle - kPi / 6.0, kPi / 3.0);
            const double towardsSide = static_cast<double>(std::hypot(half.x, half.y)) * std::cos(sector);
            ASSERT_LT(towardsSide, 0.5 * std::cos(kPi / 6.0) + 1e-5);
            reach = std::max(reach, static_cast<double>(std::hypot(half.x, half.y)));
            // A polygon holds a quarter of its area within half its width.
            area += towardsSide < 0.25 * std::cos(kPi / 6.0) ? 1.0 / kRays : 0.0;
        }
        EXPECT_GT(reach, 0.49);
        EXPECT_NEAR(area, 0.25, 0.015);
    }
}

TEST_F(CameraRays, OfAFrameReplaceTheScenesCamera) {
    View view = defaultView(scene);
    view.frame = 5;
    view.moved = scene.cameras[0];
    view.moved->position = {7.0, 8.0, 9.0};
    const shared::CameraParams moved = makeCameraParams(scene, view, Space{});
    expectNear(moved.position, {7, 8, 9});
    scene.integrator.seed = 0xFFFFFFFF;
    EXPECT_EQ(seedOf(scene, view), 4U);
    EXPECT_EQ(seedOf(scene, defaultView(scene)), 0xFFFFFFFFU);
}

/// Against the filters' own formulas, over the quarters of their width.
TEST_F(CameraRays, SamplesOfTheFilmFollowTheFilter) {
    const auto weight = [](PixelFilter filter, double x) {
        return filter == PixelFilter::Triangle ? 1.0 - std::abs(x) : std::exp(-4.5 * x * x) - std::exp(-4.5);
    };
    for (const PixelFilter filter : {PixelFilter::Triangle, PixelFilter::Gaussian}) {
        scene.film.filter = filter;
        scene.film.filterRadius = 2.0;
        params = makeCameraParams(scene, defaultView(scene), Space{});
        constexpr int kBins = 20;
        std::array<double, kBins> expected{};
        std::array<double, kBins> found{};
        double total = 0.0;
        constexpr int kSteps = 200000;
        for (int i = 0; i < kSteps; ++i) {
            const double x = (i + 0.5) / kSteps * 2.0 - 1.0;
            const double w = weight(filter, x);
            expected[static_cast<std::size_t>((x + 1.0) * 0.5 * kBins)] += w;
            total += w;
            const float at =
                shared::sampleFilter(reinterpret_cast<std::uint64_t>(&params), (static_cast<float>(i) + 0.5F) / kSteps);
            ASSERT_LE(std::abs(at), 2.0F);
            found[static_cast<std::size_t>((at / 2.0F + 1.0F) * 0.5F * kBins)] += 1.0 / kSteps;
        }
        for (std::size_t bin = 0; bin < kBins; ++bin) {
            EXPECT_NEAR(found[bin], expected[bin] / total, 0.002) << static_cast<int>(filter) << ' ' << bin;
        }
    }
}

} // namespace
} // namespace aureole
