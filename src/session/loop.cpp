#include "session/loop.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/interrupt.h"
#include "core/progress.h"
#include "film/tiles.h"
#include "render/path_tracer.h"

namespace aureole {

namespace {

constexpr std::uint64_t kBatch = PathTracer::kBatchSize;
constexpr double kSliceSeconds = 0.5;
/// A slice is at most so many times as long as the one before, because the first ones measure start-up costs.
constexpr double kGrowth = 4.0;
constexpr std::uint64_t kProgressUnits = 1'000'000;

/// The samples of the next slice, a multiple of the batch: as many as the speed of the last slice promises to render in
/// the time that a slice is to take.
std::uint64_t nextSlice(std::uint64_t last, double lastSeconds, double secondsLeft) {
    const double wanted = std::min(kSliceSeconds, secondsLeft);
    const double promised = static_cast<double>(last) * std::clamp(wanted / std::max(lastSeconds, 1e-6), 0.0, kGrowth);
    return std::max<std::uint64_t>(static_cast<std::uint64_t>(promised) / kBatch, 1) * kBatch;
}

/// The sample count after `samples` at which adaptive sampling decides next.
std::uint64_t decisionAfter(std::uint64_t samples) {
    std::uint64_t decision = 0;
    while (decision <= samples) {
        decision = AdaptiveTiles::nextDecision(decision, kBatch);
    }
    return decision;
}

class SampleProgress {
public:
    SampleProgress(const RenderBackend& backend, const RenderLimits& limits, OnSamples onSamples)
        : backend_(&backend)
        , limits_(limits)
        , onSamples_(std::move(onSamples))
        , bar_("render", kProgressUnits) {}

    /// Shows that `samples` of each pixel are done, a fraction where one is under way.
    void show(double samples) {
        show(samples, std::max(samples / (limits_.end - limits_.first), clock_.seconds() / limits_.seconds));
    }

    /// Shows that the render has come to its end, with so many samples.
    void finish(double samples) { show(samples, 1.0); }

    double secondsLeft() const { return limits_.seconds - clock_.seconds(); }

private:
    void show(double samples, double share) {
        if (onSamples_) {
            onSamples_(samples, backend_->rays());
            return;
        }
        const double seconds = clock_.seconds();
        const double samplesPerSecond = samples / std::max(seconds, 1e-6);
        const double raysPerSecond = static_cast<double>(backend_->rays()) / std::max(seconds, 1e-6);
        const auto done = static_cast<std::uint64_t>(std::min(share, 1.0) * kProgressUnits);
        const std::string speed =
            fmt::format("{:.1f} samples/s, {:.1f} Mray/s", samplesPerSecond, raysPerSecond * 1e-6);
        if (limits_.noise > 0.0) {
            bar_.update(done, fmt::format("{}, {} pixels left", speed, backend_->activePixels()),
                        {{"samples_per_second", samplesPerSecond},
                         {"rays_per_second", raysPerSecond},
                         {"pixels_left", static_cast<double>(backend_->activePixels())}});
            return;
        }
        bar_.update(done, speed, {{"samples_per_second", samplesPerSecond}, {"rays_per_second", raysPerSecond}});
    }

    const RenderBackend* backend_;
    RenderLimits limits_;
    OnSamples onSamples_;
    Progress bar_;
    Stopwatch clock_;
};

} // namespace

bool goesOnFrom(std::uint32_t end, std::uint32_t batch, const RenderLimits& limits) {
    const bool decides = limits.noise > 0.0 && end > 0 && decisionAfter(end - 1) == end;
    return end % batch == 0 && !decides;
}

RenderOutcome renderSamples(RenderBackend& backend, const RenderLimits& limits, std::uint32_t begun,
                            const OnWholeBatch& onWholeBatch, const OnSamples& onSamples) {
    RenderLimits ahead = limits;
    ahead.first = begun;
    SampleProgress progress(backend, ahead, onSamples);
    backend.expect(limits.end);
    const std::uint32_t batch = backend.batchSize();
    const std::uint64_t wholeEnd =
        std::uint64_t{limits.end} / batch * batch; // a longer render would have the samples after it in a whole batch
    const bool adaptive = limits.noise > 0.0;
    std::uint64_t slice = kBatch;
    std::uint64_t decision = adaptive ? decisionAfter(begun) : limits.end;
    bool decided = false;
    RenderOutcome outcome{begun, false};
    while (outcome.end < limits.end && backend.activePixels() > 0) {
        const std::uint64_t start = outcome.end;
        const auto cap = static_cast<std::uint32_t>(start < wholeEnd ? wholeEnd : limits.end);
        const auto sliceEnd =
            static_cast<std::uint32_t>(std::min({start / kBatch * kBatch + slice, std::uint64_t{cap}, decision}));
        const Stopwatch clock;
        outcome.end = backend.render(outcome.end, sliceEnd, [&](double share) {
            const auto done = static_cast<double>(start - begun);
            progress.show(done + share * static_cast<double>(sliceEnd - start));
            return !interruptRequested() && progress.secondsLeft() > 0.0;
        });
        const bool interrupted = interruptRequested();
        const bool stops = interrupted || progress.secondsLeft() <= 0.0;
        if (stops) {
            outcome.end = backend.finish(outcome.end, cap);
        }
        decided = adaptive && outcome.end == decision;
        if (decided) {
            backend.retire(limits.noise);
            decision = AdaptiveTiles::nextDecision(decision, kBatch);
        }
        if (outcome.end % batch == 0) {
            onWholeBatch(stops || outcome.end >= wholeEnd || backend.activePixels() == 0);
        }
        if (stops) {
            // Samples after the last whole batch go into the picture, but no checkpoint can hold them.
            outcome.end = backend.finish(outcome.end, limits.end);
            outcome.interrupted = interrupted && outcome.end < limits.end;
            break;
        }
        slice = nextSlice(slice, clock.seconds(), progress.secondsLeft());
    }
    if (adaptive && outcome.end == limits.end && !decided) {
        // Only so that the pixels that are left are known: a film that goes on decides at the same counts as any other.
        backend.retire(limits.noise);
    }
    if (outcome.interrupted) {
        progress.show(outcome.end - begun);
    } else {
        progress.finish(outcome.end - begun);
    }
    return outcome;
}

} // namespace aureole
