#include "session/checkpoint.h"

#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/file.h"
#include "core/input_file.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "session/attributes.h"
#include "session/output.h"

namespace aureole {

namespace {

/// The file to write; empty where there is none.
const std::string& fileOf(const RenderOptions& options) {
    return options.checkpoint.empty() ? options.resume : options.checkpoint;
}

/// Whether there is a checkpoint to go on from.
bool resumes(const CheckpointFiles& files) {
    return !files.resumed.empty() && (!files.mayBeNew || pathExists(files.resumed));
}

/// The checkpoint to go on from, if it is one of this render.
Checkpoint readResumed(const CheckpointFiles& files, const RenderIdentity& identity, const RenderLimits& limits) {
    Checkpoint checkpoint = readCheckpoint(files.resumed);
    const std::vector<std::string> differences = renderDifferences(checkpoint.identity, identity);
    if (!differences.empty()) {
        fail(ExitCode::BadInput, "{}: found the checkpoint of another render: {}", files.resumed,
             fmt::join(differences, "; "));
    }
    const IndexRanges& samples = checkpoint.state.samples;
    if (samples.size() != 1 || samples[0].first != limits.first) {
        fail(ExitCode::BadInput, "{}: found the samples {}, expected one range from {}", files.resumed,
             formatRanges(samples), limits.first);
    }
    if (samples[0].second > limits.end) {
        fail(ExitCode::Usage, "--resume: found the samples {} in {}, expected at most the {} that are asked for",
             formatRanges(samples), files.resumed, limits.end - limits.first);
    }
    return checkpoint;
}

} // namespace

CheckpointFiles checkpointFiles(const RenderOptions& options) {
    return {fileOf(options),
            options.resume,
            options.resume == options.checkpoint,
            options.checkpointSeconds.value_or(kCheckpointSeconds),
            options.dropCheckpoint,
            true};
}

void checkCheckpointOptions(const RenderOptions& options) {
    const bool writes = !fileOf(options).empty();
    if (options.frames && writes) {
        fail(ExitCode::Usage, "{}: found it with --frames, expected one of them: --skip-existing goes on with frames",
             options.checkpoint.empty() ? "--resume" : "--checkpoint");
    }
    if (options.checkpointSeconds && !writes) {
        fail(ExitCode::Usage, "--every: found it without --checkpoint, expected both or none");
    }
    if (options.dropCheckpoint && !writes) {
        fail(ExitCode::Usage, "--drop-checkpoint: found it without --checkpoint, expected both or none");
    }
    if (writes) {
        checkWritable(fileOf(options));
    }
    // --resume and --checkpoint may name one file.
    const NamedFile kept{options.checkpoint.empty() ? "--resume" : "--checkpoint", fileOf(options)};
    checkApart(
        {{"--output", options.output}, {"--stats-json", options.statsFile}, {"--trace", options.traceFile}, kept},
        {{"SCENE", options.scene}});
    checkApart({{"--output", options.output}, {"--stats-json", options.statsFile}, {"--trace", options.traceFile}},
               {{"--resume", options.resume}});
    std::error_code status;
    if (resumes(checkpointFiles(options)) && !std::filesystem::exists(options.resume, status)) {
        fail(ExitCode::BadInput, "--resume: {}: {}, expected the checkpoint to go on from", options.resume,
             whyNotFound(status));
    }
}

RenderIdentity renderIdentity(const Scene& scene, const View& view, const RenderOptions& options,
                              const RenderReport& report) {
    Image noted;
    addAttributes(noted, scene, view, options, report);
    noteSettings(scene, true, noted.attributes);
    return identityFrom(noted.attributes);
}

CheckpointWriter::CheckpointWriter(CheckpointFiles files, RenderIdentity identity, const IndexRanges& resumed)
    : files_(std::move(files))
    , identity_(std::move(identity))
    , resumed_(!resumed.empty())
    , written_(files_.written == files_.resumed ? resumed : IndexRanges()) {
    if (!files_.written.empty()) {
        catchSaveRequests();
    }
}

void CheckpointWriter::begin(const RenderBackend& backend) {
    if (!files_.written.empty() && resumed_ && written_.empty()) {
        save(backend.state(), true);
    }
}

bool CheckpointWriter::isDue() {
    if (files_.written.empty()) {
        return false;
    }
    asked_ = takeSaveRequest() || asked_;
    return asked_ || sinceLast_.seconds() >= files_.everySeconds;
}

void CheckpointWriter::offer(const RenderBackend& backend, bool last) {
    if (files_.written.empty() || !(isDue() || last)) {
        return;
    }
    const FilmState state = backend.state();
    if (!state.samples.empty()) {
        save(state, last);
    }
}

void CheckpointWriter::rescue(const RenderBackend& backend, const RenderLimits& limits) noexcept {
    try {
        if (files_.written.empty() || !backend.isWhole()) {
            return;
        }
        const FilmState state = backend.state();
        if (!state.samples.empty() && state.samples != written_ &&
            goesOnFrom(state.samples.back().second, backend.batchSize(), limits)) {
            save(state, true);
        }
    } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): the device may be gone; the file stays as it is
    }
}

