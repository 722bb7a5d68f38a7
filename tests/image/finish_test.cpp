// The finishing chain against closed forms: see image/finish/finish.h.

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "error_of.h"
#include "finish_pictures.h"
#include "image/colour/cie.h"
#include "image/finish/finish.h"
#include "image/finish/grain.h"
#include "image/finish/interference.h"
#include "image/finish/relief_map.h"
#include "image/finish/warp.h"

namespace aureole {
namespace {

using testing::evenPicture;
using testing::finished;

FinishPixels pixelsOf(std::uint32_t width, std::uint32_t height, const std::function<float(double, double)>& value) {
    FinishPixels pixels{width, height, {}};
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            pixels.values.emplace_back(glm::vec3(value(x + 0.5, y + 0.5)), 1.0F);
        }
    }
    return pixels;
}

TEST(Finish, NothingAskedForChangesNothing) {
    Image image = makeImage(7, 5, {"R", "G", "B", "A", "depth.Z"});
    float value = 0.0F;
    for (Channel& channel : image.channels) {
        for (float& v : channel.values) {
            v = value += 0.37F;
        }
    }
    EXPECT_FALSE(FinishSettings{}.any());
    const Image after = finished(image, {});
    ASSERT_EQ(after.channels.size(), image.channels.size());
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        EXPECT_EQ(after.channels[c].values, image.channels[c].values) << image.channels[c].name;
    }
}

TEST(Finish, AVignetteIsTheCosinesFourthPower) {
    FinishSettings settings;
    settings.vignette = 0.75;
    const Image image = finished(evenPicture(4000, 3000, 2.0F), settings);
    const auto at = [&](std::size_t x, std::size_t y) { return image.channels[1].values[y * 4000 + x]; };
    EXPECT_NEAR(at(0, 0), 0.5, 1e-3);
    EXPECT_NEAR(at(3999, 2999), 0.5, 1e-3);
    EXPECT_NEAR(at(2000, 1500), 2.0, 1e-3);
    // A corner with a quarter of the light stands at an angle of 45 degrees; the middle of the right edge, at 0.8 of
    // the corner's distance, at atan(0.8).
    EXPECT_NEAR(at(3999, 1500), 2.0 * std::pow(std::cos(std::atan(0.8)), 4.0), 1e-3);
}

TEST(Finish, AGreyPictureBecomesColouredAndOtherChannelsStay) {
    Image image = makeImage(4, 4, {"Y", "depth.Z"});
    std::fill(image.channels[0].values.begin(), image.channels[0].values.end(), 0.25F);
    std::fill(image.channels[1].values.begin(), image.channels[1].values.end(), 9.0F);
    FinishSettings settings;
    settings.palette = PaletteTone{ColourList{{0, 0, 0}, {4, 2, 1}}, 0.0, 1.0, 1.0};
    Finish(settings).apply(image, "grey");
    EXPECT_EQ(image.find("Y"), nullptr);
    ASSERT_NE(image.find("G"), nullptr);
    EXPECT_FLOAT_EQ(image.find("R")->values[5], 1.0F);
    EXPECT_FLOAT_EQ(image.find("G")->values[5], 0.5F);
    EXPECT_FLOAT_EQ(image.find("B")->values[5], 0.25F);
    EXPECT_EQ(image.find("depth.Z")->values[5], 9.0F);
    Image layers = makeImage(2, 2, {"albedo.R", "albedo.G"});
    const testing::Caught caught = testing::errorOf([&] { Finish(settings).apply(layers, "layers.exr"); });
    EXPECT_EQ(caught.code, ExitCode::BadInput);
    EXPECT_TRUE(caught.names("layers.exr")) << caught.message;
}

TEST(Finish, APaletteKeepsAlphaAndTheBrightnessOfLights) {
    Image image = makeImage(3, 1, {"R", "G", "B", "A"});
    for (std::size_t c = 0; c < 3; ++c) {
        image.channels[c].values = {0.25F, 0.0F, 8.0F}; // half covered, nothing, a light
    }
    image.channels[3].values = {0.5F, 0.0F, 1.0F};
    FinishSettings settings;
    settings.palette = PaletteTone{ColourList{{1, 0, 0}, {0, 1, 0}}, 0.0, 1.0, 1.0};
    const Image after = finished(image, settings);
    EXPECT_FLOAT_EQ(after.channels[0].values[0], 0.25F); // the palette at 0.5, half covered
    EXPECT_FLOAT_EQ(after.channels[1].values[0], 0.25F);
    EXPECT_EQ(after.channels[0].values[1], 0.0F);
    EXPECT_FLOAT_EQ(after.channels[1].values[2], 8.0F);
    EXPECT_EQ(after.channels[3].values, image.channels[3].values);
}

