// Adaptive sampling: what it reaches, what it spends where, and how far its early stops pull the picture.

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "film/picture.h"
#include "model/primitives.h"
#include "reference/reference_renderer.h"
#include "tile_errors.h"

namespace aureole {
namespace {

/// A floor half under a roof with a lamp below it, the other half under an even sky that shows too: dim noise, bright
/// noise, and none.
Scene halfNoisyScene() {
    Scene scene;
    scene.meshes = {makeQuad({-4, 0, 4}, {8, 0, 0}, {0, 0, -8}), makeBox({-4.0, 1.5, -4.0}, {-1.0, 1.6, 4.0}),
                    makeQuad({-2.4, 1.2, -0.3}, {0.6, 0, 0}, {0, 0, 0.6})};
    scene.meshes[2].material = 1;
    scene.materials.resize(2);
    scene.materials[0].albedo = glm::vec3(0.6F);
    scene.materials[1].emission = glm::vec3(4.0F, 3.0F, 2.0F);
    scene.meshInstances = {MeshInstance{0}, MeshInstance{1}, MeshInstance{2}};
    scene.environment.radiance = glm::vec3(0.5F, 0.6F, 0.7F);
    scene.film.width = 36;
    scene.film.height = 24;
    scene.film.aovs.add(Aov::Samples);
    Camera camera;
    camera.position = {1.0, 1.2, 7.0};
    camera.target = {-0.5, 0.9, 0.0};
    camera.verticalFov = 40.0;
    scene.cameras = {camera};
    return scene;
}

constexpr std::uint32_t kBatch = 8;

FilmSums renderAdaptive(const Scene& scene, double noise, std::uint32_t most, std::uint64_t* pixelsLeft = nullptr) {
    ReferenceRenderer renderer(scene, defaultView(scene));
    std::uint32_t at = 0;
    while (at < most && renderer.activePixels() > 0) {
        const auto decision = static_cast<std::uint32_t>(AdaptiveTiles::nextDecision(at, kBatch));
        at = renderer.render(at, std::min(decision, most), [](double) { return true; });
        renderer.retire(noise);
    }
    if (pixelsLeft != nullptr) {
        *pixelsLeft = renderer.activePixels();
    }
    return renderer.film();
}

double luminanceOf(const FilmSums& film, std::size_t pixel) {
    const auto n = static_cast<double>(film.sampleCount(pixel));
    return luminance(film.radiance[3 * pixel], film.radiance[3 * pixel + 1], film.radiance[3 * pixel + 2]) / n;
}

FilmSums renderEvenly(const Scene& scene, std::uint32_t samples) {
    ReferenceRenderer renderer(scene, defaultView(scene));
    renderer.render(0, samples, [](double) { return true; });
    return renderer.film();
}

TEST(Adaptive, DecisionsComeAQuarterLaterEachTime) {
    std::uint64_t at = 0;
    for (const std::uint64_t expected : {64U, 80U, 104U, 136U, 176U}) {
        at = AdaptiveTiles::nextDecision(at, kBatch);
        EXPECT_EQ(at, expected);
    }
    EXPECT_GT(AdaptiveTiles::nextDecision(0xFFFFFFFFULL, kBatch), 0xFFFFFFFFULL);
}

TEST(Adaptive, RelativeErrorsAreThoseOfTheNeighbourhood) {
    FilmSums film;
    film.width = film.height = 5;
    film.samples = {{0, 100}};
    film.radiance.assign(75, 100.0); // a mean of 1
    film.squared.assign(75, 100.0);
    EXPECT_EQ(relativeErrors(film), std::vector<float>(25, 0.0F));
    for (std::size_t c = 36; c < 39; ++c) {
        film.squared[c] = 100.0 * (1.0 + 9.9); // the middle pixel: variance 9.9, of the mean 0.1
    }
    const std::vector<float> errors = relativeErrors(film);
    for (std::size_t i = 0; i < 25; ++i) {
        const bool near = i % 5 >= 1 && i % 5 <= 3 && i / 5 >= 1 && i / 5 <= 3;
        // The fifth row is another tile's.
        const double count = i / 5 == 3 ? 6.0 : 9.0;
        EXPECT_NEAR(errors[i], near ? std::sqrt(0.1 / count) / 1.05 : 0.0, 1e-6) << i;
    }
}

/// Halves tell less of a pixel, so that more neighbours count.
TEST(Adaptive, RelativeErrorsOfHalvesAreThoseOfMorePixels) {
    FilmSums film;
    film.width = film.height = 5;
    film.samples = {{0, 100}};
    film.radiance.assign(75, 100.0);
    film.half.assign(75, 50.0);
    EXPECT_EQ(relativeErrors(film), std::vector<float>(25, 0.0F));
    for (std::size_t c = 0; c < 3; ++c) {
        film.half[c] = 60.0; // the first pixel: means of 1.2 and 0.8, so an error of 0.2
    }
    const std::vector<float> errors = relativeErrors(film);
    for (std::size_t i = 0; i < 25; ++i) {
        const bool near = i % 5 <= 2 && i / 5 <= 2;
        const double count = (3.0 + static_cast<double>(i % 5)) * std::min(3.0 + static_cast<double>(i / 5), 4.0);
        EXPECT_NEAR(errors[i], near ? 0.2 / std::sqrt(count) / 1.05 : 0.0, 1e-6) << i;
    }
}

class AdaptiveBy : public testing::TestWithParam<SamplerKind> {};
INSTANTIATE_TEST_SUITE_P(Samplers, AdaptiveBy, testing::Values(SamplerKind::Independent, SamplerKind::Sobol),
                         [](const auto& sampler) { return samplerNames()[static_cast<std::size_t>(sampler.param)]; });

TEST_P(AdaptiveBy, ReachesTheNoiseWithSamplesWhereTheyAreNeeded) {
    Scene scene = halfNoisyScene();
    scene.integrator.sampler = GetParam();
    const double noise = GetParam() == SamplerKind::Sobol ? 0.02 : 0.04; // so that some tiles need many samples
    std::uint64_t left = 1;
    const FilmSums film = renderAdaptive(scene, noise, 1U << 16U, &left);
    EXPECT_EQ(left, 0U);
    const auto [least, most] = std::minmax_element(film.counts.begin(), film.counts.end());
    EXPECT_EQ(*least, AdaptiveTiles::kLeastSamples);
    EXPECT_GT(*most, 4 * *least);
    const std::vector<std::uint32_t> counts = film.counts;
    EXPECT_GT(std::set<std::uint32_t>(counts.begin(), counts.end()).size(), 3U);

    // The error that is really there: of the scale that was asked for, against a picture far better.
    const FilmSums truth = renderEvenly(
        [&] {
            Scene other = scene;
            other.integrator.seed = 99;
            other.integrator.sampler = SamplerKind::Sobol;
            return other;
        }(),
        2048);
    double mean = 0.0;
    for (std::size_t i = 0; i < film.pixelCount(); ++i) {
        mean += luminanceOf(truth, i) / static_cast<double>(film.pixelCount());
    }
    double squares = 0.0;
    int large = 0;
    for (std::size_t i = 0; i < film.pixelCount(); ++i) {
        const double error = (luminanceOf(film, i) - luminanceOf(truth, i)) / (luminanceOf(truth, i) + 0.05 * mean);
        squares += error * error / static_cast<double>(film.pixelCount());
        large += std::abs(error) > 3.0 * noise ? 1 : 0;
    }
    EXPECT_LT(std::sqrt(squares), 1.1 * noise);
    EXPECT_GT(std::sqrt(squares), 0.1 * noise);
    EXPECT_LT(large, static_cast<int>(film.pixelCount()) / 50);

    const Image image = filmImage(film, false);
    EXPECT_EQ(image.find("samples.Y")->values[0], static_cast<float>(film.counts[0]));
    EXPECT_TRUE(image.attributes.contains("aureole.sample_counts"));
    EXPECT_FALSE(image.attributes.contains("aureole.samples"));
}

/// Stopping looks at the samples that are averaged, so the mean is biased: by less than a tenth of the noise asked for.
TEST_P(AdaptiveBy, TheBiasIsFarBelowTheNoise) {
    Scene scene = halfNoisyScene();
    scene.integrator.sampler = GetParam();
    scene.film.width = 24;
    scene.film.height = 16;
    constexpr double kNoise = 0.1;
    constexpr int kPictures = 16;
    const auto means = [&](bool adaptive) {
        std::vector<double> values;
        for (int i = 0; i < kPictures; ++i) {
            scene.integrator.seed = static_cast<std::uint32_t>(1000 + i);
            const FilmSums film = adaptive ? renderAdaptive(scene, kNoise, 2048) : renderEvenly(scene, 256);
            double sum = 0.0;
            for (std::size_t p = 0; p < film.pixelCount(); ++p) {
                sum += luminanceOf(film, p) / static_cast<double>(film.pixelCount());
            }
            values.push_back(sum);
        }
        double mean = 0.0;
        double squares = 0.0;
        for (const double value : values) {
            mean += value / kPictures;
            squares += value * value / kPictures;
        }
        return std::pair(mean, std::sqrt(std::max(squares - mean * mean, 0.0) / (kPictures - 1)));
    };
    const auto [adaptive, adaptiveError] = means(true);
    const auto [even, evenError] = means(false);
    const double bias = adaptive / even - 1.0;
    const double doubt = 3.3 * std::hypot(adaptiveError, evenError) / even;
    RecordProperty("bias", std::to_string(bias));
    RecordProperty("doubt", std::to_string(doubt));
    EXPECT_LT(doubt, 0.05 * kNoise) << "the test cannot tell";
    EXPECT_LT(std::abs(bias), 0.05 * kNoise + doubt);
}

double meanLuminance(const FilmSums& film) {
    double sum = 0.0;
    for (std::size_t i = 0; i < film.pixelCount(); ++i) {
        sum += luminanceOf(film, i);
    }
    return sum / static_cast<double>(film.pixelCount());
}

/// A lamp that one path in some two thousand hits, found by chance alone: at the first decision every other tile has
/// seen none of it.
TEST(Adaptive, LightThatIsSeldomFoundIsNotTakenForNone) {
    Scene scene;
    scene.meshes = {makeQuad({-2, 0, 2}, {4, 0, 0}, {0, 0, -4}),
                    makeQuad({-0.04, 2, -0.04}, {0.08, 0, 0}, {0, 0, 0.08})};
    scene.meshes[1].material = 1;
    scene.materials.resize(2);
    scene.materials[0].albedo = glm::vec3(0.6F);
    scene.materials[1].emission = glm::vec3(1000.0F);
    scene.meshInstances = {MeshInstance{0}, MeshInstance{1}};
    scene.film.width = 48;
    scene.film.height = 32;
    Camera camera;
    camera.projection = Projection::Orthographic;
    camera.position = {0.0, 1.0, 0.0};
    camera.target = {0.0, 0.0, 0.0};
    camera.up = {0.0, 0.0, -1.0};
    camera.height = 1.0;
    scene.cameras = {camera};
    const double expected = meanLuminance(renderEvenly(scene, 64));
    scene.integrator.lightSampling = LightSampling::Bsdf;
    EXPECT_NEAR(meanLuminance(renderAdaptive(scene, 0.1, 1024)), expected, 0.15 * expected);
}

/// The same decisions at the same counts, however the range is cut: the same bytes.
TEST(Adaptive, IsReproducible) {
    Scene scene = halfNoisyScene();
    scene.film.width = 24;
    scene.film.height = 16;
    const FilmSums a = renderAdaptive(scene, 0.1, 512);
    const FilmSums b = renderAdaptive(scene, 0.1, 512);
    EXPECT_EQ(a.radiance, b.radiance);
    EXPECT_EQ(a.counts, b.counts);
}

} // namespace
} // namespace aureole
