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

/// Who wants the film of a render under way, to save or to show it.
struct FilmWatch {
    /// Whether the render should stop where the backend can next, to hand over the film. Is asked often.
    std::function<bool()> wants;
    /// Is called where the film can be saved to go on from: where the render has stopped and a batch ends, after
    /// adaptive sampling has left out the pixels that need no more samples. `last` is true at the last such place.
    std::function<void(bool last)> take;
};

/// Is called with the samples of each pixel that are done, a fraction where one is under way, and the rays that they
/// took. Where one is given, the loop shows no progress on stderr itself.
using OnSamples = std::function<void(double samples, std::uint64_t rays)>;

/// Renders until the samples are done, the time is up, or a signal asks for a stop, with progress on stderr. The
/// backend is asked for all samples up to the next place where adaptive sampling decides, and told to stop where it can
/// before that, which is on a batch boundary: so the film does not depend on when the watch wanted it, and no device
/// waits for this loop. Where samples are missing, at least one batch is rendered. With a noise to reach, pixels end at
/// sample counts that do not depend on time either, and the render ends with the last of them. `begun` is the end of
/// the samples that the backend's film holds already, limits.first where there are none.
RenderOutcome renderSamples(RenderBackend& backend, const RenderLimits& limits, std::uint32_t begun,
                            const FilmWatch& watch, const OnSamples& onSamples = {});

} // namespace aureole
