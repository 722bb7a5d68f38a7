#include "session/render_job.h"

#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "core/current_error.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "ranks/launch.h"
#include "ranks/open_messenger.h"
#include "session/rank_job.h"
#include "session/render_checkpoint.h"
#include "session/render_frames.h"
#include "session/render_loop.h"
#include "session/render_picture.h"
#include "session/render_plan.h"
#include "session/render_prepare.h"
#include "session/render_run.h"

namespace aureole {

namespace {

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
            job, backend, limits, options.output, begun, [&](bool last) { checkpoints.offer(backend, last); }, {},
            report);
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

ExitCode renderAll(const RenderOptions& options, ImageFormat format, RenderReport& report) {
    Job job = prepare(options, format, report);
    const RenderLimits limits = limitsOf(job.scene, options);
    if (options.frames) {
        const RenderedFrames rendered = renderFrames(job, format, limits, {}, report);
        if (rendered.code == ExitCode::Interrupted) {
            warnOfMissingFrames(options, rendered.there);
        }
        return rendered.code;
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
    if (const std::optional<Launch> launch = options.shareRanks ? findLaunch(&std::getenv) : std::nullopt) {
        if (std::unique_ptr<Messenger> messenger = openMessenger(*launch)) {
            return renderOnRanks(options, std::move(messenger));
        }
    }
    const ImageFormat format = checkOptions(options);
    return runReported(options, [&](RenderReport& report) { return renderAll(options, format, report); });
}

} // namespace aureole
