#include "session/ranks/ranks.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/current_error.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "core/plural.h"
#include "film/parts.h"
#include "ranks/crew.h"
#include "session/frame_files.h"
#include "session/frames.h"
#include "session/picture.h"
#include "session/plan.h"
#include "session/range.h"
#include "session/ranks/rank_exchange.h"
#include "session/ranks/rank_plan.h"
#include "session/ranks/rank_progress.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

/// How many seconds a rank that fails gives the others to come: before the first sample there is nothing to save.
constexpr double kPatienceBefore = 15.0;
constexpr double kPatience = 120.0;

/// What `body` returns, for the others, or how it fails.
RankOutcome attempt(const std::function<RankOutcome()>& body) {
    try {
        return body();
    } catch (...) {
        const Error error = currentError();
        return {error.code(), error.what()};
    }
}

std::map<std::string, std::string> askedOf(const Job& job) {
    return {{"--frames", job.options.frames ? formatRanges({*job.options.frames}) : "none"},
            {"--output", job.options.output},
            {"samples", formatRanges({{job.limits.first, job.limits.end}})}};
}

/// The samples of each pixel that are a rank's.
double samplesOf(const std::vector<RankUnit>& units, int rank) {
    double samples = 0.0;
    for (const RankUnit& unit : units) {
        samples += unit.rank == rank ? unit.samples.second - unit.samples.first : 0;
    }
    return samples;
}

/// One rank's side of a render: what ranks agree on, and which part of the job's work is this one's. The work itself is
/// done as without ranks, by RangeRender, renderFrames and savePicture.
class RankJob {
public:
    RankJob(Crew& crew, Job& job)
        : crew_(&crew)
        , job_(&job)
        , folder_(partsFolder(job.options.output)) {}

    /// How the job ends, the same on all ranks. Throws only where others are not told.
    RankOutcome run() {
        const std::vector<RankOutcome> ready = crew_->meet(attempt([&] { return prepareRank(); }), kPatienceBefore);
        RankOutcome summary = summarize(ready);
        if (summary.code == ExitCode::Done) {
            summary = attempt([&]() -> RankOutcome {
                comparePictures(ready);
                return {};
            });
        }
        if (summary.code != ExitCode::Done) {
            return summary;
        }
        if (crew_->leads()) {
            tellOfDevices(ready);
        } else {
            setLogLevel(LogLevel::Warning); // messages before this were the same on all ranks
        }
        return job_->options.frames ? shareFrames() : shareSamples(ready);
    }

private:
    std::size_t ranks() const { return static_cast<std::size_t>(crew_->size()); }

    RankOutcome prepareRank() {
        RenderOptions& options = job_->options;
        refuseRankOptions(options, ranks());
        every_ = std::exchange(options.checkpointSeconds, std::nullopt); // of parts, which no option names
        const ImageFormat format = checkOptions(options);
        if (!options.reference) {
            options.device = deviceOfRank(options.device, crew_->localRank(), crew_->localSize());
        }
        prepare(*job_, format);
        if (!options.frames && job_->limits.noise > 0.0) {
            fail(ExitCode::Usage,
                 "found {} and adaptive sampling (/integrator/noise is {:g}), expected one of them: it decides by all "
                 "samples so far; --noise 0",
                 countOf(ranks(), "rank"), job_->limits.noise);
        }
        RankReady ready{identity(), askedOf(*job_), {}, crew_->host(), job_->report.devices};
        if (!options.frames) {
            ready.parts = findParts(folder_);
        }
        return {ExitCode::Done, "", toMessage(ready)};
    }

    RenderIdentity identity() const { return renderIdentity(job_->scene, job_->view, job_->options, job_->report); }

