#pragma once

// Saving a render under way, and going on from what was saved. The file is film/checkpoint.h's.

#include <cstdint>
#include <string>

#include "core/stopwatch.h"
#include "film/checkpoint.h"
#include "session/backend.h"
#include "session/loop.h"
#include "session/options.h"
#include "session/report.h"

namespace aureole {

/// Refuses options of checkpoints that do not go together. Throws Error.
void checkCheckpointOptions(const RenderOptions& options);

/// The checkpoint that a render writes, and the one that it goes on from. An empty name is no file.
struct CheckpointFiles {
    std::string written;
    std::string resumed;
    bool mayBeNew = false; ///< the resumed file need not be there yet, as it is the one to write
    double everySeconds = kCheckpointSeconds;
    bool drop = false;  ///< remove the written one once the picture is complete
    bool named = false; ///< by an option, so that messages may tell of --resume
};

CheckpointFiles checkpointFiles(const RenderOptions& options);

/// By which a checkpoint is known as one of this render.
RenderIdentity renderIdentity(const Scene& scene, const View& view, const RenderOptions& options,
                              const RenderReport& report);

/// Writes the checkpoints of one render.
class CheckpointWriter {
public:
    /// Where there are any to write, SIGUSR1 asks for one from now on. `resumed` are the samples that the render goes
    /// on from.
    CheckpointWriter(CheckpointFiles files, RenderIdentity identity, const IndexRanges& resumed);

    /// To be called once the backend has the resumed film. Where that came from another file than the one to write, it
    /// is written there, as the render may be killed before the next checkpoint. A failure counts as that of the last
    /// checkpoint, until one is written.
    void begin(const RenderBackend& backend);

    /// Whether it is time for a checkpoint, or a signal has asked for one.
    bool isDue();

    /// To be called where the backend has stopped and its samples end with a batch. Writes a checkpoint where one is
    /// due or it is the `last` chance. A checkpoint that cannot be written is a warning, and the next one is tried;
    /// after the last one finish() fails, so that the picture is written before.
    void offer(const RenderBackend& backend, bool last);

    /// To be called while a failure of any kind is handled. Writes the film that the backend has, if it still has one,
    /// with more samples than the file, from which a render goes on to the bytes of an unbroken run. Throws nothing.
    void rescue(const RenderBackend& backend, const RenderLimits& limits) noexcept;

    /// To be called once the picture of the `rendered` samples is written. Removes the checkpoint where the render is
    /// `done` and that is asked for; else warns of samples that the checkpoint lacks, as it holds whole batches of
    /// `batch` only. Throws Error (CannotWrite) where the last checkpoint could not be written.
    void finish(bool done, const IndexRanges& rendered, std::uint32_t batch) const;

    /// Why the last checkpoint could not be written; empty where it was.
    const std::string& lastFailure() const { return lastFailure_; }

    /// The end of a message of failure: "; the checkpoint FILE has samples 0:64, from which --resume goes on". Empty
    /// where no option names the file, or it does not hold samples of this render.
    std::string kept() const;

private:
    void save(const FilmState& state, bool last);
    void warnOfLacking(const IndexRanges& rendered, std::uint32_t batch) const;

    CheckpointFiles files_;
    RenderIdentity identity_;
    bool resumed_;        ///< whether the render goes on from samples of a run before
    IndexRanges written_; ///< samples in the file
    std::string lastFailure_;
    Stopwatch sinceLast_;
    bool asked_ = false; ///< by a signal, since the last one
};

/// Throws what resume() would throw because of the checkpoint, before the long work. The film of a large picture is not
/// kept for that time: resume() reads it again.
void checkResumed(const CheckpointFiles& files, const RenderIdentity& identity, const RenderLimits& limits);

/// Puts the checkpoint to go on from into the backend. Returns the end of the samples that the film then holds,
/// limits.first where there is nothing to go on from. Throws Error (BadInput) where the checkpoint is damaged or of
/// another render, with all that differs; (Usage) where it holds more samples than are asked for. Another device or
/// other kernels are a warning.
std::uint32_t resume(const CheckpointFiles& files, const RenderIdentity& identity, const RenderLimits& limits,
                     RenderBackend& backend);

} // namespace aureole
