#pragma once

// What a film records, and how its picture is shown.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "settings/aov.h"
#include "settings/field.h"
#include "settings/limits.h"

namespace aureole {

enum class PixelFilter { Box, BlackmanHarris, Gaussian, Triangle };

/// In the order of the enumeration.
inline const std::vector<std::string>& pixelFilterNames() {
    static const std::vector<std::string> names = {"box", "blackman-harris", "gaussian", "triangle"};
    return names;
}

/// Operators from scene radiance to display-linear values in [0, 1], all on linear Rec. 709.
enum class ToneMap {
    Linear,   ///< clips
    Reinhard, ///< extended Reinhard on luminance, white at 4: Reinhard et al., "Photographic Tone Reproduction", 2002
    Filmic,   ///< Hable, "Uncharted 2: HDR Lighting", GDC 2010, with his exposure bias of 2 and white of 11.2
    Aces,     ///< Hill's fit of the ACES reference rendering and sRGB output transforms (BakingLab, 2016)
    Agx,      ///< Sobotka's AgX base, the inset undone after the curve
};

/// In the order of the enumeration.
inline const std::vector<std::string>& toneMapNames() {
    static const std::vector<std::string> names = {"linear", "reinhard", "filmic", "aces", "agx"};
    return names;
}

/// What takes the noise out of a picture.
enum class DenoiserKind {
    None,
    Auto,    ///< Open Image Denoise where it is installed, else aureole's own filter
    Oidn,    ///< Open Image Denoise, a neural network by Intel
    Builtin, ///< aureole's own filter
};

/// In the order of the enumeration.
inline const std::vector<std::string>& denoiserNames() {
    static const std::vector<std::string> names = {"none", "auto", "oidn", "builtin"};
    return names;
}

/// How much work Open Image Denoise puts into a picture.
enum class DenoiseQuality { Fast, Balanced, High };

/// In the order of the enumeration.
inline const std::vector<std::string>& denoiseQualityNames() {
    static const std::vector<std::string> names = {"fast", "balanced", "high"};
    return names;
}

struct FilmSettings {
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    PixelFilter filter = PixelFilter::BlackmanHarris;
    double filterRadius = 1.5;                ///< pixels; a box of radius 0.5 is the pixel itself
    double exposure = 0.0;                    ///< EV, for tone-mapped output only; kWordInstead: the picture is metered
    std::optional<double> exposurePercentile; ///< where it is metered; see meteredPercentile
    std::optional<double> exposureFrames;     ///< where it is metered; see framesToAdapt
    ToneMap tonemap = ToneMap::Filmic;
    DenoiserKind denoise = DenoiserKind::None;
    DenoiseQuality denoiseQuality = DenoiseQuality::High;
    std::uint32_t denoiseRays = 3; ///< camera rays beside each sample, for the layers that a denoiser reads
    AovSet aovs;
    double shutterOpen = 0.0;  ///< when the shutter opens, in frames after the one that is shown
    double shutterClose = 0.0; ///< when it closes, not before it opens; at once: nothing is blurred
    double shutterEase = 0.0;  ///< share of that time in which it opens and closes, half of it each
    bool transparent = false;  ///< camera rays do not see the environment; the picture has alpha