    RankOutcome shareSamples(const std::vector<RankOutcome>& ready) {
        std::vector<RankUnit> units;
        RankOutcome summary = attempt([&]() -> RankOutcome {
            units = plan(ready);
            return {};
        });
        if (summary.code != ExitCode::Done) {
            return summary; // the same on all ranks
        }
        summary = summarize(crew_->meet(attempt([&] { return checkParts(units); }), kPatienceBefore));
        if (summary.code != ExitCode::Done) {
            return summary;
        }
        RankProgress progress(*crew_, samplesOf(units, crew_->rank()));
        for (int rank = 0; rank < crew_->size(); ++rank) {
            crew_->expect(rank, samplesOf(units, rank));
        }
        const Stopwatch clock;
        const RankOutcome own = attempt([&] { return renderUnits(units, progress); });
        const std::vector<RankOutcome> rendered = meetRendered(own, progress);
        reportRanks(rendered, clock.seconds(), job_->report);
        summary = summarize(rendered);
        if (summary.code != ExitCode::Done) {
            tellOfParts(rendered, summary);
            return summary;
        }
        return crew_->leads() ? gather(units, rendered) : hand(units);
    }

    /// Which rank renders which samples. All ranks come to the same plan.
    std::vector<RankUnit> plan(const std::vector<RankOutcome>& ready) const {
        const RenderLimits& limits = job_->limits;
        std::vector<std::vector<IndexRange>> found;
        std::set<IndexRange> all;
        for (const RankOutcome& outcome : ready) {
            found.push_back(readyFrom(outcome.data).parts);
            all.insert(found.back().begin(), found.back().end());
        }
        std::vector<RankUnit> units = planUnits({limits.first, limits.end}, found, folder_.string());
        if (crew_->leads()) {
            if (!all.empty()) {
                logInfo("resume   {} has {} of a run before", folder_.string(), countOf(all.size(), "part"));
            }
            std::set<int> busy;
            for (const RankUnit& unit : units) {
                busy.insert(unit.rank);
            }
            if (busy.size() < ranks()) {
                logWarning("samples {}:{} are cut into {} of whole batches of {}: {} of {} ranks have nothing to do",
                           limits.first, limits.end, countOf(units.size(), "part"), PathTracer::kBatchSize,
                           ranks() - busy.size(), ranks());
            }
        }
        return units;
    }

    /// Checks the parts that this rank goes on from, before any rank renders: new parts of this render beside old ones
    /// of another render would keep both from going on.
    RankOutcome checkParts(const std::vector<RankUnit>& units) const {
        for (const RankUnit& unit : units) {
            if (unit.rank != crew_->rank()) {
                continue;
            }
            try {
                checkResumed(filesOf(unit.samples), identity(), limitsOf(unit.samples));
            } catch (const Error& error) {
                fail(error.code(), "{}; remove it to have its samples rendered again, or give the picture another name",
                     error.what());
            }
        }
        return {};
    }

    /// Renders the ranges of this rank, each to a checkpoint of its own.
    RankOutcome renderUnits(const std::vector<RankUnit>& units, RankProgress& progress) {
        RenderReport& report = job_->report;
        RankWork work;
        double before = 0.0;
        for (std::uint32_t number = 0; number < units.size() && !report.interrupted; ++number) {
            const RankUnit& unit = units[number];
            if (unit.rank != crew_->rank()) {
                continue;
            }
            if (!backend_) {
                std::error_code ignored;
                fs::create_directories(folder_, ignored); // where that fails, the next line says why
                checkWritable(partFile(folder_, unit.samples));
                backend_ = makeBackend(*job_, crew_->rank() == 0);
                catchInterrupts(); // before this there is nothing to save, and a signal ends the rank at once
            } else {
                backend_->setView(job_->view);
            }
            progress.begin(before, report.rays);
            films_[number] = renderUnit(unit.samples, progress, work);
            before = static_cast<double>(work.samples - work.resumed);
        }
        work.rays = report.rays;
        work.devices = report.devices;
        return {report.interrupted ? ExitCode::Interrupted : ExitCode::Done, "", toMessage(work)};
    }

    /// A part goes on from its checkpoint, where there is one.
    CheckpointFiles filesOf(IndexRange samples) const {
        CheckpointFiles files;
        files.written = partFile(folder_, samples).string();
        files.resumed = pathExists(files.written) ? files.written : "";
        files.mayBeNew = true;
        files.everySeconds = every_.value_or(kCheckpointSeconds);
        return files;
    }

    RenderLimits limitsOf(IndexRange samples) const {
        RenderLimits limits = job_->limits;
        std::tie(limits.first, limits.end) = samples;
        return limits;
    }

