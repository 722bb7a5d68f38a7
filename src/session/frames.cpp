#include "session/frames.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "image/exr/exr.h"
#include "image/image_file.h"
#include "session/attributes.h"
#include "session/picture.h"
#include "session/plan.h"
#include "session/range.h"

namespace aureole {

std::string frameFile(const std::string& pattern, std::uint32_t frame) {
    const std::filesystem::path path = pattern;
    const std::string name = path.filename().string();
    const std::size_t first = std::min(name.find('#'), name.size());
    const std::size_t end = std::min(name.find_first_not_of('#', first), name.size());
    if (first == end || name.find('#', end) != std::string::npos) {
        fail(ExitCode::Usage,
             "--frames: found the output {}, expected one run of # in its name for the frame's number, as in "
             "out.####.exr",
             pattern);
    }
    const std::string numbered = fmt::format("{}{:0{}}{}", name.substr(0, first), frame, end - first, name.substr(end));
    return (path.parent_path() / numbered).string();
}

namespace {

/// What a frame's file notes of its scene; empty where it notes nothing.
std::string sceneHashIn(const std::string& file) {
    constexpr const char* kHash = "aureole.scene_hash";
    try {
        const Image head = readExrHead(file);
        const auto hash = head.attributes.find(kHash);
        return hash == head.attributes.end() ? std::string() : hash->second;
    } catch (const Error&) {
        return {};
    }
}

} // namespace

void checkFramesAlike(const std::string& pattern, std::uint32_t first, std::uint32_t end,
                      const std::string& sceneHash) {
    for (std::uint32_t frame = first; frame < end; ++frame) {
        const std::string file = frameFile(pattern, frame);
        std::error_code ignored; // what is wrong with a name is said when the file is written
        const std::string hash = std::filesystem::exists(file, ignored) ? sceneHashIn(file) : std::string();
        if (!hash.empty() && hash != sceneHash) {
            fail(ExitCode::BadInput,
                 "{}: found a frame of another scene, or with other settings (aureole.scene_hash is {}, expected {}): "
                 "remove it, or render all frames without --skip-existing",
                 file, hash, sceneHash);
        }
    }
}

bool hasWholeFrame(const std::string& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        return false;
    }
    try {
        readImage(file);
        return true;
    } catch (const Error& error) {
        if (error.code() != ExitCode::BadInput) {
            throw;
        }
        logWarning("{}; the frame is rendered again", error.what());
        return false;
    }
}

SampleRanges framesWithoutFile(const std::string& pattern, const SampleRanges& frames) {
    SampleRanges missing;
    for (const auto& [first, end] : frames) {
        for (std::uint32_t frame = first; frame < end; ++frame) {
            std::error_code ignored;
            if (!std::filesystem::exists(frameFile(pattern, frame), ignored)) {
                missing.emplace_back(frame, frame + 1);
            }
        }
    }
    return joinRanges(std::move(missing));
}

namespace {

/// What a picture takes while its file is made, about: its channels, their copies and the file.
constexpr std::uint64_t kBytesOfPixel = 64;

/// Moves the job and the backend to a frame.
void moveToFrame(Job& job, std::uint32_t frame, std::unique_ptr<RenderBackend>& backend) {
    const double angle = pixelAngle(job.scene, job.view).value_or(0.0);
    setFrame(job.scene, job.view, frame);
    if (job.kernel && angle != pixelAngle(job.scene, job.view).value_or(0.0)) {
        job.kernel = kernelFor(job.scene, job.view);
        job.bloom.reset();
    }
    if (backend) {
        job.report.stages.time(Stage::Pipelines, [&] { backend->setView(job.view); });
        return;
    }
    backend = makeBackend(job);
    catchInterrupts(); // a signal before the first sample ends the program at once
}

/// Writes frames in their order, while the ones after them are rendered: each is encoded by a thread of its own.
class FrameWriter {
public:
    explicit FrameWriter(Job& job)
        : job_(&job) {}

    /// A frame whose film is complete. Waits for the oldest ones where more are under way than there are cores, or than
    /// fit into the memory that they may take.
    void add(std::uint32_t frame, PictureUnderWay picture, std::uint64_t bytes) {
        underWay_.push_back({frame, std::move(picture)});
        const std::uint64_t most = std::max<std::uint64_t>(kMostBytes / std::max<std::uint64_t>(bytes, 1), 1);
        while (underWay_.size() >
               std::min<std::uint64_t>(most, std::max(std::thread::hardware_concurrency(), 2U) - 1)) {
            writeOldest();
        }
    }

    /// A frame that has a file from before.
    void addFound(std::uint32_t frame) {
        finish();
        note(frame);
        ++*job_->report.framesFound;
    }

    /// Writes what is under way.
    void finish() {
        while (!underWay_.empty()) {
            writeOldest();
        }
    }

    /// Writes what is under way while a failure is handled: these frames are complete.
    void rescue() noexcept {
        try {
            finish();
        } catch (const std::exception& error) {
            logWarning("{}; frames after it are not written either", error.what());
        }
    }

    /// Frames that have a file now.
    const SampleRanges& there() const { return there_; }

private:
    /// What the pictures under way may take together.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

    struct Frame {
        std::uint32_t number = 0;
        PictureUnderWay picture;
    };

    void writeOldest() {
        Frame frame = std::move(underWay_.front());
        underWay_.pop_front();
        const std::string file = frame.picture.output;
        writePicture(*job_, std::move(frame.picture));
        note(frame.number);
        ++*job_->report.frames;
        logInfo("frame    {} written to {}", frame.number, file);
    }

    void note(std::uint32_t frame) {
        if (!there_.empty() && there_.back().second == frame) {
            ++there_.back().second;
        } else {
            there_.emplace_back(frame, frame + 1);
        }
    }

    Job* job_;
    std::deque<Frame> underWay_;
    SampleRanges there_;
};

/// Renders the frames of the share one after the other, until a signal comes.
void renderShare(Job& job, const FrameShare& share, FrameWriter& writer) {
    RenderReport& report = job.report;
    const auto [first, end] = *job.options.frames;
    std::unique_ptr<RenderBackend> backend;
    for (std::uint32_t frame = first + share.offset; frame < end && !report.interrupted; frame += share.step) {
        const std::string file = frameFile(job.options.output, frame);
        if (job.options.skipExisting && hasWholeFrame(file)) {
            writer.addFound(frame);
            continue;
        }
        moveToFrame(job, frame, backend);
        const FilmSums film = renderFilm(job, *backend, job.limits, file, job.limits.first,
                                         {[] { return false; }, [](bool) {}}, share.onSamples);
        if (report.interrupted) {
            break;
        }
        PictureUnderWay picture = startPicture(job, film, file);
        if (report.interrupted) { // while it was denoised
            break;
        }
        writer.add(frame, std::move(picture), kBytesOfPixel * film.pixelCount());
        report.addPicture(film, job.limits.noise, backend->activePixels());
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

void warnOfMissingFrames(const RenderOptions& options, const SampleRanges& there) {
    const auto [first, end] = *options.frames;
    if (there.empty()) {
        logWarning("interrupted: no frame of {}:{} was finished, and none is written", first, end);
    } else {
        logWarning("interrupted: of the frames {}:{} there are {}; with --skip-existing the same command renders those "
                   "that have no file",
                   first, end, formatSamples(there));
    }
}

} // namespace aureole
