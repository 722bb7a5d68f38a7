#include "session/frames.h"

#include <algorithm>
#include <filesystem>
#include <memory>
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

/// Moves the job and the backend to a frame.
void moveToFrame(Job& job, std::uint32_t frame, std::unique_ptr<RenderBackend>& backend) {
    const double angle = pixelAngle(job.scene, job.view).value_or(0.0);
    setFrame(job.scene, job.view, frame);
    if (job.kernel && angle != pixelAngle(job.scene, job.view).value_or(0.0)) {
        job.kernel = kernelFor(job.scene, job.view);
    }
    if (backend) {
        job.report.stages.time(Stage::Pipelines, [&] { backend->setView(job.view); });
        return;
    }
    backend = makeBackend(job);
    catchInterrupts(); // a signal before the first sample ends the program at once
}

/// Notes that a frame has a file.
void addFrame(SampleRanges& there, std::uint32_t frame) {
    if (!there.empty() && there.back().second == frame) {
        ++there.back().second;
    } else {
        there.emplace_back(frame, frame + 1);
    }
}

} // namespace

RenderedFrames renderFrames(Job& job, const FrameShare& share) {
    const RenderOptions& options = job.options;
    RenderReport& report = job.report;
    const auto [first, end] = *options.frames;
    std::unique_ptr<RenderBackend> backend;
    SampleRanges there;
    report.frames = 0;
    report.framesFound = 0;
    for (std::uint32_t frame = first + share.offset; frame < end && !report.interrupted; frame += share.step) {
        const std::string file = frameFile(options.output, frame);
        if (options.skipExisting && hasWholeFrame(file)) {
            addFrame(there, frame);
            ++*report.framesFound;
            continue;
        }
        moveToFrame(job, frame, backend);
        const FilmSums film = renderFilm(job, *backend, job.limits, file, job.limits.first,
                                         {[] { return false; }, [](bool) {}}, share.onSamples);
        if (report.interrupted) {
            break;
        }
        savePicture(job, film, file);
        report.addPicture(film, job.limits.noise, backend->activePixels());
        addFrame(there, frame);
        ++*report.frames;
        logInfo("frame    {} written to {}", frame, file);
        report.interrupted = interruptRequested() && end - frame > share.step;
    }
    return {report.interrupted ? ExitCode::Interrupted : ExitCode::Done, there};
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
