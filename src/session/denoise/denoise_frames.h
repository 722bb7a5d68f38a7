#pragma once

// Denoising the frames of an animation, each with the help of those before and after it.

#include <string>

#include "core/index_ranges.h"
#include "session/denoise/denoise.h"

namespace aureole {

struct DenoiseFrames {
    std::string input;  ///< names as of 'render --frames' (frameFile)
    std::string output; ///< names as of 'render --frames'
    IndexRange frames;
    bool keepNoisy = false;
};

/// Frames to each side that help one.
inline constexpr std::uint32_t kFramesBeside = 3;

/// Fails where a frame of the range has no file, or where they are not frames of one animation as `render` wrote it: of
/// one size, of one scene and its settings, not denoised, bloomed or finished, as far as their files' heads tell. Three
/// frames on each side beyond the range help too, and are looked at where they have a file. Throws Error (BadInput,
/// Usage).
void checkDenoiseFrames(const DenoiseFrames& frames);

/// Denoises and writes one frame after the other. Seven pictures are in memory at most. What becomes of a frame does
/// not depend on the range that it is denoised in, as long as all files are there. Throws what checkDenoiseFrames and
/// Denoiser::apply throw; frames from before are written then.
void denoiseFrames(Denoiser& denoiser, const DenoiseFrames& frames, const gpu::Device* device);

} // namespace aureole
