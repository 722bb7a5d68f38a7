#pragma once

// The frames of an animation, rendered one after the other.

#include <cstdint>
#include <functional>

#include "session/job.h"

namespace aureole {

/// Which of the frames this process renders: frame first + offset, and every step-th after it.
struct FrameShare {
    std::uint32_t offset = 0;
    std::uint32_t step = 1;
    OnSamples onSamples{}; ///< is called for each frame, as renderSamples does
    /// Is called after each frame that this process has rendered, or found to have a file.
    std::function<void(bool isFound)> onFrame{};
};

struct RenderedFrames {
    ExitCode code = ExitCode::Done; ///< or Interrupted
    IndexRanges there;              ///< frames of the share that have a file
};

/// Renders one picture after the other, with the scene made ready once. A frame that a signal cuts short is not
/// written, so that every file has all its samples. Throws Error.
RenderedFrames renderFrames(Job& job, const FrameShare& share);

/// Warns, after an interruption, which frames are there and which are not.
void warnOfMissingFrames(const RenderOptions& options, const IndexRanges& there);

} // namespace aureole
