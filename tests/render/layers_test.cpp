// Layers of the film and adaptive sampling on the device: against closed forms, and against the reference backend on
// the same cubes.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "emissive_palette.h"
#include "film/layout.h"
#include "film/picture.h"
#include "gpu_test/gpu_test.h"
#include "merged_parts.h"
#include "octree_samples.h"
#include "reference/reference_renderer.h"
#include "render/path_tracer.h"
#include "render/wavefront.h"
#include "renders.h"
#include "tile_errors.h"
#include "voxel/build/voxel_material.h"

namespace aureole {
namespace {

class LayersTest : public gpu::GpuTest {
protected:
    /// A floor of voxels with its top at y = 5, a pillar, a lamp on it, a sky, and a point light in a group.
    void SetUp() override {
        GpuTest::SetUp();
        for (std::uint32_t i = 0; i < 256; ++i) {
            voxels.emplace_back(i % 16, 4, i / 16);
        }
        for (std::uint32_t y = 5; y < 9; ++y) {
            voxels.emplace_back(5, y, 6);
        }
        octree = octreeOf(2, voxels);
        octree.palette = emissivePalette({glm::vec3(4.0F, 2.0F, 1.0F)});
        octree.materialRuns = singleRun(2);
        const glm::vec3 up(0.0F, 1.0F, 0.0F);
        setSurface(octree, {5, 8, 6}, {glm::vec3(0.5F), up, 1.0F, 0.0F, 1, up, 1, 0, 0, 0.0F, 0});
        scene.lightGroups = {"", "key"};
        PunctualLight lamp;
        lamp.position = {12.0, 12.0, 12.0};
        lamp.intensity = glm::vec3(60.0F);
        lamp.lightGroup = 1;
        scene.lights = {lamp};
        scene.environment.radiance = glm::vec3(0.3F, 0.4F, 0.6F);
        scene.film.width = 37;
        scene.film.height = 21;
        scene.film.filter = PixelFilter::Box;
        scene.film.filterRadius = 0.5;
        scene.voxels.normals = VoxelNormals::Face;
        Camera camera;
        camera.position = {20.0, 16.0, 26.0};
        camera.target = {8.0, 5.0, 8.0};
        camera.verticalFov = 30.0;
        scene.cameras = {camera};
        scene.film.aovs = AovSet::all();
    }

    void lookDown() {
        scene.cameras[0].position = {10.3, 20.0, 8.4};
        scene.cameras[0].target = {10.3, 5.0, 8.4};
        scene.cameras[0].up = {0.0, 0.0, -1.0};
        scene.cameras[0].verticalFov = 12.0;
    }

    FilmSums render(const IndexRanges& ranges, const WavefrontOptions& options = {}) const {
        const DeviceScene onDevice(device(), scene, octree);
        PathTracer tracer(device(), onDevice, defaultView(scene), options);
        for (const auto& [first, end] : ranges) {
            EXPECT_EQ(tracer.render(first, end, [](double) { return true; }), end);
        }
        return tracer.film();
    }

    std::vector<glm::uvec3> voxels;
    Octree octree;
    Scene scene;
};

TEST_F(LayersTest, PartsOfTheLightAddUpToThePicture) {
    const Image image = filmImage(render({{0, 20}}), false);
    for (const std::string colour : {".R", ".G", ".B"}) {
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            const auto at = [&](const std::string& name) { return static_cast<double>(image.find(name)->values[i]); };
            const double whole = at(colour.substr(1));
            ASSERT_NEAR(at("direct" + colour) + at("indirect" + colour) + at("emission" + colour), whole,
                        3e-6 * (1.0 + whole));
            ASSERT_NEAR(at("group.default" + colour) + at("group.key" + colour), whole, 3e-6 * (1.0 + whole));
        }
        for (const char* layer : {"direct", "indirect", "emission", "group.default", "group.key"}) {
            const std::vector<float>& values = image.find(layer + colour)->values;
            EXPECT_GT(std::accumulate(values.begin(), values.end(), 0.0), 0.5) << layer;
        }
    }
}

TEST_F(LayersTest, LightAfterOneScatteringIsDirect) {
    scene.integrator.maxDepth = 2;
    const Image image = filmImage(render({{0, 8}}), false);
    for (const float value : image.find("indirect.G")->values) {
        ASSERT_EQ(value, 0.0F);
    }
}

TEST_F(LayersTest, AFloorHasItsDepthNormalAndPosition) {
    lookDown();
    const Image image = filmImage(render({{0, 32}}), false);
    const double halfHeight = 15.0 * std::tan(6.0 * kPi / 180.0);
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        EXPECT_NEAR(image.find("depth.Z")->values[i], 15.0, 1e-4);
        EXPECT_NEAR(image.find("N.Y")->values[i], 1.0, 1e-6);
        EXPECT_NEAR(image.find("P.Y")->values[i], 5.0, 1e-4);
        const double x = 10.3 + (static_cast<double>(i % 37) + 0.5 - 18.5) / 10.5 * halfHeight;
        const double z = 8.4 + (static_cast<double>(i / 37) + 0.5 - 10.5) / 10.5 * halfHeight;
        EXPECT_NEAR(image.find("P.X")->values[i], x, 0.05);
        EXPECT_NEAR(image.find("P.Z")->values[i], z, 0.05);
        EXPECT_EQ(image.find("alpha.Y")->values[i], 1.0F);
        EXPECT_EQ(image.find("id.Y")->values[i], 1.0F);
        EXPECT_EQ(image.find("instance.Y")->values[i], 1.0F);
    }
}

