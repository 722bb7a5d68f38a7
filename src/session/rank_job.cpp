#include "session/rank_job.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/current_error.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "core/plural.h"
#include "film/film_parts.h"
#include "ranks/crew.h"
#include "session/frame_files.h"
#include "session/rank_checks.h"
#include "session/rank_plan.h"
#include "session/rank_progress.h"
#include "session/rank_report.h"
#include "session/render_checkpoint.h"
#include "session/render_frames.h"
#include "session/render_picture.h"
#include "session/render_plan.h"
#include "session/render_prepare.h"
#include "session/render_run.h"

namespace aureole {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// What a rank that fails gives the others to come: before the first sample there is nothing to save.
constexpr double kPatienceBefore = 15.0;
constexpr double kPatience = 120.0;

std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What `body` returns, for the others, or how it fails.
RankOutcome attempt(const std::function<RankOutcome()>& body) {
    try {
        return body();
    } catch (...) {
        const Error error = currentError();
        return {error.code(), error.what()};
    }
}

/// One rank's side of a render.
class RankJob {
public:
    RankJob(Crew& crew, RenderOptions options, RenderReport& report)
        : crew_(&crew)
        , options_(std::move(options))
        , report_(&report)
        , folder_(partsFolder(options_.output)) {}

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
            setLogLevel(LogLevel::Warning); // those of before were the same on all ranks
        }
        return options_.frames ? shareFrames() : shareSamples(ready);
    }

