#pragma once

// What may happen to a picture after bloom, in linear light: see finish.h for the order.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/input_file.h"
#include "core/palette.h"
#include "settings/field.h"

namespace aureole {

/// Colours by luminance: the palette's at (L - low) / (high - low), and as much brighter than that as L is than `high`.
struct PaletteTone {
    static constexpr NumberRange kLuminance{0.0, 1e6};
    ColourPalette palette;
    double low = 0.0;
    double high = 1.0;   ///< above low
    double amount = 1.0; ///< 0 the picture's own colours, 1 the palette's
};

/// An embossed look: a picture's luminance as the height of a surface under a slanting light.
struct Relief {
    static constexpr NumberRange kStrength{-100.0, 100.0};
    static constexpr NumberRange kAngle{-360.0, 360.0};
    std::string image;           ///< an EXR or PNG file, stretched over the picture
    Links links = Links::Follow; ///< in its path; refused where a scene refers to it
    double strength = 1.0;
    double angle = 135.0; ///< from where light comes, in degrees: 0 from the right, 90 from above
};

/// Interference colours of a thin film, such as a soap bubble's, in front of the picture.
struct ThinFilm {
    static constexpr NumberRange kThickness{1.0, 2000.0};
    static constexpr NumberRange kIndex{1.01, 3.0};
    static constexpr NumberRange kSpread{-1.0, 4.0};
    double thickness = 400.0; ///< nanometres, in the middle
    double index = 1.33;      ///< of refraction
    double spread = 0.5;      ///< how much thicker, of the thickness, in the corners; with a relief, where it is high
    double amount = 1.0;      ///< 0 no film, 1 nothing but what it reflects
    bool shade = false;       ///< only where the relief is in shade: the film reflects the light that is missing there
};

/// A lens in front of a part of the picture: what lies within the radius grows (or shrinks, where negative).
struct Bulge {
    static constexpr NumberRange kAmount{-0.99, 0.99};
    static constexpr NumberRange kRadius{0.01, 10.0};
    static constexpr NumberRange kCentre{-10.0, 10.0};
    double amount = 0.0;
    double radius = 0.5;    ///< of the picture's shorter side
    glm::dvec2 centre{0.5}; ///< of the picture's width and height, from the upper left
};

/// Radial distortion: what an ideal lens shows at r, from the middle, stands at r (1 + k1 r^2 + k2 r^4), where 1 is the
/// corner. Brown, "Decentering Distortion of Lenses", 1966. Barrels have k1 below 0, pincushions above. The picture
/// grows as far as it must to fill the frame.
struct LensDistortion {
    static constexpr NumberRange kCoefficient{-1.0, 1.0};
    double k1 = 0.0;
    double k2 = 0.0;
    /// How fast the place shown moves as r does.
    double slope(double r) const;
    /// Whether two places of the ideal picture fall onto one.
    bool folds() const;
};

/// Grain of a film of one layer: exposures vary as a Gaussian in density, and keep their mean.
struct Grain {
    static constexpr NumberRange kAmount{0.0, 2.0};
    static constexpr NumberRange kSize{1.0, 16.0};
    double amount = 0.0; ///< standard deviation of the logarithm
    double size = 1.0;   ///< of a grain, in pixels
    std::uint32_t seed = 0;
};

struct FinishSettings {
    static constexpr NumberRange kVignette{0.0, 0.99};
    std::optional<PaletteTone> palette;
    std::optional<Relief> relief;
    std::optional<ThinFilm> thinFilm;
    std::optional<Bulge> bulge;
    std::optional<LensDistortion> distortion;
    double vignette = 0.0; ///< the part of the light that the corners lose
    std::optional<Grain> grain;

    bool any() const;
    /// Whether the film is to lie in a shade that no relief casts.
    bool lacksRelief() const { return thinFilm && thinFilm->shade && !relief; }
};

// Of the steps of finishing. Where one option has several of these, its numbers come in the order of the rows.

/// The tones of a palette but its colours.
inline constexpr std::array kPaletteToneFields = {
    field<&PaletteTone::low>({.key = "low", .domain = PaletteTone::kLuminance}),
    field<&PaletteTone::high>({.key = "high", .domain = PaletteTone::kLuminance, .description = "Above low."}),
    field<&PaletteTone::amount>({.key = "amount",
                                 .domain = kUnitRange,
                                 .description = "From the picture's own colours (0) to the palette's (1)."}),
};

/// The relief but its image.
inline constexpr std::array kReliefFields = {
    field<&Relief::strength>({.key = "strength",
                              .domain = Relief::kStrength,
                              .option = "--relief-strength",
                              .unit = "X",
                              .help = "How strongly, -100 to 100; {default} by default",
                              .description =
                                  "How much brighter it is by where the height changes by 1 from one pixel of the "
                                  "image to the next."}),
    field<&Relief::angle>({.key = "angle",
                           .domain = Relief::kAngle,
                           .option = "--relief-angle",
                           .unit = "DEGREES",
                           .help = "From where its light comes: 0 right, 90 above; {default} by default",
                           .description = "From where light comes, in degrees: 0 from the right, 90 from above."}),
};

inline constexpr std::array kThinFilmFields = {
    field<&ThinFilm::thickness>({.key = "thickness",
                                 .domain = ThinFilm::kThickness,
                                 .description = "In nanometres, in the middle of the picture."}),
    field<&ThinFilm::index>({.key = "index", .domain = ThinFilm::kIndex, .description = "Of refraction."}),
    field<&ThinFilm::spread>({.key = "spread",
                              .domain = ThinFilm::kSpread,
                              .description =
                                  "How much thicker it is, of its thickness, in the corners; with a relief, where "
                                  "that is 1 high."}),
    field<&ThinFilm::amount>({.key = "amount",
                              .domain = kUnitRange,
                              .description = "From no film (0) to nothing but what it reflects (1)."}),
    field<&ThinFilm::shade>({.key = "shade",
                             .domain = Switch{},
                             .description = "Only on the side of the relief that is in shade, where the film reflects "
                                            "the light that the shade takes away."}),
};

/// The bulge but its centre.
inline constexpr std::array kBulgeFields = {
    field<&Bulge::amount>({.key = "amount",
                           .domain = Bulge::kAmount,
                           .description = "The middle is 1 / (1 - amount) times as large.",
                           .required = true}),
    field<&Bulge::radius>({.key = "radius", .domain = Bulge::kRadius, .description = "Of the picture's shorter side."}),
};

inline constexpr std::array kDistortionFields = {
    field<&LensDistortion::k1>({.key = "k1", .domain = LensDistortion::kCoefficient}),
    field<&LensDistortion::k2>({.key = "k2", .domain = LensDistortion::kCoefficient}),
};

inline constexpr std::array kGrainFields = {
    field<&Grain::amount>({.key = "amount",
                           .domain = Grain::kAmount,
                           .description = "Standard deviation of the light's logarithm.",
                           .required = true}),
    field<&Grain::size>({.key = "size", .domain = Grain::kSize, .description = "Of a grain, in pixels."}),
    field<&Grain::seed>(
        {.key = "seed", .domain = kSeedRange, .description = "Of a still; a frame of an animation adds its number."}),
};

/// The finish but its steps, which have the tables above.
inline constexpr std::array kFinishFields = {
    field<&FinishSettings::vignette>(
        {.key = "vignette",
         .domain = FinishSettings::kVignette,
         .option = "--vignette",
         .unit = "X",
         .help = "The part of the light that the corners lose, 0 to 0.99",
         .description = "The part of the light that the corners lose, by the fourth power of the cosine."}),
};

} // namespace aureole