void CheckpointWriter::save(const FilmState& state, bool last) {
    try {
        writeCheckpoint(files_.written, {identity_, state});
        written_ = state.samples;
        lastFailure_.clear();
    } catch (const Error& error) {
        if (error.code() != ExitCode::CannotWrite) {
            throw;
        }
        if (last) {
            lastFailure_ = error.what();
        } else {
            logWarning("{}; the render goes on, and tries again in {:g} s", error.what(), files_.everySeconds);
        }
    }
    sinceLast_ = {};
    asked_ = false;
}

void CheckpointWriter::warnOfLacking(const IndexRanges& rendered, std::uint32_t batch) const {
    const std::uint32_t end = rendered.empty() ? 0 : rendered.back().second;
    if (written_.empty()) {
        logWarning("no checkpoint is written to {}: found samples {}, expected a whole batch of {} samples per pixel, "
                   "which is the least to go on from",
                   files_.written, formatRanges(rendered), batch);
    } else if (written_.back().second < end) {
        logWarning(
            "the checkpoint {} has samples {} of {}: it holds whole batches of {}, and --resume renders the rest "
            "again",
            files_.written, formatRanges(written_), formatRanges(rendered), batch);
    }
}

void CheckpointWriter::finish(bool done, const IndexRanges& rendered, std::uint32_t batch) const {
    if (!lastFailure_.empty()) {
        fail(ExitCode::CannotWrite, "{}; the picture is written{}", lastFailure_, kept());
    }
    if (done && files_.drop) {
        std::error_code ignored;
        std::filesystem::remove(files_.written, ignored);
    } else if (!files_.written.empty()) {
        warnOfLacking(rendered, batch);
    }
}

std::string CheckpointWriter::kept() const {
    if (!files_.named || written_.empty() || !pathExists(files_.written)) {
        return {};
    }
    return fmt::format("; the checkpoint {} has samples {}, from which --resume goes on", files_.written,
                       formatRanges(written_));
}

void checkResumed(const CheckpointFiles& files, const RenderIdentity& identity, const RenderLimits& limits) {
    if (resumes(files)) {
        readResumed(files, identity, limits);
    }
}

std::uint32_t resume(const CheckpointFiles& files, const RenderIdentity& identity, const RenderLimits& limits,
                     RenderBackend& backend) {
    if (files.resumed.empty()) {
        return limits.first;
    }
    if (!resumes(files)) {
        logInfo("resume   {} is not there yet: from the first sample", files.resumed);
        return limits.first;
    }
    const Checkpoint checkpoint = readResumed(files, identity, limits);
    for (const std::string& difference : lastBitDifferences(checkpoint.identity, identity)) {
        logWarning("{}: {}: the picture will be right, but not to the last bit that of one run", files.resumed,
                   difference);
    }
    backend.restore(checkpoint.state, files.resumed);
    logInfo("resume   {} has samples {}", files.resumed, formatRanges(checkpoint.state.samples));
    return checkpoint.state.samples[0].second;
}

} // namespace aureole
