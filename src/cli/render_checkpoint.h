#pragma once

// What a render leaves behind to go on from.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cli/render_backend.h"
#include "cli/render_loop.h"
#include "cli/render_options.h"
#include "image/checkpoint.h"

namespace aureole::cli {

/// Refuses options that do not go together.
void checkCheckpointOptions(const RenderOptions& options);

/// Which render a checkpoint is of: as the attributes of its image (aureole.*).
using CheckpointAttributes = std::map<std::string, std::string>;

CheckpointAttributes checkpointAttributes(const Scene& scene, const View& view, const RenderOptions& options,
                                          const RenderReport& report);

/// Writes the checkpoints of one render.
class CheckpointWriter {
public:
    /// Where there are any to write, SIGUSR1 asks for one from now on.
    CheckpointWriter(const RenderOptions& options, CheckpointAttributes attributes);

    /// Between two slices, where the backend's samples end at a multiple of its batch: writes a checkpoint where one is
    /// due or asked for by a signal, or where it is the `last`. Before the last one, a checkpoint that cannot be
    /// written is a warning, and the next is tried. Throws Error (CannotWrite).
    void offer(const RenderBackend& backend, bool last);

    /// After a render that is finished: removes the checkpoint where that is asked for.
    void finish() const;

private:
    std::string file_; ///< empty: none
    double every_;     ///< seconds
    bool drop_;
    CheckpointAttributes attributes_;
    Stopwatch sinceLast_;
};

/// Puts the checkpoint that the options name into the backend. Returns the end of the samples that the film then holds,
/// limits.first where there is nothing to go on from. Throws Error (BadInput) where the checkpoint is damaged or that
/// of another render: it names what differs; (Usage) where it holds more samples than are asked for. Another device or
/// other kernels are a warning.
std::uint32_t resume(const RenderOptions& options, const CheckpointAttributes& attributes, const RenderLimits& limits,
                     RenderBackend& backend);

} // namespace aureole::cli
