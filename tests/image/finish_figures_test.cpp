// The colours of the finishing chain against figures of another program: finish_figures.py, which needs numpy.

#include <array>
#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "finish_pictures.h"
#include "image/exr/exr.h"

namespace aureole {
namespace {

struct Figure {
    bool shade; ///< whether the thin film lies in the relief's shade alone
    std::size_t x;
    std::size_t y;
    std::array<double, 3> colour;
};
constexpr std::array<Figure, 14> kFigures = {{
    {false, 0, 0, {0.000000, 0.004498, 0.044596}},
    {false, 11, 0, {0.097399, 0.036867, 0.093306}},
    {false, 3, 2, {0.102684, 0.134329, 0.074549}},
    {false, 6, 4, {0.394178, 0.278683, 0.056220}},
    {false, 9, 5, {1.483772, 0.768443, 0.321707}},
    {false, 2, 7, {0.321519, 0.141844, 0.154637}},
    {false, 11, 8, {0.189072, 0.571368, 0.232007}},
    {true, 0, 0, {0.000000, 0.006518, 0.032590}},
    {true, 11, 0, {0.243496, 0.031549, 0.084136}},
    {true, 3, 2, {0.256711, 0.099990, 0.095599}},
    {true, 6, 4, {0.629913, 0.293110, 0.115702}},
    {true, 9, 5, {1.040202, 0.585284, 0.433958}},
    {true, 2, 7, {0.423713, 0.258325, 0.194519}},
    {true, 11, 8, {0.472681, 0.422188, 0.314785}},
}};

Image rampPicture() {
    Image image = makeImage(12, 9, {"R", "G", "B"});
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const auto x = static_cast<double>(i % 12);
        const auto y = static_cast<double>(i / 12);
        image.channels[0].values[i] = static_cast<float>(0.1 * x);
        image.channels[1].values[i] = static_cast<float>(0.12 * y);
        image.channels[2].values[i] = static_cast<float>(0.05 * (x + y));
    }
    return image;
}

TEST(FinishFigures, AreThoseOfNumpy) {
    const std::string file =
        (std::filesystem::temp_directory_path() / ("aureole_figures_" + std::to_string(::getpid()) + ".exr")).string();
    Image map = makeImage(5, 4, {"Y"});
    for (std::size_t i = 0; i < map.pixelCount(); ++i) {
        const double wave = 1.3 * static_cast<double>(i % 5) + 0.7 * static_cast<double>(i / 5);
        map.channels[0].values[i] = static_cast<float>(0.5 + 0.4 * std::sin(wave));
    }
    writeExr(file, map);
    FinishSettings settings;
    settings.palette = PaletteTone{ColourList{{0, 0.02, 0.1}, {0.9, 0.2, 0.05}, {1, 0.9, 0.6}}, 0.1, 0.9, 0.75};
    settings.relief = Relief{.image = file, .strength = 1.5, .angle = 115.0};
    settings.vignette = 0.65;
    for (const Figure& figure : kFigures) {
        settings.thinFilm = ThinFilm{380.0, 1.45, 0.8, 0.6, figure.shade};
        const Image image = testing::finished(rampPicture(), settings);
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(image.channels[c].values[figure.y * 12 + figure.x], figure.colour.at(c), 1.5e-3)
                << figure.shade << ' ' << figure.x << ',' << figure.y << ' ' << c;
        }
    }
    std::filesystem::remove(file);
}

} // namespace
} // namespace aureole
