// Layers of the film: features against closed forms, the light's parts against the picture, alpha, the clamp.

#include <cmath>

#include <gtest/gtest.h>

#include "film/picture.h"
#include "merged_parts.h"
#include "model/primitives.h"
#include "reference/reference_renderer.h"
#include "volume_scenes.h"

namespace aureole {
namespace {

FilmSums render(const Scene& scene, std::uint32_t first, std::uint32_t end) {
    ReferenceRenderer renderer(scene, defaultView(scene));
    EXPECT_EQ(renderer.render(first, end, [](double) { return true; }), end);
    return renderer.film();
}

Image picture(const Scene& scene, std::uint32_t samples) {
    return filmImage(render(scene, 0, samples), false);
}

/// A grey floor at y = 0 that a camera 4 m above looks straight down at.
Scene floorScene() {
    Scene scene;
    scene.meshes = {makeQuad({-50, 0, 50}, {100, 0, 0}, {0, 0, -100})};
    scene.materials.resize(2);
    scene.materials[0].albedo = glm::vec3(0.2F, 0.5F, 0.8F);
    scene.meshInstances = {MeshInstance{}};
    scene.film.width = 8;
    scene.film.height = 6;
    scene.film.filter = PixelFilter::Box;
    scene.film.filterRadius = 0.5;
    Camera camera;
    camera.position = {0.0, 4.0, 0.0};
    camera.target = {0.0, 0.0, 0.0};
    camera.up = {0.0, 0.0, -1.0};
    camera.verticalFov = 50.0;
    scene.cameras = {camera};
    return scene;
}

/// The floor with a lamp's square, a box to bounce light, a point light in a group of its own, and a sky.
Scene litScene() {
    Scene scene = floorScene();
    scene.lightGroups = {"", "lamp", "key.left"};
    scene.meshes.push_back(makeBox({-0.8, 0.0, -0.5}, {-0.2, 1.0, 0.5}));
    scene.meshes.push_back(makeQuad({0.2, 1.5, -0.4}, {0.6, 0, 0}, {0, 0, 0.8}));
    scene.meshes.back().material = 1;
    scene.meshInstances.push_back(MeshInstance{1});
    scene.meshInstances.push_back(MeshInstance{2});
    scene.materials[1].emission = glm::vec3(6.0F, 4.0F, 2.0F);
    scene.materials[1].lightGroup = 1;
    PunctualLight point;
    point.position = {-1.0, 2.0, 1.0};
    point.intensity = glm::vec3(5.0F);
    point.lightGroup = 2;
    scene.lights = {point};
    scene.environment.radiance = glm::vec3(0.1F, 0.2F, 0.4F);
    scene.film.aovs = AovSet::all();
    return scene;
}

/// The same with smoke over it, which scatters and glows.
Scene smokyScene() {
    Scene scene = litScene();
    const auto even = [](const glm::dvec3&) { return 1.0; };
    test::addVolume(scene, test::densityOf({-12, 0, -12}, {13, 20, 13}, 0.1, even), {0.2F, 0.3F, 0.4F},
                    {0.1F, 0.0F, 0.1F}, 0.3F);
    scene.volumes[0].emission = glm::vec3(0.02F, 0.01F, 0.01F);
    return scene;
}

double meanOf(const Image& image, const std::string& channel) {
    double sum = 0.0;
    for (const float value : image.find(channel)->values) {
        sum += value;
    }
    return sum / static_cast<double>(image.pixelCount());
}

void expectPartsAddUp(const Image& image) {
    const std::vector<std::string> ways = {"direct", "indirect", "emission"};
    const std::vector<std::string> groups = {"group.default", "group.lamp", "group.key_left"};
    for (const std::string colour : {"R", "G", "B"}) {
        for (const auto& parts : {ways, groups}) {
            for (const std::string& part : parts) {
                EXPECT_GT(meanOf(image, part + "." + colour), 1e-4) << part;
            }
            for (std::size_t i = 0; i < image.pixelCount(); ++i) {
                double sum = 0.0;
                for (const std::string& part : parts) {
                    sum += image.find(part + "." + colour)->values[i];
                }
                ASSERT_NEAR(sum, image.find(colour)->values[i], 2e-6 * (1.0 + sum)) << parts[0] << ' ' << i;
            }
        }
    }
}

TEST(Layers, PartsOfTheLightAddUpToThePicture) {
    expectPartsAddUp(picture(litScene(), 64));
    expectPartsAddUp(picture(smokyScene(), 64));
}

/// A group's layer is the picture that its lights make alone.
TEST(Layers, AGroupIsThePictureOfItsLights) {
    Scene scene = litScene();
    const Image all = picture(scene, 1024);
    Scene lamp = scene;
    lamp.lights.clear();
    lamp.environment.radiance = glm::vec3(0.0F);
    Scene point = scene;
    point.materials[1].emission = glm::vec3(0.0F);
    point.environment.radiance = glm::vec3(0.0F);
    const double lampAlone = meanOf(picture(lamp, 1024), "G");
    const double pointAlone = meanOf(picture(point, 1024), "G");
    EXPECT_NEAR(meanOf(all, "group.lamp.G"), lampAlone, 0.03 * lampAlone);
    EXPECT_NEAR(meanOf(all, "group.key_left.G"), pointAlone, 0.03 * pointAlone);
}

TEST(Layers, APlaneHasItsDepthNormalAlbedoAndPosition) {
    Scene scene = floorScene();
    scene.film.aovs = AovSet::all();
    const Image image = picture(scene, 64);
    const double halfHeight = 4.0 * std::tan(25.0 * kPi / 180.0);
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        // Along the camera's axis, not along the ray.
        EXPECT_NEAR(image.find("depth.Z")->values[i], 4.0, 1e-5);
        EXPECT_NEAR(image.find("N.X")->values[i], 0.0, 1e-6);
        EXPECT_NEAR(image.find("N.Y")->values[i], 1.0, 1e-6);
        EXPECT_NEAR(image.find("albedo.R")->values[i], 0.2, 1e-6);
        EXPECT_NEAR(image.find("albedo.B")->values[i], 0.8, 1e-6);
        EXPECT_NEAR(image.find("P.Y")->values[i], 0.0, 1e-5);
        EXPECT_EQ(image.find("id.Y")->values[i], 1.0F);
        EXPECT_EQ(image.find("instance.Y")->values[i], 1.0F);
        EXPECT_EQ(image.find("asset.Y")->values[i], 1.0F);
        EXPECT_EQ(image.find("alpha.Y")->values[i], 1.0F);
        EXPECT_EQ(image.find("samples.Y")->values[i], 64.0F);
        const double x = (static_cast<double>(i % 8) + 0.5 - 4.0) / 3.0 * halfHeight;
        const double z = (static_cast<double>(i / 8) + 0.5 - 3.0) / 3.0 * halfHeight;
        // A pixel is 2 * halfHeight / 6 wide; the mean of 64 uniform positions has 1/28 of that as its error.
        EXPECT_NEAR(image.find("P.X")->values[i], x, 0.1);
        EXPECT_NEAR(image.find("P.Z")->values[i], z, 0.1);
    }
}

/// Smoke so thick that a ray ends at its face has a normal towards the viewer and the albedo of what it scatters.
TEST(Layers, SmokeHasItsDepthNormalAndAlbedo) {
    Scene scene = floorScene();
    scene.film.aovs = AovSet::all();
    const auto even = [](const glm::dvec3&) { return 1.0; };
    test::addVolume(scene, test::densityOf({-40, 0, -40}, {41, 11, 41}, 0.1, even), {2e4F, 4e4F, 6e4F},
                    {8e4F, 6e4F, 4e4F}, 0.0F);
    const Image image = picture(scene, 16);
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        EXPECT_NEAR(image.find("depth.Z")->values[i], 4.0 - 1.1, 0.01); // within the cell above the last points
        EXPECT_GT(image.find("N.Y")->values[i], 0.8);
        EXPECT_NEAR(image.find("albedo.R")->values[i], 0.2, 1e-3);
        EXPECT_NEAR(image.find("albedo.B")->values[i], 0.6, 1e-3);
        EXPECT_EQ(image.find("alpha.Y")->values[i], 1.0F);
    }
}

