#pragma once

// What may happen to a picture after bloom, in linear light: see finish.h for the order.

#include <cstdint>
#include <optional>
#include <string>

#include "core/input_file.h"
#include "core/palette.h"

namespace aureole {

/// Numbers that a setting may have, ends included.
struct FinishRange {
    double least;
    double most;
};

/// Colours by luminance: the palette's at (L - low) / (high - low), and as much brighter than that as L is than `high`.
struct PaletteTone {
    static constexpr FinishRange kLuminance{0.0, 1e6};
    ColourPalette palette;
    double low = 0.0;
    double high = 1.0;   ///< above low
    double amount = 1.0; ///< 0 the picture's own colours, 1 the palette's
};

/// An embossed look: a picture's luminance as the height of a surface under a slanting light.
struct Relief {
    static constexpr FinishRange kStrength{-100.0, 100.0};
    static constexpr FinishRange kAngle{-360.0, 360.0};
    std::string image;           ///< an EXR or PNG file, stretched over the picture
    Links links = Links::Follow; ///< in its path; refused where a scene refers to it
    double strength = 1.0;
    double angle = 135.0; ///< from where light comes, in degrees: 0 from the right, 90 from above
};

/// Interference colours of a thin film, such as a soap bubble's, in front of the picture.
struct ThinFilm {
    static constexpr FinishRange kThickness{1.0, 2000.0};
    static constexpr FinishRange kIndex{1.01, 3.0};
    static constexpr FinishRange kSpread{-1.0, 4.0};
    double thickness = 400.0; ///< nanometres, in the middle
    double index = 1.33;      ///< of refraction
    double spread = 0.5;      ///< how much thicker, of the thickness, in the corners; with a relief, where it is high
    double amount = 1.0;      ///< 0 no film, 1 nothing but what it reflects
};

/// A lens in front of a part of the picture: what lies within the radius grows (or shrinks, where negative).
struct Bulge {
    static constexpr FinishRange kAmount{-0.99, 0.99};
    static constexpr FinishRange kRadius{0.01, 10.0};
    static constexpr FinishRange kCentre{-10.0, 10.0};
    double amount = 0.0;
    double radius = 0.5;    ///< of the picture's shorter side
    glm::dvec2 centre{0.5}; ///< of the picture's width and height, from the upper left
};

/// Radial distortion: what an ideal lens shows at r, from the middle, stands at r (1 + k1 r^2 + k2 r^4), where 1 is the
/// corner. Brown, "Decentering Distortion of Lenses", 1966. Barrels have k1 below 0, pincushions above. The picture
/// grows as far as it must to fill the frame.
struct LensDistortion {
    static constexpr FinishRange kCoefficient{-1.0, 1.0};
    double k1 = 0.0;
    double k2 = 0.0;
    /// How fast the place shown moves as r does.
    double slope(double r) const;
    /// Whether two places of the ideal picture fall onto one.
    bool folds() const;
};

/// Grain of a film of one layer: exposures vary as a Gaussian in density, and keep their mean.
struct Grain {
    static constexpr FinishRange kAmount{0.0, 2.0};
    static constexpr FinishRange kSize{1.0, 16.0};
    double amount = 0.0; ///< standard deviation of the logarithm
    double size = 1.0;   ///< of a grain, in pixels
    std::uint32_t seed = 0;
};

struct FinishSettings {
    static constexpr FinishRange kVignette{0.0, 0.99};
    std::optional<PaletteTone> palette;
    std::optional<Relief> relief;
    std::optional<ThinFilm> thinFilm;
    std::optional<Bulge> bulge;
    std::optional<LensDistortion> distortion;
    double vignette = 0.0; ///< the part of the light that the corners lose
    std::optional<Grain> grain;

    bool any() const;
};

} // namespace aureole