    FilmSums renderUnit(IndexRange samples, RankProgress& progress, RankWork& work) {
        RangeRender range(*job_, *backend_, limitsOf(samples), filesOf(samples));
        work.resumed += range.resumedSamples();
        progress.skip(range.resumedSamples());
        FilmSums film = range.render([&](double done, std::uint64_t rays) { progress.update(done, rays); },
                                     FilmUse::Sums, [](const FilmSums& /*film*/) {});
        work.samples += film.sampleCount();
        const std::string& failure = range.checkpoints().lastFailure();
        if (failure.empty()) {
            return film;
        }
        if (job_->report.interrupted) {
            fail(ExitCode::CannotWrite, "{}", failure);
        }
        logWarning("{}; the picture gets the part all the same", failure);
        work.saved = false;
        return film;
    }

    std::vector<RankOutcome> meetRendered(const RankOutcome& own, RankProgress& progress) {
        // A rank that had nothing to do must not end at a signal that has the others save what they have.
        catchInterrupts();
        std::vector<RankOutcome> rendered = crew_->meet(own, kPatience, [&] { progress.show(); });
        progress.show(); // now that all standings are in
        return rendered;
    }

    /// On rank 0, after a failure or a stop.
    void tellOfParts(const std::vector<RankOutcome>& outcomes, RankOutcome& summary) const {
        if (!crew_->leads()) {
            return;
        }
        std::uint64_t samples = 0;
        for (const RankOutcome& outcome : outcomes) {
            samples += outcome.data.empty() ? 0 : workFrom(outcome.data).samples;
        }
        const std::uint32_t wanted = job_->limits.end - job_->limits.first;
        const std::string parts =
            fmt::format("{} has what the ranks have rendered{}, and the same command goes on from there",
                        folder_.string(), samples > 0 ? fmt::format(" ({} samples of {})", samples, wanted) : "");
        if (summary.hasFailed()) {
            summary.message += pathExists(folder_) ? "; " + parts : "";
        } else {
            logWarning("interrupted: {} is not written; {}", job_->options.output, parts);
        }
    }

    /// On rank 0: adds the films up in the order of their samples, and writes the picture.
    RankOutcome gather(const std::vector<RankUnit>& units, const std::vector<RankOutcome>& rendered) {
        RankOutcome outcome = attempt([&]() -> RankOutcome {
            FilmSums total;
            for (std::uint32_t number = 0; number < units.size(); ++number) {
                const int rank = units[number].rank;
                const std::string& from = rendered[static_cast<std::size_t>(rank)].name;
                appendFilm(total,
                           rank == 0 ? std::move(films_[number]) : filmFromBytes(crew_->fetch(rank, number), from),
                           from);
            }
            job_->report.interrupted = false; // a signal from now on has nothing to save
            savePicture(*job_, total, backend_.get(), job_->options.output);
            job_->report.addPicture(total, 0.0, 0);
            return {job_->report.interrupted ? ExitCode::Interrupted : ExitCode::Done}; // while it was denoised
        });
        const bool saved = std::all_of(rendered.begin(), rendered.end(),
                                       [](const RankOutcome& one) { return workFrom(one.data).saved; });
        if (outcome.hasFailed() && saved) {
            outcome.message +=
                fmt::format("; {} has all parts, and the same command goes on from there", folder_.string());
        }
        crew_->dismiss(outcome.code);
        removePartsAfter(outcome.code, units);
        return outcome;
    }

    /// On other ranks: gives rank 0 the films that it asks for.
    RankOutcome hand(const std::vector<RankUnit>& units) {
        const ExitCode code = crew_->serve([&](std::uint32_t number) { return filmToBytes(films_.at(number)); });
        removePartsAfter(code, units);
        return {code};
    }

    /// Once the picture is there, each rank removes the parts on its host.
    void removePartsAfter(ExitCode code, const std::vector<RankUnit>& units) const {
        if (code == ExitCode::Done) {
            removeParts(folder_, units);
        }
    }