TEST(Finish, APaletteSpansItsRangeByItsAmount) {
    FinishSettings settings;
    settings.palette = PaletteTone{ColourList{{0, 0, 1}, {1, 0, 0}}, 0.25, 0.75, 0.25};
    const auto expect = [&](float grey, const glm::dvec3& palette) {
        const Image image = finished(evenPicture(1, 1, grey), settings);
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(image.channels[c].values[0],
                        0.75 * double{grey} + 0.25 * palette[static_cast<glm::length_t>(c)], 1e-6)
                << grey << ' ' << c;
        }
    };
    expect(0.1F, {0, 0, 1}); // below the range
    expect(0.375F, {0.25, 0, 0.75});
    expect(0.5F, {0.5, 0, 0.5});
    expect(0.75F, {1, 0, 0});
    expect(1.5F, {2, 0, 0}); // twice as bright as its end
}

TEST(Finish, AThinFilmIsThickerTowardsTheCorners) {
    FinishSettings settings;
    settings.thinFilm = ThinFilm{400.0, 1.4, 0.5, 1.0};
    const Image image = finished(evenPicture(41, 31, 1.0F), settings);
    const InterferenceColours colours(1.4, 600.0);
    for (const auto& [x, y] : {std::pair{20U, 15U}, std::pair{0U, 0U}, std::pair{40U, 15U}, std::pair{30U, 4U}}) {
        // By the square of the distance from the middle, which is 1 in the corners.
        const double square = (std::pow(x - 20.0, 2.0) + std::pow(y - 15.0, 2.0)) / (20.5 * 20.5 + 15.5 * 15.5);
        const glm::dvec3 expected = 2.0 * colours.at(400.0 * (1.0 + 0.5 * square));
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(image.channels[c].values[std::size_t{y} * 41 + x], expected[static_cast<glm::length_t>(c)],
                        1e-5)
                << x << ' ' << y << ' ' << c;
        }
    }
}

TEST(Relief, SlopesThatFaceTheLightAreBright) {
    // A pyramid, lit from the upper left, then from the right.
    constexpr std::uint32_t kSide = 65;
    std::vector<float> heights;
    for (int y = 0; y < 65; ++y) {
        for (int x = 0; x < 65; ++x) {
            heights.push_back(static_cast<float>(32 - std::max(std::abs(x - 32), std::abs(y - 32))));
        }
    }
    const ReliefMap map(kSide, kSide, heights);
    const glm::dvec2 left(0.25, 0.5);
    const glm::dvec2 right(0.75, 0.5);
    const glm::dvec2 above(0.5, 0.25);
    const glm::dvec2 below(0.5, 0.75);
    const double half = std::sqrt(0.5);
    EXPECT_NEAR(map.facing(left, {-half, -half}), half, 1e-9);
    EXPECT_NEAR(map.facing(above, {-half, -half}), half, 1e-9);
    EXPECT_NEAR(map.facing(right, {-half, -half}), -half, 1e-9);
    EXPECT_NEAR(map.facing(below, {-half, -half}), -half, 1e-9);
    EXPECT_NEAR(map.facing(right, {1.0, 0.0}), 1.0, 1e-9);
    EXPECT_NEAR(map.facing(above, {1.0, 0.0}), 0.0, 1e-9);
    EXPECT_NEAR(map.height({0.5, 0.5}), 32.0, 1e-9);
    EXPECT_NEAR(map.height({0.0, 0.5}), 0.0, 1e-9); // even beyond the outermost centres
}

/// What a film reflects of one wavelength, by adding up beams between its faces one after the other.
double reflectedByBeams(double index, double thickness, double wavelength) {
    const double face = (1.0 - index) / (1.0 + index);
    const std::complex<double> turn = std::polar(1.0, 4.0 * kPi * index * thickness / wavelength);
    std::complex<double> amplitude = face;
    std::complex<double> beam = (1.0 - face * face) * turn;
    for (int i = 0; i < 200; ++i) {
        amplitude += beam * -face;
        beam *= face * face * turn;
    }
    return std::norm(amplitude);
}

