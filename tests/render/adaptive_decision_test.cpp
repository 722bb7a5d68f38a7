// Which tiles are done: decided on the device, on the CPU, and in double.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "film/film_pixel.h"
#include "film/tiles.h"
#include "gpu_test/gpu_test.h"
#include "render/adaptive_decision.h"
#include "tile_errors.h"

namespace aureole {
namespace {

constexpr glm::uvec2 kSize(171, 103); // tiles stick out on both sides, and their luminances take two sums
constexpr double kNoise = 0.05;

class AdaptiveDecisionTest : public gpu::GpuTest, public testing::WithParamInterface<bool> {
protected:
    /// Pixels whose luminance falls over five magnitudes from left to right, and whose error rises downwards past the
    /// noise wanted, up to chance.
    static FilmSums filmOf(std::uint32_t samples, bool isSobol) {
        FilmSums film;
        film.width = kSize.x;
        film.height = kSize.y;
        film.samples = {{0, samples}};
        film.radiance.resize(3 * film.pixelCount());
        RawVector<double>& spread = isSobol ? film.half : film.squared;
        spread.resize(film.radiance.size());
        std::mt19937 random(7);
        std::uniform_real_distribution<double> unit(0.0, 1.0);
        for (std::size_t i = 0; i < film.pixelCount(); ++i) {
            const double x = static_cast<double>(i % kSize.x) / kSize.x;
            const double y = static_cast<double>(i / kSize.x) / kSize.y;
            for (std::size_t c = 0; c < 3; ++c) {
                const double mean = std::pow(10.0, 2.0 - 5.0 * x) * (0.8 + 0.4 * unit(random));
                const double error = 4.0 * kNoise * y * y * (0.5 + unit(random)) * mean;
                const std::size_t at = 3 * i + c;
                film.radiance[at] = samples * mean;
                const double even = samples / 2 + samples % 2;
                spread[at] = isSobol ? even * (mean + (unit(random) < 0.5 ? error : -error))
                                     : samples * (mean * mean + samples * error * error);
            }
        }
        return film;
    }

    static std::vector<std::uint32_t> decide(const FilmSums& film, const AdaptiveTiles& tiles) {
        const bool isSobol = !film.half.empty();
        std::vector<shared::FilmPixel> pixels;
        for (std::size_t i = 0; i < film.pixelCount(); ++i) {
            pixels.push_back(filmPixel(film.radiance, isSobol ? film.half : film.squared, i));
        }
        const gpu::Buffer onDevice = device().createBufferWith(std::span<const shared::FilmPixel>(pixels), "film");
        const AdaptiveDecision decision(device(), kSize, isSobol);
        AdaptiveTiles left = tiles;
        left.retire(decision.decide(onDevice, tiles.doneAt(), tiles.activeSamples(), kNoise));
        return left.active();
    }
};
INSTANTIATE_TEST_SUITE_P(Samplers, AdaptiveDecisionTest, testing::Bool(),
                         [](const auto& isSobol) { return isSobol.param ? "sobol" : "independent"; });

/// Twice over: where tiles are done, those around them look at fewer, and the mean of the picture has pixels of either
/// number of samples.
TEST_P(AdaptiveDecisionTest, IsThatOfTheCpuAndOfDoubles) {
    for (const std::uint32_t samples : {64U, 81U, 12345U}) {
        SCOPED_TRACE(samples);
        AdaptiveTiles tiles(kSize);
        tiles.reached(samples);
        FilmSums film = filmOf(samples, GetParam());
        for (int i = 0; i < 2; ++i) {
            const std::vector<std::uint32_t> before = tiles.active();
            const std::vector<double> noise = noiseOfTiles(film, before);
            const std::vector<std::uint32_t> onDevice = decide(film, tiles);
            tiles.retire(film, kNoise);
            EXPECT_EQ(onDevice, tiles.active());
            EXPECT_LT(tiles.active().size(), before.size());
            EXPECT_GT(tiles.active().size(), 10U);
            for (std::size_t t = 0; t < before.size(); ++t) {
                const bool isActive = std::binary_search(tiles.active().begin(), tiles.active().end(), before[t]);
                EXPECT_TRUE(isActive == (noise[t] > kNoise) || std::abs(noise[t] / kNoise - 1.0) < 1e-4)
                    << "tile " << before[t] << " of noise " << noise[t];
            }
            // As many samples again for those that are left, with less error.
            const FilmSums more = filmOf(2 * samples, GetParam());
            tiles.reached(2 * samples);
            const std::vector<char> mask = tiles.activeMask();
            for (std::size_t c = 0; c < film.radiance.size(); ++c) {
                if (mask[c / 3] != 0) {
                    const auto improved = [&](double whole, double even) { return even + 0.6 * (whole - even); };
                    film.radiance[c] = more.radiance[c];
                    if (GetParam()) {
                        film.half[c] = improved(more.half[c], 0.5 * more.radiance[c]);
                    } else {
                        const double square = more.radiance[c] * more.radiance[c] / (2.0 * samples);
                        film.squared[c] = improved(more.squared[c], square);
                    }
                }
            }
            film.samples = {{0, 2 * samples}};
            film.setCounts(tiles.pixelSamples());
        }
    }
}

/// Neither black pictures nor numbers that are none end in a wrong decision.
TEST_P(AdaptiveDecisionTest, KnowsBlackAndWhatIsNoNumber) {
    FilmSums film = filmOf(64, GetParam());
    RawVector<double>& spread = GetParam() ? film.half : film.squared;
    std::fill(film.radiance.begin(), film.radiance.end(), 0.0);
    std::fill(spread.begin(), spread.end(), 0.0);
    AdaptiveTiles tiles(kSize);
    tiles.reached(64);
    EXPECT_TRUE(decide(film, tiles).empty());
    film.radiance[3 * (kSize.x + 1)] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(decide(film, tiles).size(), tiles.active().size()) << "no mean is known";
    AdaptiveTiles onCpu = tiles;
    onCpu.retire(film, kNoise);
    EXPECT_EQ(onCpu.active(), tiles.active());
}

} // namespace
} // namespace aureole