    RankOutcome shareFrames() {
        RenderReport& report = job_->report;
        const std::uint32_t frames = job_->options.frames->second - job_->options.frames->first;
        const auto rank = static_cast<std::uint32_t>(crew_->rank());
        const auto count = static_cast<std::uint32_t>(ranks());
        const auto framesOf = [&](std::uint32_t of) { return frames > of ? (frames - of - 1) / count + 1 : 0; };
        const double perFrame = job_->limits.end - job_->limits.first;
        RankProgress progress(*crew_, framesOf(rank) * perFrame);
        for (std::uint32_t other = 0; other < count; ++other) {
            crew_->expect(static_cast<int>(other), framesOf(other) * perFrame);
        }
        const Stopwatch clock;
        const RankOutcome own = attempt([&]() -> RankOutcome {
            double before = 0.0;
            const auto onFrame = [&](bool isFound) {
                if (isFound) {
                    progress.skip(perFrame);
                } else {
                    before += perFrame;
                    progress.begin(before, report.rays);
                }
                progress.update(0.0, 0);
            };
            const FrameShare share{
                rank, count, [&](double samples, std::uint64_t rays) { progress.update(samples, rays); }, onFrame};
            const RenderedFrames rendered = renderFrames(*job_, share);
            RankWork work;
            work.rays = report.rays;
            work.devices = report.devices;
            work.frames = report.frames.value_or(0);
            work.framesFound = report.framesFound.value_or(0);
            work.framesThere = rendered.there;
            work.samplesTotal = report.samplesTotal;
            work.outputBytes = report.outputBytes;
            return {rendered.code, "", toMessage(work)};
        });
        const std::vector<RankOutcome> outcomes = meetRendered(own, progress);
        const IndexRanges there = reportRanks(outcomes, clock.seconds(), report);
        RankOutcome summary = summarize(outcomes);
        if (crew_->leads()) {
            if (summary.code == ExitCode::Interrupted) {
                warnOfMissingFrames(job_->options, there);
            }
            warnOfFramesElsewhere(there);
        }
        return summary;
    }

    /// On rank 0: where ranks share no folder, each has its own frames.
    void warnOfFramesElsewhere(const IndexRanges& there) const {
        const IndexRanges elsewhere = framesWithoutFile(job_->options.output, there);
        if (!elsewhere.empty()) {
            logWarning("the frames {} are on the hosts that rendered them, which do not share the folder of {} with {}",
                       formatRanges(elsewhere), job_->options.output, crew_->name());
        }
    }

    Crew* crew_;
    Job* job_;
    fs::path folder_; ///< of the parts
    std::optional<double> every_;
    std::unique_ptr<RenderBackend> backend_;
    std::map<std::uint32_t, FilmSums> films_; ///< of this rank's units, by their numbers
};

ExitCode renderAsOther(Crew& crew, RenderOptions options) {
    setProgressStyle(ProgressStyle::None);
    setLogStyle(options.progress == ProgressStyle::Json ? LogStyle::JsonLines : LogStyle::Text);
    setLogLevel(LogLevel::Error);
    setLogOrigin(crew.name());
    options.viewer.reset();
    Job job(options);
    const RankOutcome outcome = RankJob(crew, job).run();
    crew.end();
    return outcome.code;
}

ExitCode renderAsFirst(Crew& crew, const RenderOptions& options) {
    bool told = false;
    try {
        const ExitCode code = runReported(options, [&](Job& job) {
            const RankOutcome outcome = RankJob(crew, job).run();
            told = true;
            job.report.interrupted = outcome.code == ExitCode::Interrupted;
            if (outcome.hasFailed()) {
                throw Error(outcome.code, outcome.message);
            }
            return outcome.code;
        });
        crew.end();
        return code;
    } catch (...) {
        if (!told) {
            throw;
        }
        // Before the others may end: mpirun takes the first that fails for a reason to kill those that are left.
        const Error error = currentError();
        logError("{}", error.what());
        crew.end();
        return error.code();
    }
}

} // namespace

ExitCode renderOnRanks(const RenderOptions& options, std::unique_ptr<Messenger> messenger) {
    Crew crew(std::move(messenger));
    catchForwardedInterrupts();
    try {
        return crew.leads() ? renderAsFirst(crew, options) : renderAsOther(crew, options);
    } catch (...) {
        if (!crew.hasEnded()) {
            logError("{}", currentError().what()); // as the job is aborted before anybody else can
        }
        throw;
    }
}

} // namespace aureole
