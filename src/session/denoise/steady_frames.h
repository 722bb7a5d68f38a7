#pragma once

// Frames of an animation that were denoised one by one flicker, since what noise is left in each is another. A frame
// takes the mean of what those beside it have of its points: of the light, which is smooth, wherever these fall in a
// pixel; of albedo and of light seen directly, whose edges and texture a mean would blur, where they fall on its
// middle.

#include <vector>

#include "denoise/denoise.h"
#include "session/denoise/reprojection.h"

namespace aureole {

/// A colour of a frame after it was denoised.
struct FrameColour {
    std::vector<float> light;  ///< what was denoised, 3 values a pixel
    std::vector<float> direct; ///< what was not: light seen directly, 3 values a pixel; may be empty
};

/// A colour of a frame, and what tells which points are the same in others. Whoever makes it keeps what it refers to.
struct FrameView {
    const Sight& sight;
    const DenoiseInput& features; ///< albedo and normals, which may be empty
    const std::vector<float>& noise;
    const std::vector<glm::vec3>& lights; ///< lightsOf what was denoised
    const std::vector<float>& direct;     ///< as FrameColour has it
};

/// The light of FrameColour where the albedo is divided out, as far as there is one.
std::vector<glm::vec3> lightsOf(const DenoiseInput& features, const std::vector<float>& light);

/// The variance of the noisy picture's brightness where its albedo is divided out, 1 value a pixel, as its halves tell.
std::vector<float> noiseOf(const DenoiseInput& features, const std::vector<float>& half,
                           const std::vector<float>& otherHalf);

/// The frame's colour with the help of others of its size; 3 values a pixel. What looks different there beyond what
/// noise may have left has no weight.
std::vector<float> steadyColour(const FrameView& frame, const std::vector<FrameView>& others);

} // namespace aureole