/// Thin smoke shares a pixel with the floor behind it, by how many rays it turns: that is what denoisers blend by.
TEST(Layers, ThinSmokeSharesPixelsWithWhatIsBehind) {
    Scene scene = floorScene();
    scene.film.aovs = AovSet::all();
    scene.film.width = 4;
    scene.film.height = 3;
    scene.cameras[0].verticalFov = 2.0;
    const auto even = [](const glm::dvec3&) { return 1.0; };
    test::addVolume(scene, test::densityOf({-10, 10, -10}, {11, 31, 11}, 0.1, even), {0.25F, 0.3F, 0.4F},
                    {0.25F, 0.2F, 0.1F}, 0.7F);
    const std::uint32_t samples = 1024;
    const Image image = picture(scene, samples);
    constexpr double kDepth = 0.5 * 2.1; // 2 m, and half a cell at both ends
    const double turned = 1.0 - std::exp(-kDepth);
    const auto mean = [&](const char* channel) {
        double sum = 0.0;
        for (const float value : image.find(channel)->values) {
            sum += double{value};
        }
        return sum / static_cast<double>(image.pixelCount());
    };
    const double rays = static_cast<double>(samples) * static_cast<double>(image.pixelCount());
    const double sigma = std::sqrt(turned * (1.0 - turned) / rays);
    EXPECT_NEAR(mean("albedo.R"), turned * 0.5 + (1.0 - turned) * 0.2, 4.0 * sigma * 0.3);
    EXPECT_NEAR(mean("albedo.G"), turned * 0.6 + (1.0 - turned) * 0.5, 4.0 * sigma * 0.1 + 1e-4);
    EXPECT_NEAR(mean("albedo.B"), 0.8, 1e-4);
    EXPECT_NEAR(mean("N.Y"), 1.0, 1e-3);
    // Turned after 0.95 m and a length that is distributed exponentially, but for the half cells' ramps.
    const double within = 2.0 - (kDepth * (1.0 - turned)) / (0.5 * turned);
    EXPECT_NEAR(mean("depth.Z"), turned * (0.95 + within) + (1.0 - turned) * 4.0, 4.0 * sigma * 2.5 + 0.01);
}

