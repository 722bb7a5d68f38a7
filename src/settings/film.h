#pragma once

// What a film records, and how its picture is shown.

#include <cstdint>
#include <string>

#include "settings/aov.h"

namespace aureole {

enum class PixelFilter { Box, BlackmanHarris, Gaussian, Triangle };

struct FilmSettings {
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    PixelFilter filter = PixelFilter::BlackmanHarris;
    double filterRadius = 1.5; ///< pixels; a box of radius 0.5 is the pixel itself
    double exposure = 0.0;     ///< EV, for tone-mapped output only
    std::string tonemap = "filmic";
    AovSet aovs;
    bool transparent = false; ///< camera rays do not see the environment; the picture has alpha
};

} // namespace aureole