TEST(Interference, ColoursAreTheSumOfAllBeams) {
    for (const double index : {1.33, 2.4}) {
        const InterferenceColours colours(index, 900.0);
        const double most = reflectedByBeams(index, 125.0 / index, 500.0); // a quarter of a wave
        for (const double thickness : {100.0, 250.0, 400.0, 646.0}) {
            glm::dvec3 film(0.0);
            glm::dvec3 white(0.0);
            for (int nanometres = 380; nanometres <= 780; ++nanometres) {
                const double wavelength = nanometres;
                const glm::dvec3 light = rec709FromXyz(colourMatching(wavelength));
                white += light;
                film += light * reflectedByBeams(index, thickness, wavelength) / most;
            }
            const glm::dvec3 expected = glm::max(film / white, glm::dvec3(0.0));
            const glm::dvec3 found = colours.at(thickness);
            for (glm::length_t c = 0; c < 3; ++c) {
                EXPECT_NEAR(found[c], expected[c], 2e-3) << index << ' ' << thickness << ' ' << c;
            }
        }
        EXPECT_EQ(colours.at(0.0), glm::dvec3(0.0)); // a film that is thin enough is black
    }
}

TEST(Warp, ALensShowsTheIdealPlaceWhereItsPolynomialSays) {
    const glm::dvec2 size(300, 200);
    for (const LensDistortion lens :
         {LensDistortion{-0.2, 0.05}, LensDistortion{0.3, 0.0}, LensDistortion{-0.1, -0.05}}) {
        const Warp warp(size, std::nullopt, lens);
        double scale = 0.0;
        double farthest = 0.0;
        for (const glm::dvec2 place : {glm::dvec2(150.3, 100.2), glm::dvec2(10, 190), glm::dvec2(0, 0),
                                       glm::dvec2(300, 100), glm::dvec2(150, 200)}) {
            const double shown = glm::length(fromMiddle(place, size));
            const glm::dvec2 from = fromMiddle(warp.source(place), size);
            const double r = glm::length(from);
            const double factor = r * (1.0 + lens.k1 * r * r + lens.k2 * r * r * r * r) / shown;
            scale = scale == 0.0 ? factor : scale;
            EXPECT_NEAR(factor, scale, 1e-9);
            // Nothing is seen from outside, and the frame is filled: somewhere its border is the ideal one's.
            const glm::dvec2 reach = glm::abs(warp.source(place) - 0.5 * size) / (0.5 * size);
            EXPECT_LE(std::max(reach.x, reach.y), 1.0 + 1e-9);
            farthest = std::max({farthest, reach.x, reach.y});
        }
        EXPECT_NEAR(farthest, 1.0, 1e-9);
    }
}

TEST(Warp, ALensThatShowsPlacesTwiceIsRefused) {
    EXPECT_TRUE((LensDistortion{-0.5, 0.0}.folds()));
    EXPECT_TRUE((LensDistortion{-1.0, 0.44}.folds())); // between the middle and the corner only
    EXPECT_FALSE((LensDistortion{-0.3, 0.0}.folds()));
    EXPECT_FALSE((LensDistortion{1.0, 1.0}.folds()));
    const testing::Caught caught = testing::errorOf([] { Warp({10, 10}, std::nullopt, LensDistortion{-0.5, 0.0}); });
    EXPECT_EQ(caught.code, ExitCode::Usage);
    EXPECT_TRUE(caught.names("-0.5")) << caught.message;
}

TEST(Warp, ABulgeMagnifiesItsMiddleAndEndsSmoothly) {
    const glm::dvec2 size(400, 300);
    const glm::dvec2 centre(100, 150);
    const Warp warp(size, Bulge{0.5, 0.2, {0.25, 0.5}}, std::nullopt);
    EXPECT_NEAR(glm::distance(warp.source(centre + glm::dvec2(0.01, 0)), centre), 0.005, 1e-6);
    const glm::dvec2 outside = centre + glm::dvec2(0, 60.001);
    EXPECT_EQ(warp.source(outside), outside);
    EXPECT_NEAR(glm::distance(warp.source(centre + glm::dvec2(59.9, 0)), centre + glm::dvec2(59.9, 0)), 0.0, 1e-3);
    for (const double amount : {-0.99, 0.99}) { // no place is shown twice
        const Warp strong(size, Bulge{amount, 0.2, {0.25, 0.5}}, std::nullopt);
        double before = 0.0;
        for (int halves = 1; halves < 122; ++halves) {
            const double r = 0.5 * halves;
            const double from = strong.source(centre + glm::dvec2(r, 0)).x - centre.x;
            EXPECT_GT(from, before) << amount << ' ' << r;
            before = from;
        }
    }
}

