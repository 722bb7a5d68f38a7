#include "cli/render_job.h"

#include <cmath>
#include <memory>
#include <string>

#include "cli/frame_files.h"
#include "cli/render_attributes.h"
#include "cli/render_checkpoint.h"
#include "cli/render_loop.h"
#include "cli/render_picture.h"
#include "cli/render_plan.h"
#include "cli/render_prepare.h"
#include "core/current_error.h"
#include "core/interrupt.h"
#include "core/log.h"

namespace aureole::cli {

namespace {

void finishReport(const RenderOptions& options, const Stopwatch& total, ExitCode code, RenderReport& report) {
    report.totalSeconds = total.seconds();
    report.exitCode = code;
    printReport(report);
    if (!options.statsFile.empty()) {
        writeReport(options.statsFile, report);
    }
}

/// Of a run that failed: the figures so far. That they cannot be written is a warning beside the failure.
void finishReport(const RenderOptions& options, const Stopwatch& total, const Error& failure, RenderReport& report) {
    if (failure.code() == ExitCode::Usage) {
        return; // the options are wrong, and the name for the figures may be what is wrong about them
    }
    report.failure = failure.what();
    try {
        finishReport(options, total, failure.code(), report);
    } catch (const std::exception& error) {
        logWarning("{}", error.what());
    }
}

/// One picture, from a checkpoint and to one where the options say so.
void renderPicture(const Job& job, ImageFormat format, const RenderLimits& limits, RenderBackend& backend,
                   RenderReport& report) {
    const RenderOptions& options = *job.options;
    const CheckpointAttributes attributes = checkpointAttributes(job.scene, job.view, options, report);
    const std::uint32_t begun = resume(options, attributes, limits, backend);
    if (!options.resume.empty()) {
        report.resumedSamples = begun - limits.first;
    }
    CheckpointWriter checkpoints(options, attributes,
                                 begun > limits.first ? SampleRanges{{limits.first, begun}} : SampleRanges());
    bool allSamples = true;
    SampleRanges rendered;
    try {
        checkpoints.begin(backend);
        const FilmSums film = renderFilm(
            job, backend, limits, options.output, begun, [&](bool last) { checkpoints.offer(backend, last); }, report);
        savePicture(job, film, format, options.output, report);
        reportPicture(film, limits, backend, report);
        rendered = film.samples;
        // What ends by the time may go on.
        allSamples = std::isinf(limits.seconds) || film.sampleCount() == limits.end - limits.first;
    } catch (...) {
        const Error error = currentError();
        checkpoints.rescue(backend, limits);
        throw Error(error.code(), error.what() + checkpoints.kept());
    }
    checkpoints.finish(!report.interrupted && allSamples, rendered, backend.batchSize());
}

/// One picture after the other, the scene made ready once. A frame that a signal cuts short is not written, so that
/// every file has all its samples.
ExitCode renderFrames(Job& job, ImageFormat format, const RenderLimits& limits, RenderReport& report) {
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
    for (std::uint32_t frame = first; frame < end && !report.interrupted; ++frame) {
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
            job, *backend, limits, file, limits.first, [](bool) {}, report);
        if (report.interrupted) {
            break;
        }
        savePicture(job, film, format, file, report);
        reportPicture(film, limits, *backend, report);
        note(frame);
        ++*report.frames;
        logInfo("frame    {} written to {}", frame, file);
        report.interrupted = interruptRequested() && frame + 1 < end;
    }
    if (!report.interrupted) {
        return ExitCode::Done;
    }
    if (there.empty()) {
        logWarning("interrupted: no frame of {}:{} was finished, and none is written", first, end);
    } else {
        logWarning("interrupted: of the frames {}:{} there are {}; with --skip-existing the same command renders those "
                   "that have no file",
                   first, end, formatSamples(there));
    }
    return ExitCode::Interrupted;
}

ExitCode renderAll(const RenderOptions& options, ImageFormat format, RenderReport& report) {
    Job job = prepare(options, format, report);
    const RenderLimits limits = limitsOf(job.scene, options);
    if (options.frames) {
        return renderFrames(job, format, limits, report);
    }
    const std::unique_ptr<RenderBackend> backend = makeBackend(job, report);
    // Until here there is nothing to save, so a signal ends the program at once.
    catchInterrupts();
    renderPicture(job, format, limits, *backend, report);
    if (!report.interrupted) {
        return ExitCode::Done;
    }
    logWarning("interrupted: {} has {} samples per pixel of the {} asked for", options.output, report.samplesPerPixel,
               limits.end - limits.first);
    return ExitCode::Interrupted;
}

} // namespace

ExitCode renderToFile(const RenderOptions& options) {
    const Stopwatch total;
    const ImageFormat format = checkOptions(options);
    setProgressStyle(options.progress);
    RenderReport report;
    report.scene = options.scene;
    report.output = options.output;
    report.backend = options.reference ? "reference" : "gpu";
    ExitCode code = ExitCode::Done;
    try {
        code = renderAll(options, format, report);
    } catch (...) {
        const Error error = currentError();
        finishReport(options, total, error, report);
        throw Error(error);
    }
    finishReport(options, total, code, report);
    return code;
}

} // namespace aureole::cli
