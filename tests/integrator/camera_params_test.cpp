#include "integrator/camera_params.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "scene/scene.h"
#include "scene/view.h"

namespace aureole {
namespace {

TEST(CameraParams, RaysGoThroughTheirPixels) {
    Scene scene;
    Camera camera;
    camera.position = {1.0, 2.0, 3.0};
    camera.target = {1.0, 2.0, -7.0}; // along -Z: x to the right, y up
    camera.verticalFov = 90.0;
    scene.cameras = {camera};
    scene.film.width = 200;
    scene.film.height = 100;
    scene.film.filter = PixelFilter::Box;
    scene.film.filterRadius = 0.5;
    const shared::CameraParams params = makeCameraParams(scene, defaultView(scene), Space{});
    const auto address = reinterpret_cast<std::uint64_t>(&params);
    const auto through = [&](glm::uvec2 pixel, glm::vec2 film) {
        const glm::vec3 d = shared::sampleCamera(address, pixel, film, {0.5F, 0.5F}).direction;
        return glm::vec2(d.x, d.y) / -d.z;
    };
    EXPECT_LT(glm::length(through({0, 0}, {0.0F, 0.0F}) - glm::vec2(-2.0F, 1.0F)), 1e-5F);
    EXPECT_LT(glm::length(through({199, 99}, {0.9999999F, 0.9999999F}) - glm::vec2(2.0F, -1.0F)), 1e-5F);
    EXPECT_LT(glm::length(through({100, 50}, {0.0F, 0.0F}) - glm::vec2(0.0F, 0.0F)), 1e-5F);
}

TEST(CameraParams, ThinLensFocusesOnTheTarget) {
    Scene scene;
    Camera camera;
    camera.position = {0.0, 0.0, 5.0};
    camera.target = {0.0, 0.0, 0.0};
    camera.apertureRadius = 0.5;
    scene.cameras = {camera};
    scene.film.filter = PixelFilter::Box;
    scene.film.filterRadius = 0.5;
    scene.film.width = 101;
    scene.film.height = 101;
    const shared::CameraParams params = makeCameraParams(scene, defaultView(scene), Space{});
    const auto address = reinterpret_cast<std::uint64_t>(&params);
    double spread = 0.0;
    for (int i = 0; i < 64; ++i) {
        const glm::vec2 lens((static_cast<float>(i % 8) + 0.5F) / 8.0F, (static_cast<float>(i / 8) + 0.5F) / 8.0F);
        const shared::CameraRay ray = shared::sampleCamera(address, {50, 50}, {0.5F, 0.5F}, lens);
        const glm::vec3 focus = ray.origin + ray.direction * (-ray.origin.z / ray.direction.z);
        const glm::vec3 origin = ray.origin - glm::vec3(0, 0, 5);
        EXPECT_LT(glm::length(focus + glm::vec3(0, 0, 0)), 2e-5F);
        EXPECT_LE(glm::length(origin), 0.5F + 1e-5F);
        spread = std::max(spread, static_cast<double>(glm::length(origin)));
    }
    EXPECT_GT(spread, 0.4);
}

TEST(PixelFilter, SamplesFollowBlackmanHarris) {
    Scene scene;
    scene.cameras = {Camera{}};
    const shared::CameraParams params = makeCameraParams(scene, defaultView(scene), Space{});
    const auto address = reinterpret_cast<std::uint64_t>(&params);
    // Variance of the window on [-1.5, 1.5], by numerical integration.
    double weight = 0.0;
    double square = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const double x = (i + 0.5) / 50000.0 - 1.0;
        const double w =
            0.35875 + 0.48829 * std::cos(kPi * x) + 0.14128 * std::cos(2 * kPi * x) + 0.01168 * std::cos(3 * kPi * x);
        weight += w;
        square += w * x * x * 2.25;
    }
    double mean = 0.0;
    double sampled = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const double x = shared::sampleFilter(address, (static_cast<float>(i) + 0.5F) / 100000.0F);
        mean += x / 100000.0;
        sampled += x * x / 100000.0;
    }
    EXPECT_NEAR(mean, 0.0, 1e-4);
    EXPECT_NEAR(sampled, square / weight, 0.02 * square / weight);
}

} // namespace
} // namespace aureole