TEST(Layers, ASphereHasItsNormals) {
    Scene scene = floorScene();
    scene.meshes = {makeSphere({0.0, 1.0, 0.0}, 1.0, 5)};
    scene.cameras[0].verticalFov = 45.0;
    scene.film.width = scene.film.height = 33;
    scene.film.aovs = AovSet::all();
    const Image image = picture(scene, 16);
    int inside = 0;
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const auto at = [&](const char* name) { return static_cast<double>(image.find(name)->values[i]); };
        const double alpha = at("alpha.Y");
        if (alpha == 0.0) {
            for (const char* name : {"N.X", "N.Y", "N.Z", "P.X", "depth.Z", "id.Y", "albedo.R"}) {
                EXPECT_EQ(at(name), 0.0) << name;
            }
        } else if (alpha == 1.0 && at("N.Y") > 0.3) {
            ++inside;
            // The mean position over the mean normal's pixel: both lie on the sphere within its curvature.
            EXPECT_NEAR(at("N.X"), at("P.X"), 5e-3);
            EXPECT_NEAR(at("N.Y"), at("P.Y") - 1.0, 5e-3);
            EXPECT_NEAR(at("N.Z"), at("P.Z"), 5e-3);
            EXPECT_NEAR(at("depth.Z"), 4.0 - at("P.Y"), 1e-5);
        }
    }
    EXPECT_GT(inside, 100);
}

/// Positions and depths are those of what is there, whatever share of the pixel it covers.
TEST(Layers, DepthDoesNotMixWithNothing) {
    Scene scene = floorScene();
    scene.meshes = {makeQuad({-50, 0, 50}, {50, 0, 0}, {0, 0, -100})}; // left of the middle
    scene.film.width = 9;
    scene.film.aovs = AovSet::all();
    const Image image = picture(scene, 256);
    for (std::uint32_t y = 0; y < 6; ++y) {
        const std::size_t middle = 9 * y + 4;
        EXPECT_NEAR(image.find("alpha.Y")->values[middle], 0.5, 4.0 * 0.5 / 16.0);
        EXPECT_NEAR(image.find("depth.Z")->values[middle], 4.0, 1e-5);
        EXPECT_NEAR(image.find("albedo.G")->values[middle], 0.5F * image.find("alpha.Y")->values[middle], 1e-6);
        EXPECT_EQ(image.find("alpha.Y")->values[9 * y + 3], 1.0F);
        EXPECT_EQ(image.find("alpha.Y")->values[9 * y + 5], 0.0F);
    }
}

TEST(Layers, ATransparentPictureHasCoverageAndAssociatedColour) {
    Scene scene = floorScene();
    scene.meshes = {makeQuad({-50, 0, 50}, {50, 0, 0}, {0, 0, -100})};
    scene.materials[0].albedo = glm::vec3(0.0F);
    scene.materials[0].emission = glm::vec3(2.0F);
    scene.environment.radiance = glm::vec3(7.0F);
    scene.environment.sun = Sun{glm::dvec3(0, -1, 0), 90.0, glm::vec3(9.0F)};
    scene.film.width = 9;
    scene.film.transparent = true;
    const Image image = picture(scene, 64);
    EXPECT_EQ(image.channels.size(), 4U);
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        EXPECT_NEAR(image.find("R")->values[i], 2.0F * image.find("A")->values[i], 1e-6) << i;
    }
    EXPECT_EQ(image.find("A")->values[0], 1.0F);
    EXPECT_EQ(image.find("A")->values[8], 0.0F);
    EXPECT_GT(image.find("A")->values[4], 0.2F);
    EXPECT_LT(image.find("A")->values[4], 0.8F);
}

