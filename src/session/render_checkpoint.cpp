#include "session/render_checkpoint.h"

#include <array>
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
#include "session/output.h"
#include "session/render_attributes.h"

namespace aureole {

namespace {

/// What a sample depends on, and the film that it goes into; the rest is in the scene's hash.
constexpr std::array kSame = {"aureole.version", "aureole.seed",    "aureole.camera", "aureole.size",
                              "aureole.crop",    "aureole.backend", "aureole.aovs"};
constexpr const char* kHash = "aureole.scene_hash";
/// What may change its last bits.
constexpr std::array kNearlySame = {"aureole.device", "aureole.driver", "aureole.kernels"};

/// The file to write; empty: none.
const std::string& fileOf(const RenderOptions& options) {
    return options.checkpoint.empty() ? options.resume : options.checkpoint;
}

std::string valueOf(const CheckpointAttributes& attributes, const std::string& key) {
    const auto found = attributes.find(key);
    return found == attributes.end() ? "none" : found->second;
}

/// Adds those of `keys` whose values differ.
void addDifferences(const CheckpointAttributes& there, const CheckpointAttributes& wanted,
                    const std::vector<std::string>& keys, std::vector<std::string>& differences) {
    for (const std::string& key : keys) {
        const std::string found = valueOf(there, key);
        const std::string expected = valueOf(wanted, key);
        if (found != expected) {
            differences.push_back(fmt::format("{} is {}, expected {}", key, found, expected));
        }
    }
}

void checkSame(const std::string& file, const Checkpoint& checkpoint, const CheckpointAttributes& attributes) {
    const std::vector<std::string> differences = renderDifferences(checkpoint.attributes, attributes);
    if (!differences.empty()) {
        fail(ExitCode::BadInput, "{}: found the checkpoint of another render: {}", file, fmt::join(differences, "; "));
    }
}

void warnOfNearlySame(const std::string& file, const Checkpoint& checkpoint, const CheckpointAttributes& attributes) {
    for (const char* const key : kNearlySame) {
        const std::string found = valueOf(checkpoint.attributes, key);
        const std::string expected = valueOf(attributes, key);
        if (found != expected) {
            logWarning(
                "{}: {} was {} and is {} now: the picture will be right, but not to the last bit that of one run", file,
                key, found, expected);
        }
    }
}

/// Whether there is a checkpoint to go on from; the one that is to be written need not be there yet.
bool resumes(const RenderOptions& options) {
    std::error_code ignored; // checkWritable has had a look at what is to be written
    return !options.resume.empty() &&
           (options.resume != options.checkpoint || std::filesystem::exists(options.resume, ignored));
}

/// The checkpoint to go on from, if it is one of this render.
Checkpoint readResumed(const RenderOptions& options, const CheckpointAttributes& attributes,
                       const RenderLimits& limits) {
    Checkpoint checkpoint = readCheckpoint(options.resume);
    checkSame(options.resume, checkpoint, attributes);
    const SampleRanges& samples = checkpoint.state.samples;
    if (samples.size() != 1 || samples[0].first != limits.first) {
        fail(ExitCode::BadInput, "{}: found the samples {}, expected one range from {}", options.resume,
             formatSamples(samples), limits.first);
    }
    if (samples[0].second > limits.end) {
        fail(ExitCode::Usage, "--resume: found the samples {} in {}, expected at most the {} that are asked for",
             formatSamples(samples), options.resume, limits.end - limits.first);
    }
    return checkpoint;
}

} // namespace

/// The hash tells nothing of what differs, so that it stands for the rest.
std::vector<std::string> renderDifferences(const CheckpointAttributes& there, const CheckpointAttributes& wanted) {
    std::vector<std::string> differences;
    addDifferences(there, wanted, {kSame.begin(), kSame.end()}, differences);
    if (valueOf(there, kHash) != valueOf(wanted, kHash)) {
        // In the hash too, and named: what options set.
        addDifferences(there, wanted, notedSettings(), differences);
        if (differences.empty()) {
            addDifferences(there, wanted, {kHash}, differences);
            differences.back() +=
                fmt::format(", so the scene or a file of it has changed, or --set; it was made by: {}",
                            valueOf(there, "aureole.command"));
        }
    }
    return differences;
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
    checkApart({{"--output", options.output}, {"--stats-json", options.statsFile}, kept}, {{"SCENE", options.scene}});
    checkApart({{"--output", options.output}, {"--stats-json", options.statsFile}}, {{"--resume", options.resume}});
    std::error_code status;
    if (resumes(options) && !std::filesystem::exists(options.resume, status)) {
        fail(ExitCode::BadInput, "--resume: {}: {}, expected the checkpoint to go on from", options.resume,
             whyNotFound(status));
    }
}

CheckpointAttributes checkpointAttributes(const Scene& scene, const View& view, const RenderOptions& options,
                                          const RenderReport& report) {
    Image noted;
    addAttributes(noted, scene, view, options, report);
    if (report.kernels) {
        noted.attributes["aureole.kernels"] = *report.kernels;
    }
    noteSettings(scene, true, noted.attributes);
    return noted.attributes;
}

CheckpointWriter::CheckpointWriter(const RenderOptions& options, CheckpointAttributes attributes,
                                   const SampleRanges& resumed)
    : file_(fileOf(options))
    , every_(options.checkpointSeconds.value_or(kCheckpointSeconds))
    , drop_(options.dropCheckpoint)
    , attributes_(std::move(attributes))
    , resumed_(!resumed.empty())
    , written_(file_ == options.resume ? resumed : SampleRanges()) {
    if (!file_.empty()) {
        catchSaveRequests();
    }
}

void CheckpointWriter::begin(const RenderBackend& backend) {
    if (!file_.empty() && resumed_ && written_.empty()) {
        save(backend.state(), true);
    }
}

void CheckpointWriter::offer(const RenderBackend& backend, bool last) {
    if (file_.empty() || !(takeSaveRequest() || last || sinceLast_.seconds() >= every_)) {
        return;
    }
    const FilmState state = backend.state();
    if (!state.samples.empty()) {
        save(state, last);
    }
}

void CheckpointWriter::rescue(const RenderBackend& backend, const RenderLimits& limits) noexcept {
    try {
        if (file_.empty() || !backend.isWhole()) {
            return;
        }
        const FilmState state = backend.state();
        if (!state.samples.empty() && state.samples != written_ &&
            goesOnFrom(state.samples.back().second, backend.batchSize(), limits)) {
            save(state, true);
        }
    } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): the device is gone, say; the file stays as it is
    }
}

