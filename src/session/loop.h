#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "session/backend.h"

namespace aureole {

/// Which samples to render, and when to stop before the last of them.
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

/// Whether a film that a render left with samples up to `end`, wherever it stopped, goes on to the bytes of an unbroken
/// run: they end with a batch, and not where adaptive sampling decides, for it may not have.
bool goesOnFrom(std::uint32_t end, std::uint32_t batch, const RenderLimits& limits);

/// Is called where the film can be saved to go on from: between two slices, where a batch ends, after adaptive sampling
/// has left out the pixels that need no more samples. `last` is true at the last such place of the render.
using OnWholeBatch = std::function<void(bool last)>;

/// Is called with the samples of each pixel that are done, a fraction where one is under way, and the rays that they
/// took. Where one is given, the loop shows no progress on stderr itself.
using OnSamples = std::function<void(double samples, std::uint64_t rays)>;

/// Renders until the samples are done, the time is up, or a signal asks for a stop, with progress on stderr. Works in
/// slices of about half a second, so that a stop takes no longer than a slice; slices end on batch boundaries, so that
/// the film does not depend on them. At least one slice is rendered, where samples are missing. With a noise to reach,
/// pixels end at sample counts that do not depend on time either, and the render ends with the last of them. `begun` is
/// the end of the samples that the backend's film holds already, limits.first where there are none.
RenderOutcome renderSamples(RenderBackend& backend, const RenderLimits& limits, std::uint32_t begun,
                            const OnWholeBatch& onWholeBatch, const OnSamples& onSamples = {});

} // namespace aureole