/// The sky still lights what it does not stand behind.
TEST(Layers, ATransparentPictureIsLitAlike) {
    Scene scene = floorScene();
    scene.environment.radiance = glm::vec3(1.0F);
    const Image opaque = picture(scene, 16);
    scene.film.transparent = true;
    const Image transparent = picture(scene, 16);
    EXPECT_EQ(opaque.find("R")->values, transparent.find("R")->values);
}

/// What is asked for beside the picture does not change it.
TEST(Layers, LeaveThePictureAlone) {
    Scene scene = litScene();
    const FilmSums with = render(scene, 0, 8);
    scene.film.aovs = {};
    const FilmSums without = render(scene, 0, 8);
    EXPECT_EQ(with.radiance, without.radiance);
    EXPECT_EQ(with.half, without.half);
    EXPECT_TRUE(without.planes.empty());
}

TEST(Layers, TheClampIsForIndirectLightOnly) {
    Scene scene = litScene();
    const Image whole = picture(scene, 64);
    scene.integrator.clamp = 0.05;
    const Image clamped = picture(scene, 64);
    for (const std::string colour : {".R", ".G", ".B"}) {
        EXPECT_EQ(whole.find("direct" + colour)->values, clamped.find("direct" + colour)->values);
        EXPECT_EQ(whole.find("emission" + colour)->values, clamped.find("emission" + colour)->values);
        EXPECT_LT(meanOf(clamped, "indirect" + colour), 0.9 * meanOf(whole, "indirect" + colour));
        EXPECT_GT(meanOf(clamped, "indirect" + colour), 0.0);
    }
    for (std::size_t i = 0; i < whole.pixelCount(); ++i) {
        EXPECT_LE(clamped.find("indirect.R")->values[i], whole.find("indirect.R")->values[i]);
        const double sum = static_cast<double>(clamped.find("direct.R")->values[i]) +
                           clamped.find("indirect.R")->values[i] + clamped.find("emission.R")->values[i];
        EXPECT_NEAR(clamped.find("R")->values[i], sum, 2e-6 * (1.0 + sum));
    }
}

TEST(Layers, PartsMergeIntoTheWhole) {
    for (Scene scene : {litScene(), smokyScene()}) {
        scene.film.transparent = true;
        const Image whole = filmImage(render(scene, 0, 12), true);
        const Image merged = mergeImages({filmImage(render(scene, 5, 12), true), filmImage(render(scene, 0, 5), true)},
                                         {"b.exr", "a.exr"});
        ASSERT_EQ(merged.channels.size(), whole.channels.size());
        expectMergedIsWhole(merged, whole);
    }
}

/// The variance layer against the scatter of independent pictures.
void expectHonestVariance(SamplerKind sampler, std::uint32_t samples, double allowed) {
    Scene scene = litScene();
    scene.integrator.sampler = sampler;
    constexpr int kPictures = 512; // a few bright samples make most of the variance: 128 pictures are too few
    double claimed = 0.0;
    std::vector<double> sum(48, 0.0);
    std::vector<double> squared(48, 0.0);
    for (int picture_ = 0; picture_ < kPictures; ++picture_) {
        scene.integrator.seed = static_cast<std::uint32_t>(picture_);
        const Image image = picture(scene, samples);
        claimed += meanOf(image, "variance.G") / kPictures;
        for (std::size_t i = 0; i < 48; ++i) {
            const double value = image.find("G")->values[i];
            sum[i] += value;
            squared[i] += value * value;
        }
    }
    double seen = 0.0;
    for (std::size_t i = 0; i < 48; ++i) {
        seen += (squared[i] - sum[i] * sum[i] / kPictures) / (kPictures - 1) / 48;
    }
    EXPECT_NEAR(claimed, seen, allowed * seen) << samples;
}

TEST(Layers, VarianceIsThatOfThePicturesMean) {
    expectHonestVariance(SamplerKind::Independent, 16, 0.1);
    expectHonestVariance(SamplerKind::Sobol, 16, 0.1);
    expectHonestVariance(SamplerKind::Sobol, 21, 0.1); // halves of 11 and 10
}

