#pragma once

#include <cstdint>
#include <limits>

#include "cli/render_backend.h"

namespace aureole::cli {

struct RenderLimits {
    std::uint32_t first = 0;
    std::uint32_t end = 0; ///< exclusive
    double seconds = std::numeric_limits<double>::infinity();
    double noise = 0.0; ///< above 0: pixels end at that relative error; `first` is 0
};

/// How a loop ended: where, and whether a signal cut it short.
struct RenderOutcome {
    std::uint32_t end = 0;
    bool interrupted = false;
};

/// Renders until the samples are done, the time is up, or a signal asks for a stop, with progress on stderr. Works in
/// slices of about half a second, so that a stop takes no longer than a slice; slices end on batch boundaries, so that
/// the film does not depend on them. At least one slice is rendered. With a noise to reach, pixels end at sample counts
/// that do not depend on time either, and the render ends with the last of them.
RenderOutcome renderSamples(RenderBackend& backend, const RenderLimits& limits);

} // namespace aureole::cli
