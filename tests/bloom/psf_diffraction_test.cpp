// Airy's pattern against its closed form, and the diffraction of apertures against Airy, symmetry and geometry.

#include <algorithm>
#include <random>

#include <fftw3.h>
#include <gtest/gtest.h>

#include "bloom/psf/airy.h"
#include "bloom/psf/aperture.h"
#include "bloom/psf/diffraction.h"
#include "bloom/psf/fft.h"
#include "bloom/psf/spectrum.h"
#include "core/error.h"
#include "core/math.h"
#include "filter_util.h"
#include "full_sweep.h"
#include "psf_util.h"

namespace aureole {
namespace {

using testing::lightWithin;
using testing::meanDistance;
using testing::texel;

TEST(HostFft, IsThatOfFftw) {
    std::mt19937 random(5);
    for (const std::size_t length : {2U, 4U, 8U, 64U, 128U, 4096U}) {
        std::vector<std::complex<double>> data(length);
        for (auto& value : data) {
            value = {static_cast<double>(random()) * 0x1p-32 - 0.5, static_cast<double>(random()) * 0x1p-32};
        }
        std::vector<std::complex<double>> expected = data;
        auto* const raw = reinterpret_cast<fftw_complex*>(expected.data());
        auto* const plan = fftw_plan_dft_1d(static_cast<int>(length), raw, raw, FFTW_FORWARD, FFTW_ESTIMATE);
        fftw_execute(plan);
        fftw_destroy_plan(plan);
        std::vector<std::complex<double>> scratch(length);
        HostFft(length).transform(data.data(), scratch.data());
        for (std::size_t k = 0; k < length; ++k) {
            ASSERT_LT(std::abs(data[k] - expected[k]), 1e-12 * std::sqrt(static_cast<double>(length))) << k;
        }
    }
}

TEST(Spectrum, WeightsAreThoseOfWhiteLight) {
    for (const std::uint32_t count : {32U, 200U}) {
        PsfColour sums{};
        PsfColour centroid{};
        for (const SpectralBand& band : spectralBands(count)) {
            for (std::size_t c = 0; c < 3; ++c) {
                EXPECT_GE(band.weights.at(c), 0.0);
                sums.at(c) += band.weights.at(c);
                centroid.at(c) += band.weights.at(c) * 0.5 * (band.from + band.to);
            }
        }
        for (const double sum : sums) {
            EXPECT_NEAR(sum, 1.0, 1e-12);
        }
        EXPECT_GT(centroid[0], 590.0);
        EXPECT_NEAR(centroid[1], 545.0, 15.0);
        EXPECT_LT(centroid[2], 465.0);
    }
}

TEST(Airy, TailIsThatOfTheClosedForm) {
    // First and second dark ring and the light within (Born and Wolf, table 8.2).
    EXPECT_NEAR(1.0 - airyTail(1.2197), 0.838, 5e-4);
    EXPECT_NEAR(1.0 - airyTail(2.2331), 0.910, 5e-4);
    EXPECT_NEAR(airyTail(1e-9), 1.0, 1e-12);
    // The tail's slope is the pattern (2 J1(v) / v)^2 of unit energy, pi/4 at the centre in these units.
    for (const double r : {0.3, 0.9, 1.22, 2.0, 7.3}) {
        const double v = kPi * r;
        const double amplitude = 2.0 * std::cyl_bessel_j(1.0, v) / v;
        const double slope = (airyTail(r + 1e-5) - airyTail(r - 1e-5)) / 2e-5;
        EXPECT_NEAR(-slope / (2.0 * kPi * r), kPi / 4.0 * amplitude * amplitude, 1e-8) << r;
    }
}

/// The kernel's own light within the first dark ring of green, whose spectrum is about even around 545 nm.
TEST(Airy, KernelHoldsItsEnergyWithinTheRings) {
    const double diameter = 2.0;
    const double unit = 545e-6 / diameter * 180.0 / kPi; // wavelength / diameter in degrees
    const BloomKernel kernel = airyKernel({801, 801, unit / 16.0}, diameter);
    EXPECT_NEAR(lightWithin(kernel, 1.22 * 16.0, 1), 0.838, 0.02);
    EXPECT_NEAR(lightWithin(kernel, 2.233 * 16.0, 1), 0.910, 0.02);
    // Its first minimum along the axis.
    std::int64_t darkest = 8;
    for (std::int64_t x = 8; x < 28; ++x) {
        darkest = texel(kernel, x, 0, 1) < texel(kernel, darkest, 0, 1) ? x : darkest;
    }
    EXPECT_NEAR(static_cast<double>(darkest) / 16.0, 1.22, 0.07);
}

/// With texels of 40 rings, all but the tail of the closed form is in the middle one.
TEST(Airy, CoreSmallerThanATexelFallsIntoTheCentre) {
    const double diameter = 10.0;
    const double unit = 545e-6 / diameter * 180.0 / kPi;
    const BloomKernel kernel = airyKernel({401, 401, 40.0 * unit}, diameter);
    // Beyond a square of half side a, in units of wavelength / diameter: 4 sqrt(2) / (pi^3 a) from the mean falloff.
    EXPECT_NEAR(1.0 - texel(kernel, 0, 0, 1), 4.0 * std::sqrt(2.0) / (kPi * kPi * kPi * 20.0), 3e-4);
}

TEST(Diffraction, BlueIsNarrowerThanRed) {
    for (const BloomKernel& kernel :
         {airyKernel({201, 201, 0.002}, 3.0), apertureKernel({201, 201, 0.002}, 3.0, ApertureShape{})}) {
        const double red = meanDistance(kernel, 50, 0);
        const double green = meanDistance(kernel, 50, 1);
        const double blue = meanDistance(kernel, 50, 2);
        EXPECT_GT(red, 1.03 * green);
        EXPECT_GT(green, 1.08 * blue);
        EXPECT_GT(texel(kernel, 0, 0, 2), 1.2 * texel(kernel, 0, 0, 0));
    }
}

TEST(Aperture, RoundOnesGiveAirysPattern) {
    for (const double degrees : {0.001, 0.02, 0.08}) { // a tenth to eight rings a texel
        const PsfFrame frame{161, 121, degrees};
        const BloomKernel airy = airyKernel(frame, 3.0);
        ApertureShape full;
        full.roundness = 1.0;
        ApertureShape round;
        round.blades = 0;
        const bool both = fullSweep() || degrees == 0.02;
        for (const ApertureShape& shape : both ? std::vector{full, round} : std::vector{round}) {
            const BloomKernel kernel = apertureKernel(frame, 3.0, shape);
            for (const std::size_t c : {0U, 1U, 2U}) {
                double difference = 0.0;
                for (std::size_t i = 0; i < airy.planes[0].size(); ++i) {
                    difference += std::abs(kernel.planes.at(c)[i] - airy.planes.at(c)[i]);
                }
                EXPECT_LT(difference, 0.012) << degrees << " degrees, channel " << c;
            }
        }
    }
}

/// Light of one channel by direction, 0 to 359 degrees counter-clockwise, on a ring.
std::vector<double> lightByDirection(const BloomKernel& kernel, double from, double to) {
    std::vector<double> light(360);
    const auto bound = static_cast<std::int64_t>(to);
    for (std::int64_t y = -bound; y <= bound; ++y) {
        for (std::int64_t x = -bound; x <= bound; ++x) {
            const double distance = std::hypot(static_cast<double>(x), static_cast<double>(y));
            if (distance >= from && distance < to) {
                // Rows count downwards.
                const double direction = std::atan2(static_cast<double>(-y), static_cast<double>(x)) * 180.0 / kPi;
                light[static_cast<std::size_t>(std::lround(direction) + 360) % 360] += texel(kernel, x, y, 1);
            }
        }
    }
    return light;
}

/// The directions in which a ring is brightest within 10 degrees to either side, and well above the mean.
std::vector<int> streaks(const std::vector<double>& light) {
    double mean = 0.0;
    for (const double value : light) {
        mean += value / 360.0;
    }
    std::vector<int> found;
    for (int i = 0; i < 360; ++i) {
        bool peak = light[static_cast<std::size_t>(i)] > 2.0 * mean;
        for (int j = -10; j <= 10 && peak; ++j) {
            const double other = light[static_cast<std::size_t>((i + j + 360) % 360)];
            peak = j == 0 ||
                   (j < 0 ? other < light[static_cast<std::size_t>(i)] : other <= light[static_cast<std::size_t>(i)]);
        }
        if (peak) {
            found.push_back(i);
        }
    }
    return found;
}

TEST(Aperture, BladesThrowStreaksAcrossTheirSides) {
    std::vector<std::pair<std::uint32_t, double>> cases = {{4, 11.0}, {5, 0.0}, {7, 5.0}};
    if (fullSweep()) {
        cases.insert(cases.end(), {{3, 0.0}, {6, 20.0}, {8, 3.0}});
    }
    for (const auto& [blades, rotation] : cases) {
        ApertureShape shape;
        shape.blades = blades;
        shape.rotation = rotation;
        const BloomKernel kernel = apertureKernel({261, 261, 0.02}, 3.0, shape);
        const std::vector<int> found = streaks(lightByDirection(kernel, 20.0, 60.0));
        const std::uint32_t expected = blades % 2 == 0 ? blades : 2 * blades;
        ASSERT_EQ(found.size(), expected) << blades << " blades";
        for (std::uint32_t side = 0; side < blades; ++side) {
            const double direction = std::fmod(rotation + 180.0 * (2 * side + 1) / blades, 360.0);
            const bool there = std::any_of(found.begin(), found.end(), [&](int streak) {
                return std::abs(std::remainder(streak - direction, 360.0)) <= 1.5;
            });
            EXPECT_TRUE(there) << blades << " blades turned: none at " << direction;
        }
    }
}

TEST(Aperture, RoundingTheBladesSpreadsTheStreaks) {
    double last = 0.0;
    for (const double roundness : {1.0, 0.6, 0.2, 0.0}) {
        ApertureShape shape;
        shape.roundness = roundness;
        const std::vector<double> light = lightByDirection(apertureKernel({161, 161, 0.02}, 3.0, shape), 20.0, 60.0);
        const double contrast =
            *std::max_element(light.begin(), light.end()) / *std::min_element(light.begin(), light.end());
        EXPECT_GT(contrast, 1.5 * last) << roundness;
        last = contrast;
    }
}

TEST(Aperture, DustAndScratchesFollowTheirSeed) {
    const PsfFrame frame{101, 101, 0.01};
    ApertureShape clean;
    ApertureShape dirty = clean;
    dirty.dust = 50;
    dirty.scratches = 5;
    ApertureShape other = dirty;
    other.seed = 1;
    const BloomKernel first = apertureKernel(frame, 3.0, clean);
    const BloomKernel second = apertureKernel(frame, 3.0, dirty);
    const BloomKernel third = apertureKernel(frame, 3.0, other);
    EXPECT_NE(first.planes, second.planes);
    EXPECT_NE(second.planes, third.planes);
    // Dirt takes light out of the core and scatters it.
    EXPECT_LT(texel(second, 0, 0, 1), texel(first, 0, 0, 1));
}

/// An edge 2 diameters from the pattern's centre to where it is continued by its power law: no step, no ghost.
TEST(Diffraction, IsContinuedBeyondTheTransform) {
    ApertureShape square;
    square.blades = 4;
    square.rotation = 45.0; // sides along the axes
    const DiffractionPattern pattern([&](std::uint32_t samples) { return drawAperture(square, samples); }, 0.25, 5000.0,
                                     0.015);
    const auto strip = [&](double from, double to) { // light of the streak along +x
        std::vector<double> upper(2);
        std::vector<double> lower(2);
        pattern.cumulative(from, to - from, 20.0, upper);
        pattern.cumulative(from, to - from, -20.0, lower);
        return upper[1] - upper[0] - lower[1] + lower[0];
    };
    // Light along a streak falls with the square of the distance: strips of equal ratio hold shares of equal ratio.
    const double side = std::sqrt(0.5);
    for (const double at : {50.0, 150.0, 300.0, 500.0, 640.0, 800.0, 1500.0, 3000.0}) {
        // sinc^2(side x), side dx, on average 1 / (2 pi^2 side^2 x^2).
        const double expected = (1.0 / at - 1.0 / (1.2 * at)) / (2.0 * kPi * kPi * side);
        EXPECT_NEAR(strip(at, 1.2 * at) / expected, 1.0, 0.1) << at;
    }
    std::vector<double> all(2);
    pattern.cumulative(-5000.0, 10000.0, 5000.0, all);
    EXPECT_NEAR(2.0 * (all[1] - all[0]), 1.0, 0.01) << "Parseval";
}

TEST(Aperture, TakesAnImage) {
    // A slit, three times as high as wide, spreads light three times as far across as along.
    Image slit = makeImage(48, 48, {"Y"});
    for (std::uint32_t y = 12; y < 36; ++y) {
        for (std::uint32_t x = 20; x < 28; ++x) {
            slit.channels[0].values[y * 48 + x] = 7.0F;
        }
    }
    const double unit = 545e-6 / 4.0 * 180.0 / kPi;
    const BloomKernel kernel = apertureKernel({201, 201, unit / 4.0}, 4.0, slit, "slit.exr");
    // Dark lines at wavelength / width: a width of 1/6 is dark at 6, a height of 1/2 at 2 (in units, four texels each).
    const auto darkest = [&](bool across, std::int64_t from, std::int64_t to) {
        std::int64_t place = from;
        const auto at = [&](std::int64_t i) { return texel(kernel, across ? i : 0, across ? 0 : i, 1); };
        for (std::int64_t i = from; i < to; ++i) {
            place = at(i) < at(place) ? i : place;
        }
        return static_cast<double>(place) / 4.0;
    };
    EXPECT_NEAR(darkest(true, 12, 34), 6.0, 0.5);
    EXPECT_NEAR(darkest(false, 4, 11), 2.0, 0.26);
}

TEST(Aperture, RefusesSettingsAndImagesOutOfRange) {
    const PsfFrame frame{9, 9, 0.04};
    const auto refuses = [&](auto change) {
        ApertureShape shape;
        change(shape);
        EXPECT_THROW(apertureKernel(frame, 3.0, shape), Error);
    };
    refuses([](ApertureShape& s) { s.blades = 2; });
    refuses([](ApertureShape& s) { s.blades = 65; });
    refuses([](ApertureShape& s) { s.roundness = 1.1; });
    refuses([](ApertureShape& s) { s.rotation = std::nan(""); });
    refuses([](ApertureShape& s) { s.dust = 10001; });
    refuses([](ApertureShape& s) { s.scratches = 1001; });
    EXPECT_THROW(apertureKernel(frame, 0.0, ApertureShape{}), Error);
    EXPECT_THROW(airyKernel(frame, -1.0), Error);
    EXPECT_THROW(airyKernel({0, 9, 0.04}, 1.0), Error);
    EXPECT_THROW(airyKernel({9, 9, 0.0}, 1.0), Error);
    EXPECT_THROW(apertureKernel(frame, 3.0, makeImage(4, 4, {"Y"}), "black.exr"), Error);
    EXPECT_THROW(apertureKernel(frame, 3.0, Image{}, "empty.exr"), Error);
    Image bad = makeImage(4, 4, {"Y"});
    bad.channels[0].values[5] = std::nanf("");
    EXPECT_THROW(apertureKernel(frame, 3.0, bad, "nan.exr"), Error);
}

} // namespace
} // namespace aureole