TEST(Layers, HalvesAreTheMeansOfEverySecondSample) {
    Scene scene = litScene();
    scene.film.aovs.add(Aov::Halves);
    const FilmSums film = render(scene, 0, 7);
    const Image image = filmImage(film, false);
    double apart = 0.0;
    for (std::size_t i = 0; i < film.pixelCount(); ++i) {
        const float a = image.find("halfA.G")->values[i];
        const float b = image.find("halfB.G")->values[i];
        EXPECT_NEAR((4.0F * a + 3.0F * b) / 7.0F, image.find("G")->values[i], 1e-5F * (a + b));
        apart += std::abs(a - b);
    }
    EXPECT_GT(apart, 0.0);
    // The first of them are samples 0, 2, 4 and 6.
    std::vector<double> even(film.radiance.size(), 0.0);
    for (const std::uint32_t sample : {0U, 2U, 4U, 6U}) {
        const FilmSums one = render(scene, sample, sample + 1);
        std::transform(even.begin(), even.end(), one.radiance.begin(), even.begin(), std::plus<>());
    }
    for (std::size_t i = 0; i < even.size(); ++i) {
        EXPECT_NEAR(film.half[i], even[i], 1e-9 * even[i]);
    }
}

/// Paths that end once the look of what they see is known show what whole paths do, of fewer rays, beside a film that
/// stays and goes on.
TEST(Layers, AreToldByCameraRaysAlone) {
    Scene scene = litScene();
    scene.materials[0].model = MaterialModel::Mirror; // the floor: what is seen in it is looked up
    scene.film.aovs = AovSet::all();
    const auto goOn = [](double) { return true; };
    ReferenceRenderer renderer(scene, defaultView(scene));
    renderer.render(0, 8, goOn);
    const std::uint64_t rays = renderer.rays();
    const FilmSums seen = renderer.layersOf(8, 16, goOn);
    EXPECT_EQ(seen.samples, (IndexRanges{{8, 16}}));
    const FilmSums whole = render(scene, 8, 16);
    EXPECT_EQ(seen.hits, whole.hits);
    for (std::size_t i = 0; i < whole.planes.size(); ++i) {
        const std::string layer = whole.planes[i].channel.substr(0, whole.planes[i].channel.find('.'));
        if (layer == "albedo" || layer == "N" || layer == "depth" || layer == "emission") {
            EXPECT_EQ(seen.planes[i].values, whole.planes[i].values) << whole.planes[i].channel;
        }
    }
    EXPECT_EQ(renderer.rays(), rays);
    renderer.render(8, 16, goOn);
    const FilmSums on = renderer.film();
    EXPECT_EQ(on.samples, (IndexRanges{{0, 16}}));
    EXPECT_EQ(on.radiance, render(scene, 0, 16).radiance);
}

/// What is seen in a mirror, dimmed by it, is the feature; where the mirror is, is the position.
TEST(Layers, FeaturesFollowMirrors) {
    shared::FilmLayers layers{};
    layers.first[AOV_ALBEDO] = 2;
    layers.first[AOV_NORMAL] = 5;
    layers.first[AOV_POSITION] = 8;
    layers.first[AOV_DIRECT] = 11;
    layers.light = 11;
    layers.count = 14;
    shared::CameraParams camera{};
    std::vector<float> record(layers.count, 7.0F); // of some path before
    const auto address = [](const auto& value) { return reinterpret_cast<std::uint64_t>(&value); };
    shared::Scatterer mirror{};
    mirror.normal = glm::vec3(0.0F, 1.0F, 0.0F);
    mirror.albedo = glm::vec3(0.5F);
    mirror.model = MODEL_MIRROR;
    shared::Scatterer wall{};
    wall.normal = glm::vec3(0.0F, 0.0F, 1.0F);
    wall.albedo = glm::vec3(0.8F);
    wall.model = MODEL_LAMBERT;
    const auto hit = [&](std::uint32_t scatterings, float throughput, const shared::Scatterer& surface, float x) {
        shared::layersHit(address(layers), address(record[0]), address(camera), scatterings, glm::vec3(throughput),
                          surface, glm::vec3(x), scatterings, 1);
    };
    hit(0, 1.0F, mirror, 1.0F);
    EXPECT_EQ(record[2], 0.0F);
    EXPECT_EQ(record[11], 0.0F);
    EXPECT_EQ(record[13], 0.0F);
    hit(1, 0.5F, wall, 2.0F);
    hit(2, 0.4F, wall, 3.0F);
    EXPECT_FLOAT_EQ(record[2], 0.4F);
    EXPECT_EQ(record[7], 1.0F);
    EXPECT_EQ(record[8], 1.0F);
    EXPECT_EQ(shared::layerOfSample(address(record[0]), LAYER_ID), 1.0F);
    EXPECT_EQ(shared::layerOfSample(address(record[0]), LAYER_HITS), 1.0F);
}

} // namespace
} // namespace aureole
