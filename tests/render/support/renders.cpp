#include "renders.h"
#include "full_sweep.h"

#include <cmath>

#include <gtest/gtest.h>

#include "render/path_tracer.h"

namespace aureole {

Mesh ballMesh(int rings) {
    Mesh mesh;
    const int sectors = 2 * rings;
    for (int i = 0; i <= rings; ++i) {
        for (int k = 0; k < sectors; ++k) {
            const double a = kPi * i / rings;
            const double b = 2.0 * kPi * k / sectors;
            mesh.positions.emplace_back(std::sin(a) * std::cos(b), std::cos(a), std::sin(a) * std::sin(b));
        }
    }
    for (int k = 0; k < sectors; ++k) { // the poles are one point each
        const auto pole = static_cast<std::size_t>(k);
        mesh.positions[pole] = {0.0F, 1.0F, 0.0F};
        mesh.positions[mesh.positions.size() - 1 - pole] = {0.0F, -1.0F, 0.0F};
    }
    const auto at = [&](int i, int k) { return static_cast<std::uint32_t>(i * sectors + k % sectors); };
    for (int i = 0; i < rings; ++i) {
        for (int k = 0; k < sectors; ++k) {
            if (i + 1 < rings) {
                mesh.triangles.emplace_back(at(i, k), at(i + 1, k + 1), at(i + 1, k));
            }
            if (i > 0) {
                mesh.triangles.emplace_back(at(i, k), at(i, k + 1), at(i + 1, k + 1));
            }
        }
    }
    mesh.normals = mesh.positions;
    return mesh;
}

Mesh ringMesh() {
    constexpr std::uint32_t kAround = 128;
    constexpr std::uint32_t kAcross = 64;
    Mesh mesh;
    for (std::uint32_t i = 0; i < kAround; ++i) {
        for (std::uint32_t k = 0; k < kAcross; ++k) {
            const double a = 2.0 * kPi * i / kAround;
            const double b = 2.0 * kPi * k / kAcross;
            const glm::dvec3 out(std::cos(a), 0.0, std::sin(a));
            const glm::dvec3 normal = out * std::cos(b) + glm::dvec3(0.0, std::sin(b), 0.0);
            mesh.positions.emplace_back(out * 0.7 + normal * 0.3);
            mesh.normals.emplace_back(normal);
        }
    }
    const auto at = [&](std::uint32_t i, std::uint32_t k) { return i % kAround * kAcross + k % kAcross; };
    for (std::uint32_t i = 0; i < kAround; ++i) {
        for (std::uint32_t k = 0; k < kAcross; ++k) {
            mesh.triangles.emplace_back(at(i, k), at(i, k + 1), at(i + 1, k + 1));
            mesh.triangles.emplace_back(at(i, k), at(i + 1, k + 1), at(i + 1, k));
        }
    }
    return mesh;
}

Mesh boxMesh(const glm::vec3& low, const glm::vec3& high) {
    Mesh mesh;
    for (std::uint32_t i = 0; i < 8; ++i) {
        mesh.positions.emplace_back((i & 1U) != 0 ? high.x : low.x, (i & 2U) != 0 ? high.y : low.y,
                                    (i & 4U) != 0 ? high.z : low.z);
    }
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

void lookUnderSky(Scene& scene, const glm::dvec3& target, double distance, const glm::dvec3& direction, double fov) {
    Camera camera;
    camera.position = target + distance * direction;
    camera.target = target;
    camera.up = std::abs(direction.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 0, 0);
    camera.verticalFov = fov;
    scene.cameras = {camera};
    scene.environment.radiance = glm::vec3(1.0F);
    scene.film.width = 16;
    scene.film.height = 16;
    scene.integrator.maxDepth = 2;
}

std::uint32_t furnaceSamples(std::uint32_t full) {
    return fullSweep() ? full : (full + 2) / 3;
}

FilmSums renderOnDevice(const gpu::Device& device, const Scene& scene, const Octree& octree, std::uint32_t samples) {
    const DeviceScene onDevice(device, scene, octree);
    PathTracer tracer(device, onDevice, defaultView(scene));
    tracer.render(0, samples, [](double) { return true; });
    return tracer.film();
}

void expectSameSums(const FilmSums& a, const FilmSums& b) {
    EXPECT_EQ(a.radiance, b.radiance);
    EXPECT_EQ(a.squared, b.squared);
    EXPECT_EQ(a.half, b.half);
    EXPECT_EQ(a.hits, b.hits);
    ASSERT_EQ(a.planes.size(), b.planes.size());
    for (std::size_t i = 0; i < a.planes.size(); ++i) {
        EXPECT_EQ(a.planes[i].values, b.planes[i].values) << a.planes[i].channel;
    }
}

double meanRadiance(const FilmSums& film) {
    double sum = 0.0;
    for (const double value : film.radiance) {
        sum += value;
    }
    return sum / (static_cast<double>(film.radiance.size()) * static_cast<double>(film.sampleCount()));
}

PictureMean pictureMean(const FilmSums& film) {
    const auto n = static_cast<double>(film.sampleCount());
    double sum = 0.0;
    double variance = 0.0;
    for (std::size_t i = 0; i < film.radiance.size(); ++i) {
        const double mean = film.radiance[i] / n;
        sum += mean;
        variance += (film.squared[i] / n - mean * mean) / n;
    }
    const auto count = static_cast<double>(film.radiance.size());
    return {sum / count, std::sqrt(3.0 * variance) / count}; // of a pixel's channels the errors are one
}

} // namespace aureole
