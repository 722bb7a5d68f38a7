#pragma once

// The figures of Hosek and Wilkie's models, which the authors publish with version 1.4a of their program
// (cgg.mff.cuni.cz, project SkylightModelling), read from the file in which Mitsuba 3.9.1 carries them.

#include <array>
#include <cstddef>
#include <filesystem>

namespace aureole::sky {

inline constexpr const char* kHosekFile = "sunsky_datasets.bin"; ///< holds the sky's figures and the sun's

inline constexpr std::size_t kTurbidities = 10;         ///< 1 to 10
inline constexpr std::size_t kElevationControls = 6;    ///< control points of a Bezier curve over the sun's elevation
inline constexpr std::size_t kDistributionFigures = 9;  ///< A, B, C, D, E, F, G, I and H
inline constexpr std::size_t kSunPieces = 45;           ///< of elevation, from the horizon up
inline constexpr std::size_t kSunCoefficients = 4;      ///< of a cubic, highest power first
inline constexpr std::size_t kSunBands = 11;            ///< of wavelength
inline constexpr double kFirstSunBand = 320.0;          ///< nm
inline constexpr double kSunBandStep = 40.0;            ///< nm
inline constexpr std::size_t kLimbDarkeningFigures = 6; ///< of a polynomial in the cosine, lowest power first

/// The figures of one channel of the sky.
struct SkyFigures {
    /// [ground albedo 0, 1][turbidity][control point][parameter].
    std::array<double, 2 * kTurbidities * kElevationControls * kDistributionFigures> distribution{};
    /// [ground albedo 0, 1][turbidity][control point]: the mean radiance, W/(m^2 sr).
    std::array<double, 2 * kTurbidities * kElevationControls> mean{};
};

/// [turbidity][piece][coefficient]: radiance by radians above the piece's start, which is (piece / 45)^3 pi / 2.
using SunFigures = std::array<double, kTurbidities * kSunPieces * kSunCoefficients>;

/// The figures of sky and sun for red, green and blue: linear, Rec. 709.
struct HosekData {
    std::array<SkyFigures, 3> sky;
    /// Mean radiance of the sun's disc, W/(m^2 sr).
    std::array<SunFigures, 3> sun;
};

/// Reads the figures from Mitsuba's file: the tensors sky_params_rgb [turbidity][albedo][control
/// point][channel][parameter], sky_rad_rgb (without the parameters), sun_rad_spec
/// [turbidity][piece][band][coefficient], where the cubics' lowest power comes first, and sun_ld_spec [band][power].
///
/// The sky's are taken as they are. The sun's spectrum is brought to Rec. 709: the model is linear between bands, and
/// so is the limb darkening's polynomial, whose mean over the disc is taken. Their product is summed with the matching
/// functions (rec709Of) in steps of 1 nm, 360 to 720 nm, where the model's spectrum ends. All of that is linear in the
/// bands' cubics, so that the reduced cubics are exact.
///
/// Throws Error (BadInput), naming file and tensor, where the file is missing, larger than 8 MiB, of another format or
/// version or cut short, a tensor is missing or has another shape or type, or a number is not finite or beyond 1e30.
HosekData readHosekData(const std::filesystem::path& file);

} // namespace aureole::sky
