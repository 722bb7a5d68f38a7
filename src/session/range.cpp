#include "session/range.h"

#include <utility>

#include "core/current_error.h"
#include "core/threads/loop_threads.h"
#include "core/trace.h"
#include "film/picture.h"
#include "session/picture.h"

namespace aureole {

namespace {

/// Shows a film in the viewer, as linear radiance without bloom. `clock` ran while it was fetched.
void show(const Job& job, const std::string& name, FilmSums film, const Stopwatch& clock) {
    film.planes.clear();
    film.variance = false;
    film.sampleCounts = false;
    film.halves = false;
    job.viewer->show(name, filmImage(film, false), clock.seconds());
}

/// The film that was rendered, as the use asks for it.
FilmSums takeFilm(Job& job, const RenderBackend& backend, FilmUse use) {
    const bool bloomedAlone = job.bloom.kernel && !job.denoiser && !job.options.sampleRange && !job.viewer;
    const PathTracer* const resident = backend.residentFilm();
    if (use == FilmUse::Picture && bloomedAlone && resident != nullptr) {
        return resident->filmWithoutSums();
    }
    const LoopThreads beside(threadsBesideEncoders(job));
    return job.report.stages.time(Stage::Film, [&] { return backend.film(); });
}

IndexRanges rangesOf(std::uint32_t first, std::uint32_t end) {
    return end > first ? IndexRanges{{first, end}} : IndexRanges();
}

} // namespace

FilmSums renderFilm(Job& job, RenderBackend& backend, const RenderLimits& limits, const std::string& shownAs,
                    std::uint32_t begun, const FilmWatch& watch, const OnSamples& onSamples, FilmUse use) {
    const Stopwatch clock;
    const auto viewerWants = [&] { return job.viewer && job.viewer->isReady(); };
    const FilmWatch both{[&] { return watch.wants() || viewerWants(); },
                         [&](bool last) {
                             watch.take(last);
                             if (viewerWants()) {
                                 const Stopwatch showing;
                                 show(job, shownAs, backend.film(), showing);
                             }
                         }};
    try {
        const TraceSpan span(stageName(Stage::Render));
        job.report.interrupted = renderSamples(backend, limits, begun, both, onSamples).interrupted;
    } catch (...) {
        job.report.addWork(clock.seconds(), backend.rays(), backend.uses());
        throw;
    }
    job.report.addWork(clock.seconds(), backend.rays(), backend.uses());
    FilmSums film = takeFilm(job, backend, use);
    if (job.viewer) {
        show(job, shownAs, film, clock);
    }
    return film;
}

RangeRender::RangeRender(Job& job, RenderBackend& backend, const RenderLimits& limits, const CheckpointFiles& files)
    : RangeRender(job, backend, limits, files, renderIdentity(job.scene, job.view, job.options, job.report)) {}

RangeRender::RangeRender(Job& job, RenderBackend& backend, const RenderLimits& limits, const CheckpointFiles& files,
                         RenderIdentity identity)
    : job_(&job)
    , backend_(&backend)
    , limits_(limits)
    , begun_(resume(files, identity, limits, backend))
    , checkpoints_(files, std::move(identity), rangesOf(limits.first, begun_)) {}

FilmSums RangeRender::render(const OnSamples& onSamples, FilmUse use,
                             const std::function<void(const FilmSums&)>& onFilm) {
    try {
        checkpoints_.begin(*backend_);
        FilmSums film =
            renderFilm(*job_, *backend_, limits_, job_->options.output, begun_,
                       {[&] { return checkpoints_.isDue(); }, [&](bool last) { checkpoints_.offer(*backend_, last); }},
                       onSamples, use);
        onFilm(film);
        return film;
    } catch (...) {
        const Error error = currentError();
        checkpoints_.rescue(*backend_, limits_);
        throw Error(error.code(), error.what() + checkpoints_.kept());
    }
}

} // namespace aureole
