// Homogeneous media: how far a path gets in one before it is scattered, and what is left of light that goes through.
#ifndef AUREOLE_SHARED_MEDIUM_H
#define AUREOLE_SHARED_MEDIUM_H

#include "shared/light/lights.h"

SHARED_BEGIN

/// The part of a ray that lies in a medium.
struct MediumStretch {
    float from; ///< distances along the ray
    float to;
    vec3 extinction; ///< absorption and scattering, per length
    vec3 scattering;
};

/// Where a medium acts on a path.
struct MediumDraw {
    float distance; ///< from the start of the stretch
    uint scatters;  ///< 1: the path is scattered there; 0: it gets through
    vec3 weight;    ///< of its throughput
};

/// Where fog ends for a ray: a path could not go on from a point that is farther, where backends' numbers end.
#define FOG_FAR 1e15f

/// Which part of a ray's first `distance` lies below `top`: it starts at `height`, and rises by `slope` per length.
SHARED_INLINE vec2 stretchBelow(float top, float height, float slope, float distance) {
    float end = min(distance, FOG_FAR);
    float crossing = slope != 0.0f ? (top - height) / slope : -1.0f;
    float met = crossing >= 0.0f ? min(crossing, end) : end;
    return height < top ? vec2(0.0f, slope > 0.0f ? met : end) : vec2(slope < 0.0f ? met : end, end);
}

SHARED_INLINE vec3 transmittanceOver(vec3 extinction, float length) {
    vec3 depth = extinction * length;
    return vec3(exp(-depth.x), exp(-depth.y), exp(-depth.z));
}

/// The optical depth, drawn by a uniform number, of the next collision. Devices' logarithms of numbers just below 1 may
/// have either sign.
SHARED_INLINE float opticalDepth(float u) {
    return max(-log(1.0f - u), 0.0f);
}

/// What is left of an optical depth behind a part that it exceeds. The part's depth may have been rounded in the
/// comparison but not here, where a device fuses the product with the difference.
SHARED_INLINE float depthBehind(float depth, float extinction, float length) {
    return max(depth - extinction * length, 0.0f);
}

/// The part of each channel in what a path carries. A path may carry nothing, as from a medium that scatters one
/// channel alone: then it is a third each, which nothing comes of.
SHARED_INLINE vec3 channelParts(vec3 throughput) {
    float sum = throughput.x + throughput.y + throughput.z;
    return sum > 0.0f ? throughput / sum : vec3(1.0f / 3.0f);
}

/// Draws where a path is scattered in a stretch, by two uniform numbers. The distance is drawn as one channel has it,
/// each as often as its part in the path's throughput, and weighted as if by all of them (the balance heuristic), so
/// that no path gains weight by the medium's colour: Wilkie, Nawaz, Droske, Weidlich and Hanika, "Hero Wavelength
/// Spectral Sampling" (2014).
SHARED_INLINE MediumDraw drawInMedium(MediumStretch stretch, vec3 throughput, vec2 u) {
    vec3 part = channelParts(throughput);
    float chosen = u.y < part.x            ? stretch.extinction.x
                   : u.y < part.x + part.y ? stretch.extinction.y
                                           : stretch.extinction.z;
    float whole = stretch.to - stretch.from;
    MediumDraw draw;
    draw.distance = chosen > 0.0f ? opticalDepth(u.x) / chosen : LIGHT_FAR;
    draw.scatters = draw.distance < whole ? 1u : 0u;
    draw.distance = min(draw.distance, whole);
    vec3 left = transmittanceOver(stretch.extinction, draw.distance);
    if (draw.scatters != 0u) {
        draw.weight = stretch.scattering * left / max(dot(part, stretch.extinction * left), 1e-30f);
    } else {
        draw.weight = left / max(dot(part, left), 1e-30f);
    }
    return draw;
}

SHARED_END
#endif
