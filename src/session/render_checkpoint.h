#pragma once

// What a render leaves behind to go on from.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "film/checkpoint.h"
#include "session/render_backend.h"
#include "session/render_loop.h"
#include "session/render_options.h"

namespace aureole {

/// Refuses options that do not go together.
void checkCheckpointOptions(const RenderOptions& options);

/// Which render a checkpoint is of: as the attributes of its image (aureole.*).
using CheckpointAttributes = std::map<std::string, std::string>;

/// Everything that makes `there` another render than `wanted`, as "aureole.seed is 2, expected 1".
std::vector<std::string> renderDifferences(const CheckpointAttributes& there, const CheckpointAttributes& wanted);

CheckpointAttributes checkpointAttributes(const Scene& scene, const View& view, const RenderOptions& options,
                                          const RenderReport& report);

/// Writes the checkpoints of one render.
class CheckpointWriter {
public:
    /// Where there are any to write, SIGUSR1 asks for one from now on. `resumed`: the samples that the render goes on
    /// from.
    CheckpointWriter(const RenderOptions& options, CheckpointAttributes attributes, const SampleRanges& resumed);

    /// After resume(): where the samples come from another file than the one to write, writes them there, as there may
    /// be no further place to do so. A failure counts as that of the last checkpoint, until one is written.
    void begin(const RenderBackend& backend);

    /// Between two slices, where the backend's samples end at a multiple of its batch: writes a checkpoint where one is
    /// due or asked for by a signal, or where it is the `last`. One that cannot be written is a warning; the next is
    /// tried, and after the last one finish() fails, so that the picture is written before.
    void offer(const RenderBackend& backend, bool last);

    /// After a failure of any kind, which is being handled: writes what the backend has, where that is still there, is
    /// more than the file has, and goes on to the bytes of an unbroken run. Throws nothing.
    void rescue(const RenderBackend& backend, const RenderLimits& limits) noexcept;

    /// Once the picture of the `rendered` samples is written: removes the checkpoint where the render is `done` and
    /// that is asked for; else warns of samples that it lacks, as it holds whole batches of `batch` only. Throws Error
    /// (CannotWrite) where the last checkpoint could not be written.
    void finish(bool done, const SampleRanges& rendered, std::uint32_t batch) const;

    /// Why the last checkpoint could not be written; empty where it was.
    const std::string& lastFailure() const { return lastFailure_; }

    /// What there is to go on from after a failure: "; FILE has samples 0:64, ..." for the end of a message. Empty
    /// where there is none of this render, or it is gone.
    std::string kept() const;

private:
    void save(const FilmState& state, bool last);
    void warnOfLacking(const SampleRanges& rendered, std::uint32_t batch) const;

    std::string file_; ///< empty: none
    double every_;     ///< seconds
    bool drop_;
    CheckpointAttributes attributes_;
    bool resumed_;            ///< there are samples that the render goes on from
    SampleRanges written_;    ///< in the file
    std::string lastFailure_; ///< why the last one could not be written
    Stopwatch sinceLast_;
};

/// Throws what resume() would throw of the checkpoint that the options name, before the long work. The film of a large
/// picture is not kept for that time: resume() reads it again.
void checkResumed(const RenderOptions& options, const CheckpointAttributes& attributes, const RenderLimits& limits);

/// Puts the checkpoint that the options name into the backend. Returns the end of the samples that the film then holds,
/// limits.first where there is nothing to go on from. Throws Error (BadInput) where the checkpoint is damaged or that
/// of another render: it names what differs; (Usage) where it holds more samples than are asked for. Another device or
/// other kernels are a warning.
std::uint32_t resume(const RenderOptions& options, const CheckpointAttributes& attributes, const RenderLimits& limits,
                     RenderBackend& backend);

} // namespace aureole
