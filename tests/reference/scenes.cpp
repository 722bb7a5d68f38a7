#include "scenes.h"

#include <cmath>

#include <gtest/gtest.h>

#include "reference/reference_renderer.h"

namespace aureole {

Mesh boxMesh(const glm::vec3& half) {
    Mesh mesh;
    mesh.name = "box";
    for (unsigned i = 0; i < 8; ++i) {
        mesh.positions.push_back(
            half * glm::vec3((i & 1U) != 0 ? 1.0F : -1.0F, (i & 2U) != 0 ? 1.0F : -1.0F, (i & 4U) != 0 ? 1.0F : -1.0F));
    }
    for (const glm::uvec4 quad : {glm::uvec4(0, 4, 6, 2), glm::uvec4(1, 3, 7, 5), glm::uvec4(0, 1, 5, 4),
                                  glm::uvec4(2, 6, 7, 3), glm::uvec4(0, 2, 3, 1), glm::uvec4(4, 5, 7, 6)}) {
        mesh.triangles.emplace_back(quad.x, quad.y, quad.z);
        mesh.triangles.emplace_back(quad.x, quad.z, quad.w);
    }
    return mesh;
}

Mesh sphereMesh(float radius, unsigned rings) {
    Mesh mesh;
    mesh.name = "sphere";
    const unsigned columns = 2 * rings;
    for (unsigned i = 0; i <= rings; ++i) {
        for (unsigned j = 0; j < columns; ++j) {
            const double theta = kPi * i / rings;
            const double phi = 2.0 * kPi * j / columns;
            mesh.positions.push_back(
                radius * glm::vec3(std::sin(theta) * std::cos(phi), std::cos(theta), -std::sin(theta) * std::sin(phi)));
        }
    }
    for (unsigned i = 0; i < rings; ++i) {
        for (unsigned j = 0; j < columns; ++j) {
            const unsigned a = i * columns + j;
            const unsigned b = i * columns + (j + 1) % columns;
            if (i > 0) {
                mesh.triangles.emplace_back(a, a + columns, b);
            }
            if (i + 1 < rings) {
                mesh.triangles.emplace_back(b, a + columns, b + columns);
            }
        }
    }
    return mesh;
}

Scene sceneOf(const Mesh& mesh, float albedo, float emission) {
    Scene scene;
    scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
    scene.meshes = {mesh};
    scene.materials.resize(1);
    scene.materials[0].albedo = glm::vec3(albedo);
    scene.materials[0].emission = glm::vec3(emission);
    scene.meshInstances = {MeshInstance{}};
    scene.film.width = 8;
    scene.film.height = 6;
    Camera camera;
    camera.position = glm::dvec3(0.2, 0.1, -0.3);
    camera.target = glm::dvec3(0.9, 0.4, 0.2);
    camera.verticalFov = 70.0;
    scene.cameras = {camera};
    return scene;
}

void lookAtOrigin(Scene& scene, const glm::dvec3& position, double degrees) {
    scene.cameras[0].position = position;
    scene.cameras[0].target = glm::dvec3(0.0);
    scene.cameras[0].verticalFov = degrees;
}

FilmSums render(const Scene& scene, std::uint32_t samples) {
    ReferenceRenderer renderer(scene, defaultView(scene));
    EXPECT_EQ(renderer.render(0, samples, [](double) { return true; }), samples);
    return renderer.film();
}

double meanOf(const FilmSums& film) {
    return (meanOf(film, 0) + meanOf(film, 1) + meanOf(film, 2)) / 3.0;
}

double meanOf(const FilmSums& film, std::size_t channel) {
    double sum = 0.0;
    for (std::size_t i = channel; i < film.radiance.size(); i += 3) {
        sum += film.radiance[i];
    }
    return 3.0 * sum / (static_cast<double>(film.radiance.size()) * static_cast<double>(film.sampleCount()));
}

} // namespace aureole
