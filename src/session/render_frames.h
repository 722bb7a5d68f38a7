#pragma once

#include <cstdint>

#include "session/render_picture.h"

namespace aureole {

/// Which of the frames are to be rendered here: every step-th from the first and `offset`.
struct FrameShare {
    std::uint32_t offset = 0;
    std::uint32_t step = 1;
    OnSamples onSamples{}; ///< of each frame, as renderSamples has it
};

struct RenderedFrames {
    ExitCode code = ExitCode::Done; ///< or Interrupted
    SampleRanges there;             ///< frames of the share that have a file
};

/// One picture after the other, the scene made ready once. A frame that a signal cuts short is not written, so that
/// every file has all its samples. Throws Error.
RenderedFrames renderFrames(Job& job, ImageFormat format, const RenderLimits& limits, const FrameShare& share,
                            RenderReport& report);

/// Says which frames there are after an interruption.
void warnOfMissingFrames(const RenderOptions& options, const SampleRanges& there);

} // namespace aureole
