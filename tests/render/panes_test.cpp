// Lights behind panes of glass, on the device and by the reference backend: connections go on through panes.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "glass_scenes.h"
#include "gpu_test/gpu_test.h"
#include "render/path_tracer.h"
#include "renders.h"

namespace aureole {
namespace {

constexpr glm::vec3 kTint(0.9F, 0.6F, 0.3F);
constexpr double kIndex = 1.5;
constexpr double kFirstPane = 0.4; ///< metres above the floor, and the others that much above each other
constexpr double kNextPane = 0.2;
constexpr double kHalfPane = 1.9;
constexpr std::uint32_t kPaneResolution = 128;
constexpr double kPaneVoxel = 2.0 * kHalfPane / kPaneResolution;

/// What so many panes let through of light at an angle of that cosine, by Fresnel's equations for both interfaces of
/// each and all that goes to and fro between these; of the tint the mean of all channels.
double share(double cosine, std::uint32_t panes) {
    const double inside = std::sqrt(1.0 - (1.0 - cosine * cosine) / (kIndex * kIndex));
    const double across = (cosine - kIndex * inside) / (cosine + kIndex * inside);
    const double along = (inside - kIndex * cosine) / (inside + kIndex * cosine);
    const double once = 0.5 * (across * across + along * along);
    const glm::dvec3 tint = glm::pow(glm::dvec3(kTint), glm::dvec3(panes));
    return std::pow((1.0 - once) / (1.0 + once), panes) * (tint.x + tint.y + tint.z) / 3.0;
}

void addMesh(Scene& scene, Mesh mesh, std::uint32_t material) {
    mesh.material = material;
    scene.meshInstances.emplace_back().mesh = static_cast<std::uint32_t>(scene.meshes.size());
    scene.meshes.push_back(std::move(mesh));
}

/// A floor in the dark, seen at the origin from below so many panes, by paths that have just the hits to come through
/// those: nothing that panes send back is seen. Materials 0: matt, 1: panes, 2: a black lamp.
Scene floorBelow(std::uint32_t panes, bool asTriangles) {
    Material matt;
    matt.albedo = glm::vec3(0.5F);
    Scene scene = glassScene(boxMesh({-0.5F, -0.25F, -0.5F}, {0.5F, 0.0F, 0.5F}), matt);
    scene.film.width = 8;
    scene.film.height = 8;
    scene.environment.radiance = glm::vec3(0.0F);
    scene.integrator.maxDepth = panes + 2;
    scene.cameras[0].position = {-0.15, 0.3, 0.0};
    scene.cameras[0].target = {0.0, 0.0, 0.0};
    scene.cameras[0].verticalFov = 3.0;
    Material pane = clearGlass();
    pane.model = MaterialModel::ThinGlass;
    pane.albedo = kTint;
    scene.materials.push_back(pane);
    scene.materials.push_back(matt);
    scene.materials.back().albedo = glm::vec3(0.0F);
    scene.materials.back().emission = glm::vec3(3.0F);
    constexpr auto kHalf = static_cast<float>(kHalfPane);
    for (std::uint32_t i = 0; i < panes; ++i) {
        const auto low = static_cast<float>(kFirstPane + kNextPane * i);
        Mesh mesh = boxMesh({-kHalf, low, -kHalf}, {kHalf, low + 0.05F, kHalf});
        if (asTriangles) { // of which a box is two panes
            mesh.triangles = {{0, 4, 5}, {0, 5, 1}};
        }
        addMesh(scene, std::move(mesh), 1);
    }
    return scene;
}

void addLamp(Scene& scene, float half) {
    addMesh(scene, boxMesh({-half, 1.0F, -half}, {half, 1.05F, half}), 2);
}

/// What so many panes let through of what lights the floor at the origin without them: a lamp `half` wide to either
/// side, 1 m above, or, where that is 0, an even sky, which shows beside the panes too. These may be larger to all
/// sides, as voxels make them.
double shareOf(double half, std::uint32_t panes, double larger = 0.0) {
    constexpr int kSteps = 400;
    double all = 0.0;
    double through = 0.0;
    for (int i = 0; i < kSteps * kSteps; ++i) {
        const double u = (i % kSteps + 0.5) / kSteps;
        const double v = (static_cast<double>(i / kSteps) + 0.5) / kSteps;
        double cosine = std::sqrt(u); // as often as its light counts
        double weight = 1.0;
        double slope = std::tan(std::acos(cosine)) *
                       std::max(std::abs(std::cos(2.0 * kPi * v)), std::abs(std::sin(2.0 * kPi * v)));
        if (half > 0.0) {
            cosine = 1.0 / std::hypot((2.0 * u - 1.0) * half, 1.0, (2.0 * v - 1.0) * half);
            weight = std::pow(cosine, 4.0); // both cosines, over the square of the distance
            slope = 0.0;
        }
        std::uint32_t met = 0;
        while (met < panes && slope * (kFirstPane + kNextPane * met - larger) < kHalfPane + larger) {
            ++met;
        }
        all += weight;
        through += weight * share(cosine, met);
    }
    return through / all;
}

class Panes : public gpu::GpuTest {
protected:
    /// By the reference backend where there is no kind.
    static FilmSums render(Scene scene, const GlassKind* kind, std::uint32_t samples,
                           std::uint32_t resolution = kPaneResolution) {
        return kind == nullptr ? renderReference(scene, samples)
                               : renderOnDevice(device(), scene, voxelizeAs(scene, *kind, resolution), samples);
    }