// What the lens shows is what the bulge shows there: as two pictures, one after the other, would.
TEST(Warp, TheLensIsBeforeTheBulge) {
    const glm::dvec2 size(400, 300);
    const Bulge bulge{0.4, 0.6, {0.3, 0.4}};
    const LensDistortion lens{-0.2, 0.05};
    const Warp both(size, bulge, lens);
    const Warp onlyBulge(size, bulge, std::nullopt);
    const Warp onlyLens(size, std::nullopt, lens);
    for (const glm::dvec2 place : {glm::dvec2(30, 20), glm::dvec2(150, 130), glm::dvec2(390, 299)}) {
        const glm::dvec2 expected = onlyBulge.source(onlyLens.source(place));
        EXPECT_NEAR(glm::distance(both.source(place), expected), 0.0, 1e-9);
    }
    EXPECT_GT(glm::distance(both.source({150, 130}), onlyLens.source(onlyBulge.source({150, 130}))), 0.5);
}

TEST(Warp, BeyondTheBordersLieTheOutermostPixels) {
    // A bulge that shrinks what is within a circle about the whole picture.
    const Warp warp({64, 48}, Bulge{-0.9, 1.0, {0.5, 0.5}}, std::nullopt);
    const FinishPixels ramp = pixelsOf(64, 48, [](double x, double y) { return static_cast<float>(10.0 * x + y); });
    const FinishPixels bent = warped(ramp, warp);
    const FinishPixels even = warped(pixelsOf(64, 48, [](double, double) { return 0.7F; }), warp);
    int beyond = 0;
    for (std::uint32_t y = 0; y < 48; ++y) {
        for (std::uint32_t x = 0; x < 64; ++x) {
            EXPECT_EQ(even.at(x, y).r, 0.7F) << x << ' ' << y; // no border is darker
            const glm::dvec2 from = warp.source({x + 0.5, y + 0.5});
            const glm::dvec2 inside = glm::clamp(from, glm::dvec2(0.5), glm::dvec2(63.5, 47.5));
            beyond += inside == from ? 0 : 1;
            // Next to the borders the cubic is not exact on ramps: it takes the outermost pixel twice.
            EXPECT_NEAR(bent.at(x, y).g, 10.0 * inside.x + inside.y, 1.0) << x << ' ' << y << ' ' << from.x;
        }
    }
    EXPECT_GT(beyond, 300);
}

TEST(Warp, RampsAreExactAndLightsGetNoRings) {
    const Warp warp({64, 48}, std::nullopt, LensDistortion{0.15, 0.0});
    const FinishPixels ramp = pixelsOf(64, 48, [](double x, double y) { return static_cast<float>(3.0 * x - y); });
    const FinishPixels bent = warped(ramp, warp);
    for (std::uint32_t y = 4; y < 44; ++y) {
        for (std::uint32_t x = 4; x < 60; ++x) {
            const glm::dvec2 from = warp.source({x + 0.5, y + 0.5});
            EXPECT_NEAR(bent.at(x, y).g, 3.0 * from.x - from.y, 1e-3);
        }
    }
    const FinishPixels light =
        pixelsOf(64, 48, [](double x, double y) { return std::hypot(x - 40, y - 30) < 3.0 ? 1e4F : 0.5F; });
    for (const glm::vec4& value : warped(light, warp).values) {
        EXPECT_GE(value.r, 0.5F);
        EXPECT_LE(value.r, 1e4F);
    }
}

/// Mean and variance of the logarithm, and its correlation with the neighbour to the right.
struct GrainFigures {
    double mean;
    double logVariance;
    double correlation;
};

