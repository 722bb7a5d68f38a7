#pragma once

// The largest and smallest values that a scene may ask for, by its file or by an option of the command line.

#include <cstdint>

#include "core/image_limits.h"

namespace aureole {

inline constexpr std::uint32_t kMaximumFilmSide = kMaximumImageSide;
inline constexpr std::uint64_t kMaximumFilmPixels = std::uint64_t{1} << 28U;
/// Stops, up and down.
inline constexpr double kMaximumExposure = 64.0;
/// Pixels along a side of a generated bloom kernel: 3 GiB.
inline constexpr std::uint32_t kMaximumKernelSize = 16384;
inline constexpr double kMinimumKernelScale = 0.01;
inline constexpr double kMaximumKernelScale = 100.0;

// Of generated bloom kernels. Lengths in millimetres, angles in degrees, luminances in cd/m^2.
inline constexpr double kMinimumFNumber = 0.1;
inline constexpr double kMaximumFNumber = 1000.0;
inline constexpr double kMinimumSensorHeight = 0.1;
inline constexpr double kMaximumSensorHeight = 1000.0;
inline constexpr double kMinimumApertureDiameter = 0.001;
inline constexpr double kMaximumApertureDiameter = 10000.0;
inline constexpr std::uint32_t kMinimumBlades = 3; ///< or none
inline constexpr std::uint32_t kMaximumBlades = 64;
inline constexpr std::uint32_t kMaximumDust = 10000;
inline constexpr std::uint32_t kMaximumScratches = 1000;
inline constexpr std::uint32_t kMaximumFlareLines = 10000;
inline constexpr double kMinimumAdaptation = 1e-6;
inline constexpr double kMaximumAdaptation = 1e6;
inline constexpr double kMinimumSigma = 1e-6;
inline constexpr double kMaximumSigma = 180.0;

// Of cameras. Degrees.
inline constexpr double kMinimumFov = 0.1;
inline constexpr double kMaximumFov = 179.0;
inline constexpr std::uint32_t kMaximumCameraBlades = 16; ///< from kMinimumBlades, or none
inline constexpr double kMinimumIso = 1.0;
inline constexpr double kMaximumIso = 10'000'000.0;
inline constexpr double kMinimumShutter = 1e-6; ///< seconds
inline constexpr double kMaximumShutter = 1e6;
/// The most frames of an animation. They are numbered from 0.
inline constexpr std::uint32_t kMaximumFrames = 1'000'000;
/// Relative error of a pixel that adaptive sampling may aim at; 0 is none.
inline constexpr double kMinimumNoise = 1e-5;
inline constexpr double kMaximumNoise = 1.0;
/// Index of refraction, against the space around.
inline constexpr double kMinimumIor = 1.0;
inline constexpr double kMaximumIor = 4.0;
/// Mean cosine by which a medium turns light.
inline constexpr double kMinimumAnisotropy = -0.99;
inline constexpr double kMaximumAnisotropy = 0.99;

inline constexpr std::uint32_t kMinimumResolution = 16;
inline constexpr std::uint32_t kMaximumResolution = 16384;

/// How far, in voxels, a plane may lie from the surface that it stands for.
inline constexpr double kMinimumSurfaceError = 0.01;
inline constexpr double kDefaultSurfaceError = 0.25;
inline constexpr double kMaximumSurfaceError = 16.0;

inline constexpr std::uint32_t kMaximumDenoiseRays = 64; ///< camera rays beside each sample
inline constexpr std::uint32_t kMaximumSamplesPerPixel = std::uint32_t{1} << 30U;
inline constexpr std::uint32_t kDefaultSamplesPerPixel = 64;
/// With adaptive sampling, the most that a pixel gets unless told otherwise.
inline constexpr std::uint32_t kDefaultAdaptiveSamples = 65536;
inline constexpr std::uint32_t kMaximumDepth = 65535;

/// Lengths, coordinates and radiances are at most this, far inside float.
inline constexpr double kMaximumNumber = 1e12;

} // namespace aureole
