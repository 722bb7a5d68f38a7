// The numbers that samples are made of.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "shared/sampling/rng.h"

namespace aureole::shared {
namespace {

Rng stream(uint kind, uint pixel, uint index, uint dimension = 0, uint seed = 7) {
    return Rng{seed, pixel, index, dimension, kind};
}

uvec4 wordsOf(uint kind, uint pixel, uint index, uint dimension = 0, uint seed = 7) {
    Rng rng = stream(kind, pixel, index, dimension, seed);
    return rngNextBits(rng);
}

vec4 numbersOf(uint kind, uint pixel, uint index, uint dimension = 0, uint seed = 7) {
    Rng rng = stream(kind, pixel, index, dimension, seed);
    return rngNext(rng);
}

/// The second dimension's direction numbers are Pascal's triangle modulo 2 (Sobol 1967).
TEST(Sobol, SecondDimensionIsPascalsTriangle) {
    std::array<uint, 32> columns{};
    for (unsigned k = 0; k < 32; ++k) {
        for (unsigned row = 0; row <= k; ++row) {
            columns[k] |= ((row & (k - row)) == 0 ? 1U : 0U) << row; // whether k over row is odd (Kummer 1852)
        }
    }
    std::vector<uint> indices = {0xFFFFFFFFU, 0x80000000U, 0x12345678U};
    for (uint i = 0; i < 4096; ++i) {
        indices.push_back(i);
        indices.push_back(i * 2654435761U);
    }
    for (const uint index : indices) {
        uint expected = 0;
        for (unsigned k = 0; k < 32; ++k) {
            expected ^= ((index >> k) & 1U) * columns[k];
        }
        ASSERT_EQ(sobolSecond(index), expected) << index;
    }
}

/// The tests below see whether the scrambles are good, not whether a constant is another: so these are values of the
/// hash as Vegdahl publishes it, reckoned elsewhere.
TEST(Sobol, ScramblesStayThoseOfVegdahl) {
    EXPECT_EQ(hashUpwards(0U, 0U), 0U);
    EXPECT_EQ(hashUpwards(1U, 0U), 0x3EAEF8DDU);
    EXPECT_EQ(hashUpwards(1U, 1U), 0x6CF470B4U);
    EXPECT_EQ(hashUpwards(0x80000000U, 0x12345678U), 0xEFEB9E68U);
    EXPECT_EQ(hashUpwards(0xDEADBEEFU, 0x9E3779B9U), 0x621DC862U);
    EXPECT_EQ(hashUpwards(0xFFFFFFFFU, 0xFFFFFFFFU), 0x5EDBFD28U);
}

/// The independent sampler has always given these.
TEST(Independent, NumbersStayThoseOfPcg4d) {
    const auto step = [](std::array<std::uint64_t, 4>& v) {
        constexpr std::uint64_t kMask = 0xFFFFFFFF;
        v[0] = (v[0] + v[1] * v[3]) & kMask;
        v[1] = (v[1] + v[2] * v[0]) & kMask;
        v[2] = (v[2] + v[0] * v[1]) & kMask;
        v[3] = (v[3] + v[1] * v[2]) & kMask;
    };
    for (uint i = 0; i < 100; ++i) {
        std::array<std::uint64_t, 4> v = {i, 3 * i + 1, i % 5, 7};
        for (std::uint64_t& word : v) {
            word = (word * 1664525 + 1013904223) & 0xFFFFFFFF;
        }
        step(v);
        for (std::uint64_t& word : v) {
            word ^= word >> 16U;
        }
        step(v);
        const uvec4 found = wordsOf(SAMPLER_INDEPENDENT, i, 3 * i + 1, i % 5);
        for (int c = 0; c < 4; ++c) {
            ASSERT_EQ(found[c], v[static_cast<std::size_t>(c)]);
        }
    }
}

/// The most points by which any elementary interval of area 2^-m misses its one, over all shapes, in the plane of a
/// word and the next: 0 for a (0, m, 2)-net.
int netDefect(const std::vector<uvec4>& points, int first) {
    const auto m = static_cast<unsigned>(std::lround(std::log2(static_cast<double>(points.size()))));
    int worst = 0;
    for (unsigned along = 0; along <= m; ++along) {
        const unsigned across = m - along;
        std::vector<int> counts(points.size(), 0);
        for (const uvec4& p : points) {
            const auto column = static_cast<std::uint64_t>(p[first]) >> (32U - along);
            const auto row = static_cast<std::uint64_t>(p[first + 1]) >> (32U - across);
            ++counts[(row << along) | column];
        }
        for (const int count : counts) {
            worst = std::max(worst, std::abs(count - 1));
        }
    }
    return worst;
}

/// Samples of even index are a sequence, and so are those of odd index.
TEST(Sobol, EveryAlignedBlockIsANet) {
    for (uint group = 0; group < 12; ++group) {
        for (unsigned m = 0; m <= 10; ++m) {
            const uint size = 1U << m;
            const uint block = group % 3 == 0 ? 0 : group * 5 + 1;
            std::vector<uvec4> points;
            std::vector<uvec4> random;
            for (uint i = 0; i < size; ++i) {
                points.push_back(wordsOf(SAMPLER_SOBOL, 100 + group, 2 * (block * size + i) + group % 2, group));
                random.push_back(wordsOf(SAMPLER_INDEPENDENT, 100 + group, block * size + i, group));
            }
            for (const int first : {0, 2}) {
                EXPECT_EQ(netDefect(points, first), 0) << group << ": " << m << ", " << first;
            }
            EXPECT_TRUE(m < 4 || netDefect(random, 0) > 0) << "the test sees nothing";
        }
    }
}

/// Chi-square over a grid of 16 x 16; 255 degrees of freedom, two-sided at 1e-4 in all.
void expectUniform(const std::vector<vec4>& numbers, int first, int second) {
    std::vector<double> counts(256, 0.0);
    for (const vec4& u : numbers) {
        ASSERT_GE(std::min(u[first], u[second]), 0.0F);
        ASSERT_LT(std::max(u[first], u[second]), 1.0F);
        counts[static_cast<std::size_t>(u[first] * 16.0F) * 16 + static_cast<std::size_t>(u[second] * 16.0F)] += 1.0;
    }
    const double expected = static_cast<double>(numbers.size()) / 256.0;
    double chiSquare = 0.0;
    for (const double count : counts) {
        chiSquare += (count - expected) * (count - expected) / expected;
    }
    EXPECT_GT(chiSquare, 255.0 - 4.2 * std::sqrt(510.0)) << first << second;
    EXPECT_LT(chiSquare, 255.0 + 4.8 * std::sqrt(510.0)) << first << second;
}

/// Over pixels, over groups and over seeds, at one sample index each time: scrambles must be uniform by themselves, and
/// no two of them alike.
TEST(Sobol, ScramblesAreUniform) {
    for (const uint index : {0U, 1U, 5U, 1000U, 0xFFFFFFFFU}) {
        std::vector<vec4> overPixels;
        std::vector<vec4> overGroups;
        std::vector<vec4> overSeeds;
        for (uint i = 0; i < 40000; ++i) {
            overPixels.push_back(numbersOf(SAMPLER_SOBOL, i, index));
            overGroups.push_back(numbersOf(SAMPLER_SOBOL, 11, index, i));
            overSeeds.push_back(numbersOf(SAMPLER_SOBOL, 11, index, 2, i));
        }
        for (const auto& [first, second] : {std::pair{0, 1}, {2, 3}, {0, 3}, {1, 2}}) {
            expectUniform(overPixels, first, second);
            expectUniform(overGroups, first, second);
            expectUniform(overSeeds, first, second);
        }
    }
}

/// The mean product of two streams' deviations, in standard errors of independent numbers.
template <typename First, typename Second>
double correlation(First first, Second second) {
    constexpr uint kPairs = 4000;
    constexpr uint kSamples = 16;
    double sum = 0.0;
    double squares = 0.0;
    for (uint pair = 0; pair < kPairs; ++pair) {
        double product = 0.0;
        for (uint i = 0; i < kSamples; ++i) {
            product += (static_cast<double>(first(pair, i)) - 0.5) * (static_cast<double>(second(pair, i)) - 0.5);
        }
        sum += product;
        squares += product * product;
    }
    return sum / std::sqrt(squares);
}

TEST(Sobol, PixelsGroupsSeedsAndDimensionsAreUncorrelated) {
    const auto number = [](uint pixel, uint i, uint dimension, uint seed, int component) {
        return numbersOf(SAMPLER_SOBOL, pixel, i, dimension, seed)[component];
    };
    for (int c = 0; c < 4; ++c) {
        const auto base = [&](uint p, uint i) { return number(p, i, 3, 7, c); };
        EXPECT_LT(std::abs(correlation(base, [&](uint p, uint i) { return number(p + 1, i, 3, 7, c); })), 4.5);
        EXPECT_LT(std::abs(correlation(base, [&](uint p, uint i) { return number(p + 1920, i, 3, 7, c); })), 4.5);
        EXPECT_LT(std::abs(correlation(base, [&](uint p, uint i) { return number(p, i, 4, 7, c); })), 4.5);
        EXPECT_LT(std::abs(correlation(base, [&](uint p, uint i) { return number(p, i, 3, 8, c); })), 4.5);
        EXPECT_LT(std::abs(correlation([&](uint p, uint i) { return number(p, 2 * i, 3, 7, c); },
                                       [&](uint p, uint i) { return number(p, 2 * i + 1, 3, 7, c); })),
                  4.5);
        for (int other = c + 1; other < 4; ++other) {
            EXPECT_LT(std::abs(correlation(base, [&](uint p, uint i) { return number(p, i, 3, 7, other); })), 4.5);
        }
        EXPECT_GT(correlation(base, base), 20.0) << "the test sees nothing";
    }
}

/// Were two pairs in the same order, of one group or of two, their common plane would be filled along a curve.
TEST(Sobol, PairsFillTheirCommonPlane) {
    struct Plane {
        uint first;
        uint second;
        int component; ///< of the second
    };
    for (uint pixel = 0; pixel < 50; ++pixel) {
        for (const auto& [first, second, component] : {Plane{0, 1, 0}, {1, 2, 0}, {5, 9, 2}, {3, 3, 2}, {4, 4, 3}}) {
            std::vector<int> cells(256, 0);
            for (uint i = 0; i < 256; ++i) {
                const auto column = wordsOf(SAMPLER_SOBOL, pixel, i, first).x >> 28U;
                const auto row = wordsOf(SAMPLER_SOBOL, pixel, i, second)[component] >> 28U;
                cells[row * 16 + column] = 1;
            }
            // Of points at random 162 +- 6.
            EXPECT_GT(std::count(cells.begin(), cells.end(), 1), 125) << pixel << ": " << first << ' ' << second;
        }
    }
}

/// Root mean square error over pixels of the mean of a smooth function of two numbers at n samples.
double errorOf(uint kind, uint samples, int first, int second) {
    constexpr double kPi = 3.14159265358979323846;
    const double exact = (2.0 / kPi) * (std::exp(1.0) - 1.0);
    double sum = 0.0;
    constexpr uint kPixels = 200;
    for (uint pixel = 0; pixel < kPixels; ++pixel) {
        double mean = 0.0;
        for (uint i = 0; i < samples; ++i) {
            const vec4 u = numbersOf(kind, pixel, i, 1);
            mean += std::sin(kPi * static_cast<double>(u[first])) * std::exp(static_cast<double>(u[second])) / samples;
        }
        sum += (mean - exact) * (mean - exact);
    }
    return std::sqrt(sum / kPixels);
}

/// Of the logarithm of the error against that of the samples, by least squares.
double slopeOf(uint kind, int first, int second) {
    double sx = 0.0;
    double sy = 0.0;
    double sxx = 0.0;
    double sxy = 0.0;
    constexpr unsigned kLast = 10;
    for (unsigned m = 0; m <= kLast; ++m) {
        const double y = std::log2(errorOf(kind, 1U << m, first, second));
        sx += m;
        sy += y;
        sxx += static_cast<double>(m) * m;
        sxy += m * y;
    }
    constexpr double n = kLast + 1;
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

TEST(Sobol, ErrorOfASmoothIntegrandFallsFaster) {
    for (const auto& [first, second] : {std::pair{0, 1}, {2, 3}}) {
        const double independent = slopeOf(SAMPLER_INDEPENDENT, first, second);
        const double sobol = slopeOf(SAMPLER_SOBOL, first, second);
        EXPECT_NEAR(independent, -0.5, 0.05);
        EXPECT_LT(sobol, -1.2);
        RecordProperty(first == 0 ? "slope_xy" : "slope_zw", std::to_string(sobol));
    }
    EXPECT_LT(errorOf(SAMPLER_SOBOL, 256, 0, 1), 0.1 * errorOf(SAMPLER_INDEPENDENT, 256, 0, 1));
}

} // namespace
} // namespace aureole::shared
