#pragma once

#include <cstdint>
#include <limits>

#include "cli/render_backend.h"

namespace aureole::cli {

struct RenderLimits {
    std::uint32_t first = 0;
    std::uint32_t end = 0; ///< exclusive
    double seconds = std::numeric_limits<double>::infinity();
};

/// How a loop ended: where, and whether a signal cut it short.
struct RenderOutcome {
    std::uint32_t end = 0;
    bool interrupted = false;
};

/// Renders until the samples are done, the time is up, or a signal asks for a stop, with progress on stderr. Works in
/// slices of about half a second, so that a stop takes no longer than a slice; slices end on batch boundaries, so that
/// the film does not depend on them. At least one slice is rendered.
RenderOutcome renderSamples(RenderBackend& backend, const RenderLimits& limits);

} // namespace aureole::cli
