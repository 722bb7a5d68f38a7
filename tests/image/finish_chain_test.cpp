// The finishing chain as a whole, and its steps that read a relief.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "finish_pictures.h"
#include "image/exr/exr.h"
#include "image/finish/interference.h"

namespace aureole {
namespace {

using testing::evenPicture;
using testing::finished;

/// Reliefs are read from files.
class FinishWithRelief : public ::testing::Test {
protected:
    void TearDown() override { std::filesystem::remove(file_); }

    /// `heights` is of the middles of the map's pixels.
    Relief reliefOf(std::uint32_t width, std::uint32_t height, const std::function<float(double, double)>& heights) {
        Image image = makeImage(width, height, {"Y"});
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                image.channels[0].values[std::size_t{y} * width + x] = heights(x + 0.5, y + 0.5);
            }
        }
        writeExr(file_, image);
        return {.image = file_, .strength = 1.0, .angle = 0.0};
    }

private:
    std::string file_ =
        (std::filesystem::temp_directory_path() / ("aureole_relief_" + std::to_string(::getpid()) + ".exr")).string();
};

// Its slope is that from pixel to pixel of the map, whatever the picture's size: light comes from the right, where a
// surface that rises to the right is turned away from it.
TEST_F(FinishWithRelief, MapsOfAnySizeAreStretchedOverThePicture) {
    for (const auto& [width, height] : {std::pair{8U, 6U}, std::pair{64U, 48U}, std::pair{400U, 3U}}) {
        FinishSettings settings;
        settings.relief = reliefOf(width, height, [](double x, double) { return static_cast<float>(0.1 * x); });
        settings.relief->strength = 2.0;
        const Image image = finished(evenPicture(80, 60, 3.0F), settings);
        for (const std::uint32_t x : {10U, 40U, 69U}) {
            EXPECT_NEAR(image.channels[1].values[30 * 80 + x], 3.0 * (1.0 - 2.0 * 0.1), 1e-5) << width << ' ' << x;
        }
        settings.relief->angle = 180.0;
        EXPECT_NEAR(finished(evenPicture(80, 60, 3.0F), settings).channels[1].values[30 * 80 + 40], 3.6, 1e-5);
        settings.relief->angle = 90.0;
        EXPECT_NEAR(finished(evenPicture(80, 60, 3.0F), settings).channels[1].values[30 * 80 + 40], 3.0, 1e-5);
        settings.relief->angle = 0.0;
        settings.relief->strength = 100.0; // light is never negative
        EXPECT_EQ(finished(evenPicture(80, 60, 3.0F), settings).channels[1].values[30 * 80 + 40], 0.0F);
    }
}

TEST_F(FinishWithRelief, AThinFilmIsThickerWhereTheReliefIsHigh) {
    const InterferenceColours colours(1.4, 1000.0);
    for (const float height : {0.0F, 0.4F, 1.0F, 5.0F}) { // heights count from 0 to 1
        FinishSettings settings;
        settings.relief = reliefOf(3, 3, [&](double, double) { return height; });
        settings.thinFilm = ThinFilm{400.0, 1.4, 0.5, 0.75};
        const Image image = finished(evenPicture(9, 7, 2.0F), settings);
        const double thickness = 400.0 * (1.0 + 0.5 * std::min(height, 1.0F));
        const glm::dvec3 expected = 2.0 * glm::mix(glm::dvec3(1.0), 2.0 * colours.at(thickness), 0.75);
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(image.channels[c].values[0], expected[static_cast<glm::length_t>(c)], 1e-5) << height;
        }
    }
}

/// The steps of the chain one by one, in their order; of both warps together, as they are one resampling.
std::vector<FinishSettings> stepsOf(const FinishSettings& all) {
    std::vector<FinishSettings> steps(6);
    steps[0].palette = all.palette;
    steps[1].relief = all.relief;
    steps[2].thinFilm = all.thinFilm;
    steps[3].bulge = all.bulge;
    steps[3].distortion = all.distortion;
    steps[4].vignette = all.vignette;
    steps[5].grain = all.grain;
    return steps;
}

double largestDifference(const Image& a, const Image& b) {
    double largest = 0.0;
    for (std::size_t c = 0; c < a.channels.size(); ++c) {
        for (std::size_t i = 0; i < a.pixelCount(); ++i) {
            largest = std::max(largest, std::abs(double{a.channels[c].values[i]} - double{b.channels[c].values[i]}));
        }
    }
    return largest;
}

TEST_F(FinishWithRelief, TheWholeChainIsItsStepsInTheirOrder) {
    FinishSettings all;
    all.palette = PaletteTone{ColourList{{0, 0, 0.1}, {1, 0.2, 0}, {0.3, 1, 0.6}}, 0.0, 2.0, 0.7};
    all.relief = reliefOf(20, 15, [](double x, double y) { return static_cast<float>(std::sin(x) * std::cos(y)); });
    all.thinFilm = ThinFilm{380.0, 1.4, 0.0, 0.8}; // of one thickness: alone it would not know of the relief
    all.bulge = Bulge{0.4, 0.6, {0.3, 0.4}};
    all.distortion = LensDistortion{-0.15, 0.03};
    all.vignette = 0.6;
    all.grain = Grain{0.2, 2.0, 9};
    Image picture = makeImage(60, 40, {"R", "G", "B"});
    for (std::uint32_t i = 0; i < 60 * 40; ++i) {
        const glm::uvec2 place(i % 60, i / 60);
        picture.channels[0].values[i] = static_cast<float>(place.x) / 40.0F;
        picture.channels[1].values[i] = static_cast<float>(place.y) / 30.0F;
        picture.channels[2].values[i] = (i / 7) % 3 == 0 ? 0.9F : 0.2F;
    }
    const auto inOrder = [&](const std::vector<FinishSettings>& steps) {
        Image image = picture;
        for (const FinishSettings& step : steps) {
            image = finished(std::move(image), step);
        }
        return image;
    };
    const Image chain = finished(picture, all);
    EXPECT_LT(largestDifference(chain, inOrder(stepsOf(all))), 1e-5);
    // Two steps that do not commute, as factors do, give another picture the other way round.
    for (const auto& [one, other] : {std::pair{0U, 1U}, std::pair{1U, 3U}, std::pair{3U, 4U}, std::pair{3U, 5U}}) {
        std::vector<FinishSettings> swapped = stepsOf(all);
        std::swap(swapped.at(one), swapped.at(other));
        EXPECT_GT(largestDifference(chain, inOrder(swapped)), 1e-3) << one << ' ' << other;
    }
}

} // namespace
} // namespace aureole