void CheckpointWriter::save(const FilmState& state, bool last) {
    try {
        writeCheckpoint(file_, {attributes_, state});
        written_ = state.samples;
        lastFailure_.clear();
    } catch (const Error& error) {
        if (error.code() != ExitCode::CannotWrite) {
            throw;
        }
        if (last) {
            lastFailure_ = error.what();
        } else {
            logWarning("{}; the render goes on, and tries again in {:g} s", error.what(), every_);
        }
    }
    sinceLast_ = {};
}

void CheckpointWriter::warnOfLacking(const SampleRanges& rendered, std::uint32_t batch) const {
    const std::uint32_t end = rendered.empty() ? 0 : rendered.back().second;
    if (written_.empty()) {
        logWarning("no checkpoint is written to {}: found samples {}, expected a whole batch of {} samples per pixel, "
                   "which is the least to go on from",
                   file_, formatSamples(rendered), batch);
    } else if (written_.back().second < end) {
        logWarning(
            "the checkpoint {} has samples {} of {}: it holds whole batches of {}, and --resume renders the rest "
            "again",
            file_, formatSamples(written_), formatSamples(rendered), batch);
    }
}

void CheckpointWriter::finish(bool done, const SampleRanges& rendered, std::uint32_t batch) const {
    if (!lastFailure_.empty()) {
        fail(ExitCode::CannotWrite, "{}; the picture is written{}", lastFailure_, kept());
    }
    if (done && drop_) {
        std::error_code ignored;
        std::filesystem::remove(file_, ignored);
    } else if (!file_.empty()) {
        warnOfLacking(rendered, batch);
    }
}

std::string CheckpointWriter::kept() const {
    std::error_code ignored;
    if (written_.empty() || !std::filesystem::exists(file_, ignored)) {
        return {};
    }
    return fmt::format("; the checkpoint {} has samples {}, from which --resume goes on", file_,
                       formatSamples(written_));
}

void checkResumed(const RenderOptions& options, const CheckpointAttributes& attributes, const RenderLimits& limits) {
    if (resumes(options)) {
        readResumed(options, attributes, limits);
    }
}

std::uint32_t resume(const RenderOptions& options, const CheckpointAttributes& attributes, const RenderLimits& limits,
                     RenderBackend& backend) {
    if (options.resume.empty()) {
        return limits.first;
    }
    if (!resumes(options)) {
        logInfo("resume   {} is not there yet: from the first sample", options.resume);
        return limits.first;
    }
    const Checkpoint checkpoint = readResumed(options, attributes, limits);
    warnOfNearlySame(options.resume, checkpoint, attributes);
    backend.restore(checkpoint.state, options.resume);
    logInfo("resume   {} has samples {}", options.resume, formatSamples(checkpoint.state.samples));
    return checkpoint.state.samples[0].second;
}

} // namespace aureole