    /// Whether frames of an animation are blurred by what moves.
    bool blurs() const { return shutterClose > shutterOpen; }
    bool isMetered() const { return exposure == kWordInstead; }
    /// The part of a metered picture's pixels, in percent, that stays below white; 0: its log-average is metered.
    double meteredPercentile() const { return exposurePercentile.value_or(0.0); }
    /// In so many frames those that are metered adapt, to 1 / e; 0: each is exposed by itself.
    double framesToAdapt() const { return exposureFrames.value_or(8.0); }
};

/// The settings of the film but its size and its layers, which are read by hand.
inline constexpr std::array kFilmFields = {
    field<&FilmSettings::filter>(
        {.key = "filter",
         .domain = Words{&pixelFilterNames},
         .description = "The pixel filter. The gaussian's radius is three standard deviations."}),
    field<&FilmSettings::filterRadius>(
        {.key = "filterRadius",
         .domain = NumberRange{0.5, 16.0},
         .description = "Pixels. 1.5 by default, 1 for the triangle, and 0.5 for the box: the pixel itself.",
         .defaultDepends = true}),
    field<&FilmSettings::exposure>(
        {.key = "exposure",
         .domain = NumberRange{.least = -kMaximumExposure, .most = kMaximumExposure, .word = "auto"},
         .option = "--exposure",
         .unit = "EV|auto",
         .help = "Stops added before tone mapping, instead of the scene's; for .png output",
         .description = "EV, for tone-mapped output only. 'auto' meters the picture.",
         .changesSamples = false,
         .forDisplay = true}),
    field<&FilmSettings::exposurePercentile>(
        {.key = "exposurePercentile",
         .domain = NumberRange{0.0, 100.0},
         .option = "--exposure-percentile",
         .unit = "P",
         .help = "With --exposure auto: P percent of the pixels stay below white; by default, 0, their\nlog-average "
                 "becomes middle grey",
         .description = "Of exposure 'auto': this many percent of the pixels stay below white; with 0, the default, "
                        "their log-average becomes middle grey, 0.18.",
         .changesSamples = false,
         .forDisplay = true}),
    field<&FilmSettings::exposureFrames>(
        {.key = "exposureFrames",
         .domain = NumberRange{0.0, 10000.0},
         .option = "--exposure-frames",
         .unit = "N",
         .help =
             "With --exposure auto and --frames: frames in which it adapts, to 1 / e (8); 0 exposes\neach by itself",
         .description = "Of exposure 'auto': the frames in which it adapts, to 1 / e, 8 by default; 0 exposes each by "
                        "itself.",
         .changesSamples = false,
         .forDisplay = true}),
    field<&FilmSettings::tonemap>({.key = "tonemap",
                                   .domain = Words{&toneMapNames},
                                   .option = "--tonemap",
                                   .unit = "NAME",
                                   .help = "One of {names};\nfor .png output",
                                   .description = "For PNG output.",
                                   .changesSamples = false,
                                   .forDisplay = true}),
    field<&FilmSettings::denoise>({.key = "denoise",
                                   .domain = Words{&denoiserNames},
                                   .option = "--denoise",
                                   .unit = "NAME",
                                   .optionAlone = "auto",
                                   .help = "Take the noise out of the picture before bloom, by one of {names};\nauto "
                                           "(--denoise alone): oidn, Open Image Denoise, where it is installed, else "
                                           "builtin",
                                   .description = "What takes the noise out of the picture, before bloom. 'auto' is "
                                                  "'oidn', Open Image Denoise, where that is installed, else "
                                                  "'builtin', aureole's own filter, which needs the sampler 'sobol'.",
                                   .changesSamples = false}),
    field<&FilmSettings::denoiseQuality>(
        {.key = "denoiseQuality",
         .domain = Words{&denoiseQualityNames},
         .option = "--denoise-quality",
         .unit = "NAME",
         .help = "How much work Open Image Denoise does, {names};\n{default} by default",
         .description = "How much work Open Image Denoise does; 'builtin' has one quality alone.",
         .changesSamples = false}),
    field<&FilmSettings::denoiseRays>(
        {.key = "denoiseRays",
         .domain = CountRange{0, kMaximumDenoiseRays},
         .option = "--denoise-rays",
         .unit = "N",
         .help =
             "Camera rays beside each sample that tell a denoiser of edges, textures and lamps;\n{default} by default",
         .description = "Camera rays beside each sample of a picture that is denoised as it is rendered. They tell the "
                        "denoiser of edges, textures and lamps, whose noise it cannot find.",
         .changesSamples = false}),
    field<&FilmSettings::shutterOpen>(
        {.key = "shutterOpen",
         .domain = NumberRange{-1.0, 1.0},
         .description = "When the shutter opens for a frame of an animation, in frames after that frame's own time."}),
    field<&FilmSettings::shutterClose>(
        {.key = "shutterClose",
         .domain = NumberRange{-1.0, 1.0},
         .description = "When it closes, not before it opens. The camera and instances with keys move in between, and "
                        "are blurred; of 'shutterOpen' 0 and 'shutterClose' 0, the defaults, nothing is. 0.5 is what "
                        "film cameras do."}),
    field<&FilmSettings::shutterEase>(
        {.key = "shutterEase",
         .domain = NumberRange{0.0, 1.0},
         .description = "The share of the time from shutterOpen to shutterClose in which the shutter opens and closes, "
                        "half of it each, so that the light of a moment counts as far as it is open. 0: at once; 1: "
                        "it closes as soon as it is open, which blurs most softly."}),
    field<&FilmSettings::transparent>({.key = "transparent",
                                       .domain = Switch{},
                                       .option = "--transparent",
                                       .help = "Leave the environment out where the camera sees it, and write alpha",
                                       .description = "Camera rays do not see the environment; the picture has alpha.",
                                       .noted = Noted::CheckpointOnly,
                                       .attribute = "aureole.transparent"}),
};

/// A setting of how pictures are metered, where none is.
struct IdleMetering {
    const Setting* setting;
    std::string message;
};

/// The first such setting of the film; none where all that is set has a use.
std::optional<IdleMetering> findIdleMetering(const FilmSettings& film);

} // namespace aureole