/// However the work is cut, and on every run.
TEST_F(LayersTest, TheSameRangeGivesTheSameBytes) {
    const FilmSums whole = render({{0, 16}});
    expectSameSums(whole, render({{0, 16}}));
    expectSameSums(whole, render({{0, 8}, {8, 16}}));
    WavefrontOptions cut;
    cut.capacity = 700;
    cut.samplesAtOnce = 3; // of Sobol points the sums know which sample is of the first half
    expectSameSums(whole, render({{0, 16}}, cut));
}

/// The shader with layers is another one, and may round otherwise: now and then a path goes another way.
TEST_F(LayersTest, LeaveThePictureAlone) {
    const FilmSums with = render({{0, 12}});
    scene.film.aovs = {};
    const FilmSums without = render({{0, 12}});
    std::size_t different = 0;
    for (std::size_t i = 0; i < with.radiance.size(); ++i) {
        different += std::abs(with.radiance[i] - without.radiance[i]) > 1e-4 * without.radiance[i] ? 1 : 0;
    }
    EXPECT_LE(different, with.radiance.size() / 50);
    EXPECT_TRUE(without.planes.empty());
}

TEST_F(LayersTest, PartsMergeIntoTheWhole) {
    const Image whole = filmImage(render({{0, 21}}), true);
    const Image merged =
        mergeImages({filmImage(render({{13, 21}}), true), filmImage(render({{0, 13}}), true)}, {"b", "a"});
    expectMergedIsWhole(merged, whole);
}

/// The same camera rays meet the same cubes.
TEST_F(LayersTest, FeaturesAreThoseOfTheReferenceBackend) {
    Scene cubes = scene;
    VoxelModel model;
    model.size = glm::uvec3(16);
    model.cells.assign(16 * 16 * 16, 0);
    for (const glm::uvec3& v : voxels) {
        model.cells[v.x + 16 * (v.y + 16 * v.z)] = 1;
    }
    model.materials.fill(kNone);
    model.materials[1] = 0;
    cubes.materials.resize(1);
    cubes.voxelModels = {model};
    cubes.voxelInstances = {{0, glm::dmat4(1.0)}};
    ReferenceRenderer renderer(cubes, defaultView(cubes));
    renderer.render(0, 16, [](double) { return true; });
    const Image expected = filmImage(renderer.film(), false);
    const Image found = filmImage(render({{0, 16}}), false);
    for (const char* name : {"alpha.Y", "N.X", "N.Y", "N.Z", "P.X", "P.Y", "P.Z", "depth.Z"}) {
        double difference = 0.0;
        double size = 0.0;
        for (std::size_t i = 0; i < found.pixelCount(); ++i) {
            difference += std::abs(expected.find(name)->values[i] - found.find(name)->values[i]);
            size += std::abs(expected.find(name)->values[i]);
        }
        // Rays that graze an edge may meet either side of it.
        EXPECT_LT(difference, 1e-3 * size) << name;
        EXPECT_GT(size, 10.0) << name;
    }
    EXPECT_EQ(expected.find("id.Y")->values, found.find("id.Y")->values);
}

TEST_F(LayersTest, TransparentPicturesHaveAlpha) {
    scene.film.aovs = {};
    const Image opaque = filmImage(render({{0, 8}}), false);
    scene.film.transparent = true;
    const Image image = filmImage(render({{0, 8}}), false);
    ASSERT_EQ(image.channels.size(), 4U);
    double whole = 0.0;
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const float a = image.find("A")->values[i];
        whole += a;
        // What is missing is the sky behind.
        EXPECT_NEAR(opaque.find("B")->values[i], image.find("B")->values[i] + (1.0F - a) * 0.6F, 1e-5);
    }
    EXPECT_GT(whole, 100.0);
    EXPECT_LT(whole, 700.0);
}

