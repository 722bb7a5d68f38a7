#include "session/frames.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "core/quiet_log.h"
#include "core/threads/loop_threads.h"
#include "scene/value_keys.h"
#include "session/adaptation.h"
#include "session/attributes.h"
#include "session/frame_files.h"
#include "session/picture.h"
#include "session/plan.h"
#include "session/range.h"

namespace aureole {

namespace {

/// What a picture takes while its file is made, about: its channels, their copies and the file.
constexpr std::uint64_t kBytesOfPixel = 64;

/// Has frames written in their order, while the ones after them are rendered: each by a thread of its own.
class FrameWriter {
public:
    explicit FrameWriter(Job& job)
        : job_(&job) {}
    ~FrameWriter() {
        for (const Frame& frame : underWay_) {
            frame.picture.written.wait(); // its thread reads the frame's colours
        }
    }
    FrameWriter(const FrameWriter&) = delete;
    FrameWriter& operator=(const FrameWriter&) = delete;

    /// The file of the last frame, before which the next frame's file is not written.
    std::shared_future<WrittenPicture> last() const {
        return underWay_.empty() ? std::shared_future<WrittenPicture>() : underWay_.back().picture.written;
    }

    /// Adds a frame whose film is complete. Waits for the oldest frames while more are being written than there are
    /// cores for, or than fit into kMostBytes.
    void add(std::uint32_t frame, PictureUnderWay picture, std::uint64_t bytes) {
        // Where colours came from the device, this thread needs no other core.
        const unsigned encoders =
            picture.colours.size() > 0 ? std::max(loopThreads(), 2U) - 1 : threadsBesideEncoders(*job_);
        underWay_.push_back({frame, std::move(picture)});
        const std::uint64_t most = std::max<std::uint64_t>(kMostBytes / std::max<std::uint64_t>(bytes, 1), 1);
        while (underWay_.size() > std::min<std::uint64_t>(most, encoders)) {
            finishOldest();
        }
    }

    /// Counts a frame whose file an earlier run has written.
    void addFound(std::uint32_t frame) {
        finish();
        note(frame);
        ++*job_->report.framesFound;
    }

    /// Waits for the files that are being written.
    void finish() {
        while (!underWay_.empty()) {
            finishOldest();
        }
    }

    /// As finish(), while a failure is handled: the films of these frames are complete. Logs what goes wrong.
    void rescue() noexcept {
        try {
            finish();
        } catch (const std::exception& error) {
            logWarning("{}; frames after it are not written either", error.what());
        }
    }

    /// Frames that have a file now.
    const IndexRanges& there() const { return there_; }

private:
    /// What the pictures under way may take together.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

    struct Frame {
        std::uint32_t number = 0;
        PictureUnderWay picture;
    };

    void finishOldest() {
        Frame frame = std::move(underWay_.front());
        underWay_.pop_front();
        const std::string file = frame.picture.output;
        finishPicture(*job_, std::move(frame.picture));
        note(frame.number);
        ++*job_->report.frames;
        logInfo("frame    {} written to {}", frame.number, file);
    }

    void note(std::uint32_t frame) { appendRange(there_, {frame, frame + 1}); }

    Job* job_;
    std::deque<Frame> underWay_;
    IndexRanges there_;
};

/// Moves the job and its backend to a frame.
void moveToFrame(Job& job, std::uint32_t frame, FrameWriter& writer) {
    const bool isFirst = job.backend == nullptr;
    if (showsOthers(job.scene, *job.options.changes.frame, frame)) {
        writer.finish(); // pictures may still be with the backend
        loadFrame(job, frame);
    }
    const double angle = pixelAngle(job.scene, job.view).value_or(0.0);
    setFrame(job.scene, job.view, frame);
    job.look = lookAtFrame(job.scene, frame);
    if (job.bloom.kernel && (angle != pixelAngle(job.scene, job.view).value_or(0.0) ||
                             changesWithin(job.scene, "/bloom/", "/bloom/sharpen"))) {
        job.bloom.kernel = kernelFor(job);
        job.bloom.filter.reset();
    }
    if (job.bloom.filter) {
        job.bloom.filter->setSharpen(job.look.bloom.sharpen);
    }
    if (job.finish.isWanted && changesWithin(job.scene, "/finish/")) {
        job.finish.next = job.look.finish.any() ? std::make_shared<const Finish>(job.look.finish) : nullptr;
    }
    if (job.backend) {
        job.report.stages.time(Stage::Pipelines, [&] { job.backend->setView(job.view); });
        return;
    }
    std::optional<QuietLog> again;
    if (!isFirst) {
        again.emplace(); // the first backend has told of itself
    }
    job.backend = makeBackend(job);
    catchInterrupts(); // a signal before the first sample ends the program at once
}

/// What is exposed from frame to frame has them all, in their order.
void startAdapting(Job& job, std::uint32_t first, const FrameShare& share) {
    if (!adapts(job)) {
        return;
    }
    if (share.step > 1) {
        fail(ExitCode::Usage,
             "{}: found frames of automatic exposure shared by {} processes, expected one, as the exposure adapts from "
             "frame to frame. EXR files, for 'aureole convert --frames', may be shared, or 'exposureFrames' be 0",
             job.options.output, share.step);
    }
    adaptTo(job, exposureBefore(job.options.output, first));
}

void tell(const FrameShare& share, bool isFound) {
    if (share.onFrame) {
        share.onFrame(isFound);
    }
}

/// Renders the frames of the share one after the other, until a signal comes.
void renderShare(Job& job, const FrameShare& share, FrameWriter& writer) {
    RenderReport& report = job.report;
    const auto [first, end] = *job.options.frames;
    startAdapting(job, first, share);
    for (std::uint32_t frame = first + share.offset; frame < end && !report.interrupted; frame += share.step) {
        const std::string file = frameFile(job.options.output, frame);
        if (job.options.skipExisting && hasWholeFrame(file)) {
            writer.addFound(frame);
            tell(share, true);
            if (adapts(job)) {
                adaptTo(job, exposureIn(file));
            }
            continue;
        }
        moveToFrame(job, frame, writer);
        const FilmSums film = renderFilm(job, *job.backend, job.limits, file, job.limits.first,
                                         {[] { return false; }, [](bool) {}}, share.onSamples, FilmUse::Picture);
        if (report.interrupted) {
            break;
        }
        std::optional<PictureUnderWay> picture = startPicture(job, film, job.backend.get(), file, writer.last());
        if (!picture) {
            break;
        }
        writer.add(frame, std::move(*picture), kBytesOfPixel * film.pixelCount());
        report.addPicture(film, job.limits.noise, job.backend->activePixels());
        tell(share, false);
        report.interrupted = interruptRequested() && end - frame > share.step;
    }
}

} // namespace

RenderedFrames renderFrames(Job& job, const FrameShare& share) {
    job.report.frames = 0;
    job.report.framesFound = 0;
    FrameWriter writer(job);
    try {
        renderShare(job, share, writer);
    } catch (...) {
        writer.rescue();
        throw;
    }
    writer.finish();
    return {job.report.interrupted ? ExitCode::Interrupted : ExitCode::Done, writer.there()};
}

void warnOfMissingFrames(const RenderOptions& options, const IndexRanges& there) {
    const auto [first, end] = *options.frames;
    if (there.empty()) {
        logWarning("interrupted: no frame of {}:{} was finished, and none is written", first, end);
    } else {
        logWarning("interrupted: of the frames {}:{} there are {}; with --skip-existing the same command renders those "
                   "that have no file",
                   first, end, formatRanges(there));
    }
}

} // namespace aureole