GrainFigures figuresOf(const Image& image) {
    const std::vector<float>& values = image.channels[0].values;
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double sum = 0.0;
    double squares = 0.0;
    double products = 0.0;
    for (const float value : values) {
        sum += std::log(double{value});
    }
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
        const double a = std::log(double{values[i]}) - sum / count;
        const double b = std::log(double{values[i + 1]}) - sum / count;
        squares += a * a;
        products += a * b;
    }
    return {mean, squares / count, products / squares};
}

TEST(Grain, KeepsTheMeanAndHasTheVarianceAndTheSizeAskedFor) {
    for (const double size : {1.0, 3.0}) {
        FinishSettings settings;
        settings.grain = Grain{0.2, size, 5};
        const GrainFigures figures = figuresOf(finished(evenPicture(1000, 1000, 1.0F), settings));
        // A million pixels, of which a grain of size s makes some s^2 one; five standard deviations.
        EXPECT_NEAR(figures.mean, 1.0, 5.0 * 0.2 * 2.0 * size * 1e-3) << size;
        EXPECT_NEAR(figures.logVariance, 0.04, 5.0 * 0.04 * 2.0 * size * 1e-3) << size;
        // White noise; or a Gaussian of variance v, (s^2 - 1) / 4, convolved with itself, at a distance of 1.
        const double expected = size == 1.0 ? 0.0 : std::exp(-1.0 / (4.0 * (size * size - 1.0) / 4.0));
        EXPECT_NEAR(figures.correlation, expected, 0.02) << size;
    }
}

TEST(Grain, IsAFunctionOfSeedAndPixel) {
    const auto grainy = [](std::uint32_t seed, std::uint32_t width) {
        FinishSettings settings;
        settings.grain = Grain{0.3, 2.0, seed};
        return finished(evenPicture(width, 40, 1.0F), settings);
    };
    const Image first = grainy(1, 50);
    EXPECT_EQ(first.channels[0].values, grainy(1, 50).channels[0].values);
    EXPECT_EQ(first.channels[0].values, first.channels[2].values); // of one layer: grey
    EXPECT_NE(first.channels[0].values, grainy(2, 50).channels[0].values);
    const Image wide = grainy(1, 60);
    for (std::size_t x = 0; x < 50; ++x) {
        EXPECT_EQ(first.channels[0].values[350 + x], wide.channels[0].values[420 + x]);
    }
}

// As a film runs through a camera: an animation of one pattern would look as if seen through a dirty pane.
TEST(Grain, EachFrameHasItsOwn) {
    FinishSettings settings;
    settings.grain = Grain{0.3, 1.0, 4};
    const auto frame = [&](const std::string& number) {
        Image image = evenPicture(200, 200, 1.0F);
        image.attributes["aureole.frame"] = number;
        EXPECT_EQ(Finish(settings).describe(image),
                  "grain 0.3 of 1 pixels with seed " + std::to_string(4 + std::stoi(number)));
        return finished(std::move(image), settings).channels[0].values;
    };
    const std::vector<float> first = frame("0");
    const std::vector<float> second = frame("1");
    EXPECT_EQ(first, finished(evenPicture(200, 200, 1.0F), settings).channels[0].values); // as a still
    double products = 0.0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        products += (std::log(double{first[i]}) + 0.045) * (std::log(double{second[i]}) + 0.045);
    }
    EXPECT_NEAR(products / 0.09 / 40000.0, 0.0, 5.0 / 200.0); // 40000 pixels, five standard deviations
    const std::vector<float> fourth = frame("3");
    settings.grain->seed = 7;
    EXPECT_EQ(fourth, finished(evenPicture(200, 200, 1.0F), settings).channels[0].values);
}

TEST(Finish, TheStepsComeInTheirOrder) {
    // A palette before the vignette shows darker colours in the corner, not other ones.
    FinishSettings settings;
    settings.palette = PaletteTone{ColourList{{0, 0, 1}, {1, 0, 0}}, 0.0, 1.0, 1.0};
    settings.vignette = 0.5;
    const Image image = finished(evenPicture(100, 100, 0.5F), settings);
    EXPECT_NEAR(image.channels[0].values[0], 0.25, 0.01);
    EXPECT_NEAR(image.channels[2].values[0], 0.25, 0.01);
    EXPECT_EQ(Finish(settings).describe(image), "palette of 2 from 0 to 1 by 1, vignette 0.5");
}

} // namespace
} // namespace aureole
