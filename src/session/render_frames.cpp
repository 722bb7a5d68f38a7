#include "session/render_frames.h"

#include <memory>
#include <string>

#include "core/interrupt.h"
#include "core/log.h"
#include "session/frame_files.h"
#include "session/render_attributes.h"
#include "session/render_plan.h"

namespace aureole {

RenderedFrames renderFrames(Job& job, ImageFormat format, const RenderLimits& limits, const FrameShare& share,
                            RenderReport& report) {
    const RenderOptions& options = *job.options;
    const auto [first, end] = *options.frames;
    std::unique_ptr<RenderBackend> backend;
    SampleRanges there; // frames that have a file
    const auto note = [&there](std::uint32_t frame) {
        if (!there.empty() && there.back().second == frame) {
            ++there.back().second;
        } else {
            there.emplace_back(frame, frame + 1);
        }
    };
    report.frames = 0;
    report.framesFound = 0;
    for (std::uint32_t frame = first + share.offset; frame < end && !report.interrupted; frame += share.step) {
        const std::string file = frameFile(options.output, frame);
        if (options.skipExisting && hasWholeFrame(file)) {
            note(frame);
            ++*report.framesFound;
            continue;
        }
        const double angle = pixelAngle(job.scene, job.view).value_or(0.0);
        setFrame(job.scene, job.view, frame);
        if (job.kernel && angle != pixelAngle(job.scene, job.view).value_or(0.0)) {
            job.kernel = kernelFor(job.scene, job.view);
        }
        if (backend) {
            const Stopwatch making;
            backend->setView(job.view);
            report.pipelineSeconds += making.seconds();
        } else {
            backend = makeBackend(job, report);
            catchInterrupts();
        }
        const FilmSums film = renderFilm(
            job, *backend, limits, file, limits.first, [](bool) {}, share.onSamples, report);
        if (report.interrupted) {
            break;
        }
        savePicture(job, film, format, file, report);
        reportPicture(film, limits, *backend, report);
        note(frame);
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