TEST_F(LayersTest, TheClampIsForIndirectLightOnly) {
    const Image whole = filmImage(render({{0, 16}}), false);
    scene.integrator.clamp = 0.02;
    const Image clamped = filmImage(render({{0, 16}}), false);
    EXPECT_EQ(whole.find("direct.R")->values, clamped.find("direct.R")->values);
    EXPECT_EQ(whole.find("emission.R")->values, clamped.find("emission.R")->values);
    const auto sum = [](const Image& image) {
        const std::vector<float>& values = image.find("indirect.R")->values;
        return std::accumulate(values.begin(), values.end(), 0.0);
    };
    EXPECT_LT(sum(clamped), 0.9 * sum(whole));
    EXPECT_GT(sum(clamped), 0.0);
}

class AdaptiveTest : public LayersTest {
protected:
    void SetUp() override {
        LayersTest::SetUp();
        scene.film.width = 27;
        scene.film.height = 14;
    }

    struct Result {
        FilmSums film;
        std::uint64_t left = 0;
    };

    Result renderAdaptive(double noise, std::uint32_t most) const {
        const DeviceScene onDevice(device(), scene, octree);
        PathTracer tracer(device(), onDevice, defaultView(scene));
        std::uint32_t at = 0;
        while (at < most && tracer.activePixels() > 0) {
            const std::uint64_t decision = AdaptiveTiles::nextDecision(at, PathTracer::kBatchSize);
            at = tracer.render(at, static_cast<std::uint32_t>(std::min<std::uint64_t>(decision, most)),
                               [](double) { return true; });
            tracer.retire(noise);
        }
        return {tracer.film(), tracer.activePixels()};
    }
};

TEST_F(AdaptiveTest, EachPixelHasTheMeanOfItsSamples) {
    const Result result = renderAdaptive(0.03, 176);
    const FilmSums& film = result.film;
    const auto [least, most] = std::minmax_element(film.counts.begin(), film.counts.end());
    EXPECT_EQ(*least, AdaptiveTiles::kLeastSamples);
    EXPECT_GE(*most, 136U);
    const Image image = filmImage(film, false);
    // What a pixel has must be the same as with that many samples everywhere.
    std::size_t compared = 0;
    for (const std::uint32_t count : {*least, 80U, *most}) {
        const Image even = filmImage(render({{0, count}}), false);
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            if (film.counts[i] == count) {
                ++compared;
                for (const char* name : {"R", "direct.G", "depth.Z", "variance.B", "id.Y", "samples.Y", "alpha.Y"}) {
                    ASSERT_EQ(image.find(name)->values[i], even.find(name)->values[i]) << name;
                }
            }
        }
    }
    EXPECT_GT(compared, 150U);
}

/// Paths that end once the look of what they see is known show what whole paths do, beside a film that stays.
TEST_F(AdaptiveTest, LayersAreToldByCameraRaysAlone) {
    const auto goOn = [](double) { return true; };
    const DeviceScene onDevice(device(), scene, octree);
    PathTracer tracer(device(), onDevice, defaultView(scene));
    tracer.render(0, 48, goOn);
    tracer.retire(0.03);
    ASSERT_LT(tracer.activePixels(), std::uint64_t{27} * 14);
    const FilmSums before = tracer.film();
    const PathTracerStats stats = tracer.stats();
    const FilmSums seen = tracer.layersOf(48, 56, goOn);
    const FilmSums whole = render({{48, 56}});
    EXPECT_EQ(seen.samples, whole.samples);
    EXPECT_EQ(seen.hits, whole.hits);
    for (std::size_t i = 0; i < whole.planes.size(); ++i) {
        const std::string layer = whole.planes[i].channel.substr(0, whole.planes[i].channel.find('.'));
        if (layer == "albedo" || layer == "N" || layer == "depth" || layer == "emission") {
            EXPECT_EQ(seen.planes[i].values, whole.planes[i].values) << whole.planes[i].channel;
        } else if (layer == "direct") {
            EXPECT_EQ(std::accumulate(seen.planes[i].values.begin(), seen.planes[i].values.end(), 0.0), 0.0);
        }
    }
    EXPECT_EQ(tracer.stats().rays, stats.rays);
    expectSameSums(tracer.film(), before);
    EXPECT_EQ(tracer.film().counts, before.counts);
    EXPECT_TRUE(tracer.isWhole());
}

TEST_F(AdaptiveTest, TilesEndAtTheNoise) {
    const Result result = renderAdaptive(0.03, 1U << 14U);
    EXPECT_EQ(result.left, 0U);
    const std::vector<float> errors = relativeErrors(result.film);
    // The picture's mean, which they relate to, went on changing a little.
    EXPECT_LT(*std::max_element(errors.begin(), errors.end()), 0.0306F);
    EXPECT_GT(*std::max_element(errors.begin(), errors.end()), 0.015F);
}

TEST_F(AdaptiveTest, IsReproducible) {
    const Result a = renderAdaptive(0.1, 160);
    const Result b = renderAdaptive(0.1, 160);
    EXPECT_EQ(a.film.counts, b.film.counts);
    EXPECT_EQ(a.left, b.left);
    expectSameSums(a.film, b.film);
}

} // namespace
} // namespace aureole
