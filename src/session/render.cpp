#include "session/render.h"

#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>

#include "core/interrupt.h"
#include "core/log.h"
#include "ranks/launch.h"
#include "ranks/open_messenger.h"
#include "session/frames.h"
#include "session/picture.h"
#include "session/plan.h"
#include "session/range.h"
#include "session/ranks/ranks.h"

namespace aureole {

namespace {

ExitCode renderAllFrames(Job& job) {
    const RenderedFrames rendered = renderFrames(job, {});
    if (rendered.code == ExitCode::Interrupted) {
        warnOfMissingFrames(job.options, rendered.there);
    }
    return rendered.code;
}

/// Renders one picture, from a checkpoint and to one where the options say so.
ExitCode renderPicture(Job& job) {
    const RenderLimits& limits = job.limits;
    job.backend = makeBackend(job);
    RenderBackend* const backend = job.backend.get();
    catchInterrupts(); // before the first sample there is nothing to save, and a signal ended the program at once
    RangeRender range(job, *backend, limits, checkpointFiles(job.options));
    if (!job.options.resume.empty()) {
        job.report.resumedSamples = range.resumedSamples();
    }
    const FilmSums film = range.render({}, FilmUse::Picture, [&](const FilmSums& rendered) {
        savePicture(job, rendered, backend, job.options.output);
        job.report.addPicture(rendered, limits.noise, backend->activePixels());
    });
    // A render that ended because its time was up may go on later.
    const bool allSamples = std::isinf(limits.seconds) || film.sampleCount() == limits.end - limits.first;
    range.checkpoints().finish(!job.report.interrupted && allSamples, film.samples, backend->batchSize());
    if (!job.report.interrupted) {
        return ExitCode::Done;
    }
    logWarning("interrupted: {} has {} samples per pixel of the {} asked for", job.options.output,
               job.report.samplesPerPixel, limits.end - limits.first);
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
    const auto body = [&](Job& job) {
        prepare(job, format);
        return options.frames ? renderAllFrames(job) : renderPicture(job);
    };
    return runReported(options, body, true);
}

} // namespace aureole
