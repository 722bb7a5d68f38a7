// However directions are drawn and light is looked for, the picture is the same.

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "core/math.h"
#include "reference/reference_renderer.h"
#include "render/support/expectations.h"
#include "render/support/statistics.h"
#include "scenes.h"

namespace aureole {
namespace {

Mesh quadMesh(const glm::vec3& corner, const glm::vec3& u, const glm::vec3& v, std::uint32_t material) {
    Mesh mesh;
    mesh.positions = {corner, corner + u, corner + u + v, corner + v};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    mesh.material = material;
    return mesh;
}

/// A floor and a glossy wall under a square lamp, a sky brighter on one side, and a bulb.
Scene litCorner() {
    Scene scene;
    scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
    scene.materials.resize(3);
    scene.materials[0].albedo = glm::vec3(0.7F, 0.5F, 0.3F);
    scene.materials[1].albedo = glm::vec3(0.8F);
    scene.materials[1].model = MaterialModel::MetallicRoughness;
    scene.materials[1].roughness = 0.5F;
    scene.materials[1].metalness = 0.5F;
    scene.materials[2].emission = glm::vec3(6.0F, 5.0F, 4.0F);
    scene.meshes = {quadMesh({-3, 0, 3}, {6, 0, 0}, {0, 0, -6}, 0), quadMesh({-3, 0, -1}, {6, 0, 0}, {0, 3, 0}, 1),
                    quadMesh({-0.7F, 2.5F, -0.3F}, {1.4F, 0, 0}, {0, 0, 1.4F}, 2)};
    for (std::uint32_t i = 0; i < 3; ++i) {
        scene.meshInstances.push_back(MeshInstance{i});
    }
    scene.environment.type = EnvironmentType::Gradient;
    scene.environment.zenith = glm::vec3(0.1F, 0.2F, 0.6F);
    scene.environment.horizon = glm::vec3(0.8F, 0.6F, 0.4F);
    PunctualLight bulb;
    bulb.position = {1.5, 1.2, 1.0};
    bulb.intensity = glm::vec3(1.5F);
    scene.lights = {bulb};
    Camera camera;
    camera.position = {0.4, 1.6, 4.0};
    camera.target = {0.0, 0.8, 0.0};
    camera.verticalFov = 45.0;
    scene.cameras = {camera};
    scene.film.width = 12;
    scene.film.height = 8;
    scene.integrator.maxDepth = 4;
    return scene;
}

TEST(Strategies, AllConvergeToOnePicture) {
    Scene scene = litCorner();
    const FilmSums reference = render(scene, 4096);
    expectStrategiesConverge(scene, reference, [&] { return render(scene, 2048); },
                             {DirectionSampling::Bsdf, DirectionSampling::Cosine, DirectionSampling::Uniform});
}

/// Surfaces with a delta distribution keep their own sampling.
TEST(Strategies, MirrorsShowTheSameWhateverWasAskedFor) {
    Scene scene = litCorner();
    scene.materials[1].model = MaterialModel::Mirror;
    scene.film.width = 6;
    scene.film.height = 4;
    const FilmSums reference = render(scene, 1024);
    scene.integrator.seed = 2000;
    for (const DirectionSampling direction : {DirectionSampling::Cosine, DirectionSampling::Uniform}) {
        scene.integrator.sampling = direction;
        const ZTest test = zTestOfTwo(render(scene, 2048), reference);
        EXPECT_LT(test.worstPixel, test.pixelLimit) << static_cast<int>(direction);
        EXPECT_LT(std::abs(test.pictureZ), 3.3) << static_cast<int>(direction);
    }
}

/// Sum over pixels of the squared error against `truth`.
double errorAgainst(const FilmSums& film, const FilmSums& truth) {
    double sum = 0.0;
    for (std::size_t i = 0; i < film.radiance.size(); ++i) {
        const double gap = film.radiance[i] / static_cast<double>(film.sampleCount()) -
                           truth.radiance[i] / static_cast<double>(truth.sampleCount());
        sum += gap * gap;
    }
    return sum;
}

TEST(Samplers, SobolHasLessErrorAtEqualSamples) {
    Scene scene = litCorner();
    scene.cameras[0].apertureRadius = 0.05;
    scene.integrator.maxDepth = 2;
    const FilmSums truth = render(scene, 8192);
    scene.integrator.seed = 50;
    double gain = 0.0;
    for (const std::uint32_t samples : {16U, 64U, 256U}) {
        scene.integrator.sampler = SamplerKind::Independent;
        const double independent = errorAgainst(render(scene, samples), truth);
        scene.integrator.sampler = SamplerKind::Sobol;
        const double sobol = errorAgainst(render(scene, samples), truth);
        EXPECT_LT(sobol, independent) << samples;
        gain = independent / sobol;
        RecordProperty("gain_" + std::to_string(samples), std::to_string(gain));
    }
    EXPECT_GT(gain, 2.0);
}

/// Samples are a function of their index: ranges in any order give the picture of one.
TEST(Samplers, AnyRangeOfSobolPointsRendersAlike) {
    Scene scene = litCorner();
    scene.integrator.sampler = SamplerKind::Sobol;
    const FilmSums whole = render(scene, 24);
    ReferenceRenderer renderer(scene, defaultView(scene));
    const auto goOn = [](double) { return true; };
    renderer.render(16, 24, goOn);
    renderer.render(0, 5, goOn);
    renderer.render(5, 16, goOn);
    for (std::size_t i = 0; i < whole.radiance.size(); ++i) {
        ASSERT_NEAR(renderer.film().radiance[i], whole.radiance[i], 1e-9 * whole.radiance[i]);
    }
}

/// A sky seen by the camera of the whole sphere is the environment's own picture.
TEST(WholeSphere, ShowsTheEnvironmentImage) {
    Scene scene = litCorner();
    scene.meshInstances.resize(1);
    scene.meshes.resize(1);
    scene.lights.clear();
    // The floor out of the way: a speck far below.
    scene.meshInstances[0].worldFromMesh = glm::dmat4(1e-6);
    scene.meshInstances[0].worldFromMesh[3] = glm::dvec4(0.0, -1000.0, 0.0, 1.0);
    scene.environment.type = EnvironmentType::Image;
    scene.environment.image = makeImage(16, 8, {"R", "G", "B"});
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < 128; ++i) {
            scene.environment.image.channels[c].values[i] = static_cast<float>((i * (c + 3)) % 29);
        }
    }
    scene.cameras[0] = Camera{};
    scene.cameras[0].projection = Projection::Equirectangular;
    scene.cameras[0].position = {0.3, 0.2, 0.1};
    scene.cameras[0].target = {0.3, 0.2, -1.0};
    scene.film.width = 16;
    scene.film.height = 8;
    scene.film.filter = PixelFilter::Box;
    scene.film.filterRadius = 0.5;
    // The mean over a pixel of the bilinear picture: each texel and its neighbours by 1/8, 6/8, 1/8 along rows, and
    // across them by the height in between.
    const auto heightOf = [](double row) { return std::cos((row + 0.5) / 8.0 * kPi); };
    const auto shareOfNext = [&](int y, int next) { // none beyond the poles, where the texel is its own neighbour
        double share = 0.0;
        for (int i = 0; i < 100 && next >= 0 && next < 8; ++i) {
            const double row = y + (next - y) * (i + 0.5) / 200.0;
            share += 0.005 * (heightOf(y) - heightOf(row)) / (heightOf(y) - heightOf(next));
        }
        return share;
    };
    const FilmSums film = render(scene, 4096);
    const auto texel = [&](std::size_t c, int x, int y) {
        const int row = std::min(std::max(y, 0), 7);
        return static_cast<double>(
            scene.environment.image.channels[c].values[static_cast<std::size_t>(row * 16 + (x + 16) % 16)]);
    };
    for (int y = 0; y < 8; ++y) {
        const std::array<double, 3> rows = {shareOfNext(y, y - 1), 1.0 - shareOfNext(y, y - 1) - shareOfNext(y, y + 1),
                                            shareOfNext(y, y + 1)};
        for (int x = 0; x < 16; ++x) {
            for (std::size_t c = 0; c < 3; ++c) {
                double expected = 0.0;
                for (int dy = -1; dy <= 1; ++dy) {
                    for (int dx = -1; dx <= 1; ++dx) {
                        expected += texel(c, x + dx, y + dy) * (dx == 0 ? 0.75 : 0.125) *
                                    rows[static_cast<std::size_t>(dy + 1)];
                    }
                }
                const double found = film.radiance[3 * static_cast<std::size_t>(y * 16 + x) + c] / 4096.0;
                EXPECT_NEAR(found, expected, 0.3) << x << ", " << y;
            }
        }
    }
}

TEST(ReferenceViews, AnotherViewStartsAnew) {
    Scene scene = litCorner();
    View view = defaultView(scene);
    ReferenceRenderer renderer(scene, view);
    const auto goOn = [](double) { return true; };
    renderer.render(0, 4, goOn);
    view.frame = 3;
    view.moved = scene.cameras[0];
    view.moved->position.x = -1.0;
    renderer.setView(view);
    renderer.render(0, 4, goOn);
    Scene moved = scene;
    moved.cameras[0] = *view.moved;
    moved.integrator.seed += 3;
    EXPECT_EQ(renderer.film().radiance, render(moved, 4).radiance);
}

} // namespace
} // namespace aureole