    static std::vector<const GlassKind*> kinds() {
        std::vector<const GlassKind*> kinds = {nullptr};
        for (const GlassKind& kind : glassKinds()) {
            kinds.push_back(&kind);
        }
        return kinds;
    }

    /// All kinds, or where time is short the triangles and that one: each takes pipelines.
    static std::vector<const GlassKind*> kindsOr(std::size_t one) {
        return fullSweep() ? kinds() : std::vector<const GlassKind*>{nullptr, kinds().at(one)};
    }

    static std::string nameOf(const GlassKind* kind) { return kind == nullptr ? "triangles" : kind->name; }
};

/// Panes of index 1 without a tint, which let all through.
void makeClear(Scene& scene) {
    scene.materials[1].ior = 1.0F;
    scene.materials[1].albedo = glm::vec3(1.0F);
}

/// What has no extent, or next to none, is found by connections alone.
TEST_F(Panes, DimLightsThatChanceDoesNotFind) {
    const glm::dvec3 way(1.5, 1.2, 0.6);
    const double cosine = way.y / glm::length(way);
    const std::array<std::string, 3> lights = {"point", "directional", "sun"};
    for (std::size_t k = 0; k < kinds().size(); ++k) {
        const GlassKind* kind = kinds()[k];
        for (const std::string& light : lights) {
            if (kind != nullptr && !fullSweep() && light != lights.at(k % 3)) {
                continue; // another one for each kind
            }
            const auto lit = [&](std::uint32_t panes, bool clear) {
                Scene scene = floorBelow(panes, kind == nullptr);
                if (clear) {
                    makeClear(scene);
                }
                if (light == "sun") {
                    scene.environment.sun = Sun{glm::normalize(way), 0.53, glm::vec3(1.0F)};
                } else {
                    PunctualLight& added = scene.lights.emplace_back();
                    added.type = light == "point" ? LightType::Point : LightType::Directional;
                    added.position = way;
                    added.direction = -glm::normalize(way);
                }
                return meanRadiance(render(scene, kind, 4));
            };
            const double distance = light == "point" ? glm::length(way) : 1.0;
            const double open = 0.5 / kPi * cosine / (distance * distance);
            for (const std::uint32_t panes : {1U, 3U}) {
                const double clear = lit(panes, true);
                EXPECT_NEAR(clear, open, 0.05 * open) << nameOf(kind) << ", " << light;
                EXPECT_NEAR(lit(panes, false), share(cosine, panes) * clear, 4e-3 * clear)
                    << nameOf(kind) << ", " << light << ", " << panes;
            }
        }
    }
}

/// Each pane that a connection goes through counts as a hit, so that a path of one hit less does not get through.
TEST_F(Panes, CountAsHitsOfConnections) {
    for (const GlassKind* kind : kinds()) {
        for (const std::uint32_t panes : {1U, 3U}) {
            Scene scene = floorBelow(panes, kind == nullptr);
            scene.lights.emplace_back().position = {0.5, 1.2, 0.3};
            EXPECT_GT(meanRadiance(render(scene, kind, 4)), 0.0) << nameOf(kind) << ", " << panes;
            --scene.integrator.maxDepth;
            EXPECT_EQ(meanRadiance(render(scene, kind, 4)), 0.0) << nameOf(kind) << ", " << panes;
        }
    }
}

/// Of partial glass connections go through the part that is glass.
TEST_F(Panes, OfPartialGlassDimByTheirShare) {
    for (const GlassKind* kind : {kinds().front(), kinds().at(2)}) {
        const auto lit = [&](float transmission) {
            Scene scene = floorBelow(1, kind == nullptr);
            scene.materials[1].transmission = transmission;
            scene.lights.emplace_back().position = {0.5, 1.2, 0.3};
            return meanRadiance(render(scene, kind, 4));
        };
        EXPECT_NEAR(lit(0.4F) / lit(1.0F), 0.4, 1e-3) << nameOf(kind);
    }
}

/// What is behind a pane is weighed by how far the path came straight on, which it keeps where its ray is put off.
TEST_F(Panes, AreTheSameHoweverWavesAreCut) {
    Scene scene = floorBelow(1, false);
    scene.integrator.maxDepth = 6;
    addLamp(scene, 0.6F);
    const Octree octree = voxelizeAs(scene, *kinds().back(), kPaneResolution);
    const DeviceScene onDevice(device(), scene, octree);
    const auto lit = [&](const WavefrontOptions& options) {
        PathTracer tracer(device(), onDevice, defaultView(scene), options);
        EXPECT_EQ(tracer.render(0, 16, [](double) { return true; }), 16U);
        return tracer.film();
    };
    const FilmSums whole = lit({});
    EXPECT_GT(meanRadiance(whole), 0.0);
    expectSameSums(lit({.capacity = 300, .rounds = {.last = 1, .steps = 1}, .drained = 0}), whole);
}

/// Lamps and skies are found by connections and by chance, which have to share them.
TEST_F(Panes, StrategiesAgreeOnWhatIsBehind) {
    const std::uint32_t samples = samplesOf(256, 16384);
    const auto lit = [&](const GlassKind* kind, double half, std::uint32_t panes, LightSampling strategy, bool clear) {
        Scene scene = floorBelow(panes, kind == nullptr);
        scene.integrator.lightSampling = strategy;
        if (half > 0.0) {
            addLamp(scene, static_cast<float>(half));
        } else {
            scene.environment.type = EnvironmentType::Gradient;
            scene.environment.zenith = glm::vec3(1.0F);
            scene.environment.horizon = glm::vec3(1.0F);
        }
        if (clear) {
            makeClear(scene);
        }
        return pictureMean(render(scene, kind, samples));
    };
    struct Case {
        LightSampling strategy;
        std::uint32_t panes;
    };
    for (const GlassKind* kind : kindsOr(3)) {
        for (const double half : {0.6, 0.0}) {
            for (const Case& one :
                 {Case{LightSampling::Mis, 2}, Case{LightSampling::Lights, 1}, Case{LightSampling::Bsdf, 1}}) {
                const PictureMean open = lit(kind, half, one.panes, LightSampling::Mis, true);
                const PictureMean found = lit(kind, half, one.panes, one.strategy, false);
                const double expected = shareOf(half, one.panes);
                const double error = std::hypot(found.error / found.value, open.error / open.value) * expected;
                const double larger = kind == nullptr ? 0.0 : expected - shareOf(half, one.panes, kPaneVoxel);
                EXPECT_LT(error, 0.02 * expected);
                EXPECT_NEAR(found.value / open.value, expected - 0.5 * larger, 3.3 * error + 2e-3 + 0.5 * larger)
                    << nameOf(kind) << ", " << half << ", " << static_cast<int>(one.strategy) << ", " << one.panes;
            }
        }
    }
}

/// A solid bends what goes through it: connections end there, however it is shaped.
TEST_F(Panes, AreNoSolids) {
    for (const GlassKind* kind : kindsOr(2)) {
        Scene scene = floorBelow(1, false);
        scene.materials[1].model = MaterialModel::Dielectric;
        scene.integrator.maxDepth = 8;
        scene.lights.emplace_back().position = {0.3, 1.2, 0.1};
        EXPECT_EQ(meanRadiance(render(scene, kind, 4)), 0.0) << nameOf(kind);
    }
}

/// Connections end at the light of panes that glow, and what is behind those is found by chance.
TEST_F(Panes, ThatGlowLightAsTheStrategiesSay) {
    const std::uint32_t samples = quickOrFull(192U, 16384U);
    for (const GlassKind* kind : kindsOr(1)) {
        const auto lit = [&](LightSampling strategy) {
            Scene scene = floorBelow(1, kind == nullptr);
            scene.integrator.lightSampling = strategy;
            scene.materials[1].emission = glm::vec3(0.4F);
            addLamp(scene, 0.6F);
            return pictureMean(render(scene, kind, samples));
        };
        const PictureMean both = lit(LightSampling::Mis);
        const PictureMean chance = lit(LightSampling::Bsdf);
        EXPECT_NEAR(both.value, chance.value, 3.3 * std::hypot(both.error, chance.error)) << nameOf(kind);
        EXPECT_LT(both.error, 0.02 * both.value);
        EXPECT_LT(chance.error, 0.06 * chance.value);
    }
}

/// A room without a front, with a tinted window so thick, and a sun, a lamp and a bulb outside.
Scene roomWithWindow(bool asTriangles, float thick) {
    Scene scene = floorBelow(0, true);
    scene.meshes.clear();
    scene.meshInstances.clear();
    addMesh(scene, boxMesh({-1.1F, -0.1F, -1.0F}, {1.0F, 0.0F, 1.0F}), 0);
    addMesh(scene, boxMesh({-1.1F, 1.0F, -1.0F}, {1.0F, 1.1F, 1.0F}), 0);
    addMesh(scene, boxMesh({-1.1F, 0.0F, -1.0F}, {-1.0F, 1.0F, 1.0F}), 0);
    addMesh(scene, boxMesh({-1.1F, 0.0F, -1.1F}, {1.0F, 1.0F, -1.0F}), 0);
    Mesh window = boxMesh({1.0F, 0.0F, -1.0F}, {1.0F + thick, 1.0F, 1.0F});
    if (asTriangles) {
        window.triangles = {{0, 4, 6}, {0, 6, 2}};
    }
    addMesh(scene, std::move(window), 1);
    addMesh(scene, boxMesh({1.5F, 0.6F, -0.3F}, {1.6F, 0.9F, 0.3F}), 2);
    scene.integrator.maxDepth = 0;
    scene.environment.radiance = glm::vec3(0.3F);
    scene.environment.sun = Sun{glm::normalize(glm::dvec3(1.0, 0.7, -0.2)), 3.0, glm::vec3(4.0F)};
    PunctualLight& bulb = scene.lights.emplace_back();
    bulb.position = {1.3, 0.3, 0.4};
    bulb.intensity = glm::vec3(0.6F);
    scene.cameras[0].position = {0.3, 0.6, 2.4};
    scene.cameras[0].target = {-0.1, 0.4, 0.0};
    scene.cameras[0].verticalFov = 45.0;
    return scene;
}

/// With all that goes to and fro, the mean of the picture. The window is two to three voxels thick, which are one pane.
TEST_F(Panes, PicturesAreThoseOfTheTriangles) {
    const std::uint32_t samples = quickOrFull(256U, 8192U);
    const std::uint32_t resolution = quickOrFull(128U, 512U); // 128 are 3 % off, planes too dark, a field too bright
    const float thick = 6.4F / static_cast<float>(resolution);
    const PictureMean expected = pictureMean(renderReference(roomWithWindow(true, thick), samples));
    for (const GlassKind* kind : kindsOr(2)) {
        const PictureMean found =
            pictureMean(render(roomWithWindow(kind == nullptr, thick), kind, samples, resolution));
        const double error = std::hypot(expected.error, found.error);
        EXPECT_LT(error, 0.02 * expected.value);
        EXPECT_NEAR(found.value, expected.value, 3.3 * error + 0.01 * expected.value) << nameOf(kind);
    }
}

} // namespace
} // namespace aureole