private:
    std::size_t ranks() const { return static_cast<std::size_t>(crew_->size()); }

    RankOutcome prepareRank() {
        refuseRankOptions(options_, ranks());
        every_ = std::exchange(options_.checkpointSeconds, std::nullopt);
        format_ = checkOptions(options_);
        if (!options_.reference) {
            options_.device = deviceOfRank(options_.device, crew_->localRank(), crew_->localSize());
        }
        job_ = prepare(options_, format_, *report_);
        if (!options_.frames && job_.scene.integrator.noise > 0.0) {
            fail(ExitCode::Usage,
                 "found {} and adaptive sampling (/integrator/noise is {:g}), expected one of them: it decides by all "
                 "samples so far; --noise 0",
                 countOf(ranks(), "rank"), job_.scene.integrator.noise);
        }
        limits_ = limitsOf(job_.scene, options_);
        Json found = Json::array();
        for (const RankRange& part : options_.frames ? std::vector<RankRange>() : findParts(folder_)) {
            found.push_back({part.first, part.second});
        }
        return {ExitCode::Done, "",
                dump({{"attributes", checkpointAttributes(job_.scene, job_.view, options_, *report_)},
                      {"asked", askedOf(options_, limits_)},
                      {"parts", found},
                      {"host", crew_->host()},
                      {"devices", devicesToJson(report_->devices)}})};
    }

    static double samplesOf(const std::vector<RankUnit>& units, int rank) {
        double samples = 0.0;
        for (const RankUnit& unit : units) {
            samples += unit.rank == rank ? unit.samples.second - unit.samples.first : 0;
        }
        return samples;
    }

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
        reportRanks(rendered, clock.seconds(), *report_);
        summary = summarize(rendered);
        if (summary.code != ExitCode::Done) {
            tellOfParts(rendered, summary);
            return summary;
        }
        return crew_->leads() ? gather(units, rendered) : hand(units);
    }

    /// The same on all ranks.
    std::vector<RankUnit> plan(const std::vector<RankOutcome>& ready) const {
        std::vector<std::vector<RankRange>> found;
        std::set<RankRange> all;
        for (const RankOutcome& outcome : ready) {
            found.push_back(Json::parse(outcome.data).at("parts").get<std::vector<RankRange>>());
            all.insert(found.back().begin(), found.back().end());
        }
        std::vector<RankUnit> units = planUnits({limits_.first, limits_.end}, found, folder_.string());
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
                           limits_.first, limits_.end, countOf(units.size(), "part"), PathTracer::kBatchSize,
                           ranks() - busy.size(), ranks());
            }
        }
        return units;
    }

    /// Those that this rank goes on from, before any rank renders: what another one saved of this render beside parts
    /// of another one would keep both from going on.
    RankOutcome checkParts(const std::vector<RankUnit>& units) const {
        for (const RankUnit& unit : units) {
            if (unit.rank != crew_->rank()) {
                continue;
            }
            const RenderOptions options = optionsOf(unit.samples);
            try {
                checkResumed(options, checkpointAttributes(job_.scene, job_.view, options, *report_),
                             limitsOfPart(unit.samples));
            } catch (const Error& error) {
                fail(error.code(), "{}; remove it to have its samples rendered again, or give the picture another name",
                     error.what());
            }
        }
        return {};
    }

    /// Those of this rank, each to a checkpoint of its own.
    RankOutcome renderUnits(const std::vector<RankUnit>& units, RankProgress& progress) {
        Rendered rendered;
        double before = 0.0;
        for (std::uint32_t number = 0; number < units.size(); ++number) {
            const RankUnit& unit = units[number];
            if (unit.rank != crew_->rank()) {
                continue;
            }
            if (!backend_) {
                fs::create_directories(folder_, ignored_); // else the first checkpoint says why not
                checkWritable(partFile(folder_, unit.samples));
                backend_ = makeBackend(job_, *report_);
                catchInterrupts(); // until here there is nothing to save
            } else {
                backend_->setView(job_.view);
            }
            progress.begin(before, report_->rays);
            films_[number] = renderUnit(unit.samples, progress, rendered);
            before += static_cast<double>(films_[number].sampleCount());
            if (report_->interrupted) {
                break;
            }
        }
        rendered.rays = report_->rays;
        rendered.devices = report_->devices;
        return {report_->interrupted ? ExitCode::Interrupted : ExitCode::Done, "", dump(toJson(rendered))};
    }

    /// Of a part: goes on from its checkpoint, where there is one.
    RenderOptions optionsOf(RankRange samples) const {
        RenderOptions options = options_;
        options.checkpoint = partFile(folder_, samples).string();
        std::error_code missing;
        options.resume = fs::exists(options.checkpoint, missing) ? options.checkpoint : "";
        options.checkpointSeconds = every_;
        return options;
    }

    RenderLimits limitsOfPart(RankRange samples) const {
        RenderLimits limits = limits_;
        std::tie(limits.first, limits.end) = samples;
        return limits;
    }

    FilmSums renderUnit(RankRange samples, RankProgress& progress, Rendered& rendered) {
        const RenderOptions options = optionsOf(samples);
        const RenderLimits limits = limitsOfPart(samples);
        const CheckpointAttributes attributes = checkpointAttributes(job_.scene, job_.view, options, *report_);
        const std::uint32_t begun = resume(options, attributes, limits, *backend_);
        rendered.resumed += begun - limits.first;
        progress.skip(begun - limits.first);
        CheckpointWriter checkpoints(options, attributes,
                                     begun > limits.first ? SampleRanges{{limits.first, begun}} : SampleRanges());
        FilmSums film;
        try {
            film = renderFilm(
                job_, *backend_, limits, options_.output, begun, [&](bool last) { checkpoints.offer(*backend_, last); },
                [&](double done, std::uint64_t rays) { progress.update(done, rays); }, *report_);
        } catch (...) {
            const Error error = currentError();
            checkpoints.rescue(*backend_, limits);
            throw Error(error.code(), error.what());
        }
        rendered.samples += film.sampleCount();
        if (checkpoints.lastFailure().empty()) {
            return film;
        }
        if (report_->interrupted) {
            fail(ExitCode::CannotWrite, "{}", checkpoints.lastFailure());
        }
        logWarning("{}; the picture gets the part all the same", checkpoints.lastFailure());
        rendered.saved = false;
        return film;
    }

    std::vector<RankOutcome> meetRendered(const RankOutcome& own, RankProgress& progress) {
        // One that had nothing to do must not end at a signal that has the others save what they have.
        catchInterrupts();
        return crew_->meet(own, kPatience, [&] { progress.show(); });
    }

    /// On rank 0, after a failure or a stop.
    void tellOfParts(const std::vector<RankOutcome>& outcomes, RankOutcome& summary) const {
        if (!crew_->leads()) {
            return;
        }
        std::uint64_t samples = 0;
        for (const RankOutcome& outcome : outcomes) {
            samples += outcome.data.empty() ? 0 : renderedFromJson(Json::parse(outcome.data)).samples;
        }
        const std::string parts = fmt::format(
            "{} has what the ranks have rendered{}, and the same command goes on from there", folder_.string(),
            samples > 0 ? fmt::format(" ({} samples of {})", samples, limits_.end - limits_.first) : "");
        if (summary.hasFailed()) {
            std::error_code missing;
            summary.message += fs::exists(folder_, missing) ? "; " + parts : "";
        } else {
            logWarning("interrupted: {} is not written; {}", options_.output, parts);
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
            report_->interrupted = false; // a signal from now on has nothing to save
            savePicture(job_, total, format_, options_.output, *report_);
            report_->addPicture(total.sampleCount());
            report_->samplesTotal += total.sampleCount() * total.pixelCount();
            report_->samples = formatSamples(total.samples);
            return {};
        });
        const bool saved = std::all_of(rendered.begin(), rendered.end(), [](const RankOutcome& one) {
            return renderedFromJson(Json::parse(one.data)).saved;
        });
        if (outcome.hasFailed() && saved) {
            outcome.message +=
                fmt::format("; {} has all parts, and the same command goes on from there", folder_.string());
        }
        crew_->dismiss(outcome.code);
        removePartsAfter(outcome.code, units);
        return outcome;
    }

    /// On other ranks.
    RankOutcome hand(const std::vector<RankUnit>& units) {
        const ExitCode code = crew_->serve([&](std::uint32_t number) { return filmToBytes(films_.at(number)); });
        removePartsAfter(code, units);
        return {code};
    }

    /// Once the picture is there; each rank on its host.
    void removePartsAfter(ExitCode code, const std::vector<RankUnit>& units) const {
        if (code == ExitCode::Done) {
            removeParts(folder_, units);
        }
    }

    RankOutcome shareFrames() {
        const std::uint32_t frames = options_.frames->second - options_.frames->first;
        const auto rank = static_cast<std::uint32_t>(crew_->rank());
        const auto ranks = static_cast<std::uint32_t>(this->ranks());
        const auto framesOf = [&](std::uint32_t of) { return frames > of ? (frames - of - 1) / ranks + 1 : 0; };
        const double perFrame = limits_.end - limits_.first;
        RankProgress progress(*crew_, framesOf(rank) * perFrame);
        for (std::uint32_t other = 0; other < ranks; ++other) {
            crew_->expect(static_cast<int>(other), framesOf(other) * perFrame);
        }
        const Stopwatch clock;
        const RankOutcome outcome = attempt([&]() -> RankOutcome {
            FrameShare share{rank, ranks, [&](double samples, std::uint64_t rays) {
                                 const double before = static_cast<double>(report_->frames.value_or(0) +
                                                                           report_->framesFound.value_or(0));
                                 progress.begin(before * perFrame, report_->rays);
                                 progress.update(samples, rays);
                             }};
            const RenderedFrames own = renderFrames(job_, format_, limits_, share, *report_);
            Rendered rendered;
            rendered.rays = report_->rays;
            rendered.devices = report_->devices;
            rendered.frames = report_->frames.value_or(0);
            rendered.framesFound = report_->framesFound.value_or(0);
            rendered.framesThere = own.there;
            rendered.samplesTotal = report_->samplesTotal;
            rendered.outputBytes = report_->outputBytes;
            return {own.code, "", dump(toJson(rendered))};
        });
        const std::vector<RankOutcome> outcomes = meetRendered(outcome, progress);
        const SampleRanges there = reportRanks(outcomes, clock.seconds(), *report_);
        RankOutcome summary = summarize(outcomes);
        if (crew_->leads()) {
            if (summary.code == ExitCode::Interrupted) {
                warnOfMissingFrames(options_, there);
            }
            warnOfFramesElsewhere(there);
        }
        return summary;
    }

    /// On rank 0: where ranks share no folder, each has its own frames.
    void warnOfFramesElsewhere(const SampleRanges& there) const {
        SampleRanges elsewhere;
        for (const auto& [first, end] : there) {
            for (std::uint32_t frame = first; frame < end; ++frame) {
                std::error_code missing;
                if (!fs::exists(frameFile(options_.output, frame), missing)) {
                    elsewhere.emplace_back(frame, frame + 1);
                }
            }
        }
        if (!elsewhere.empty()) {
            logWarning("the frames {} are on the hosts that rendered them, which do not share the folder of {} with {}",
                       formatSamples(joinRanges(elsewhere)), options_.output, crew_->name());
        }
    }

    Crew* crew_;
    RenderOptions options_;
    RenderReport* report_;
    fs::path folder_;
    std::optional<double> every_;
    ImageFormat format_ = ImageFormat::Exr;
    Job job_{};
    RenderLimits limits_;
    std::unique_ptr<RenderBackend> backend_;
    std::map<std::uint32_t, FilmSums> films_; ///< of this rank's units, by their numbers
    std::error_code ignored_;
};

ExitCode renderAsOther(Crew& crew, RenderOptions options) {
    setProgressStyle(ProgressStyle::None);
    setLogStyle(options.progress == ProgressStyle::Json ? LogStyle::Json : LogStyle::Text);
    setLogLevel(LogLevel::Error);
    setLogOrigin(crew.name());
    options.viewer.reset();
    RenderReport report;
    report.backend = options.reference ? "reference" : "gpu";
    const RankOutcome outcome = RankJob(crew, options, report).run();
    crew.end();
    return outcome.code;
}

ExitCode renderAsFirst(Crew& crew, const RenderOptions& options) {
    bool told = false;
    try {
        const ExitCode code = runReported(options, [&](RenderReport& report) {
            const RankOutcome outcome = RankJob(crew, options, report).run();
            told = true;
            report.interrupted = outcome.code == ExitCode::Interrupted;
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
