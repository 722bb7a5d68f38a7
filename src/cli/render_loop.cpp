#include "cli/render_loop.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/interrupt.h"
#include "core/progress.h"
#include "render/path_tracer.h"
#include "scene/adaptive_tiles.h"

namespace aureole::cli {

namespace {

constexpr std::uint64_t kBatch = PathTracer::kBatchSize;
constexpr double kSliceSeconds = 0.5;
/// A slice grows no faster than this, because the first ones measure start-up costs.
constexpr double kGrowth = 4.0;
constexpr std::uint64_t kProgressUnits = 1'000'000;

/// Samples of the next slice, a multiple of the batch: what the last one's speed promises for the time wanted.
std::uint64_t nextSlice(std::uint64_t last, double lastSeconds, double secondsLeft) {
    const double wanted = std::min(kSliceSeconds, secondsLeft);
    const double promised = static_cast<double>(last) * std::clamp(wanted / std::max(lastSeconds, 1e-6), 0.0, kGrowth);
    return std::max<std::uint64_t>(static_cast<std::uint64_t>(promised) / kBatch, 1) * kBatch;
}

class SampleProgress {
public:
    SampleProgress(const RenderBackend& backend, const RenderLimits& limits)
        : backend_(&backend)
        , limits_(limits)
        , bar_("render", kProgressUnits) {}

    /// `samples` of each pixel are done, in part.
    void show(double samples) {
        const double seconds = clock_.seconds();
        const double share = std::max(samples / (limits_.end - limits_.first), seconds / limits_.seconds);
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

    double secondsLeft() const { return limits_.seconds - clock_.seconds(); }

private:
    const RenderBackend* backend_;
    RenderLimits limits_;
    Progress bar_;
    Stopwatch clock_;
};

} // namespace

RenderOutcome renderSamples(RenderBackend& backend, const RenderLimits& limits) {
    SampleProgress progress(backend, limits);
    std::uint64_t slice = kBatch;
    std::uint64_t decision = limits.noise > 0.0 ? AdaptiveTiles::nextDecision(0, kBatch) : limits.end;
    RenderOutcome outcome{limits.first, false};
    while (outcome.end < limits.end) {
        const std::uint64_t start = outcome.end;
        const auto sliceEnd = static_cast<std::uint32_t>(
            std::min({start / kBatch * kBatch + slice, std::uint64_t{limits.end}, decision}));
        const Stopwatch clock;
        outcome.end = backend.render(outcome.end, sliceEnd, [&](double share) {
            const auto done = static_cast<double>(start - limits.first);
            progress.show(done + share * static_cast<double>(sliceEnd - start));
            return !interruptRequested() && progress.secondsLeft() > 0.0;
        });
        outcome.interrupted = interruptRequested() && outcome.end < limits.end;
        if (outcome.interrupted || progress.secondsLeft() <= 0.0) {
            break;
        }
        if (limits.noise > 0.0 && (outcome.end == decision || outcome.end == limits.end)) {
            backend.retire(limits.noise);
            if (backend.activePixels() == 0) {
                break;
            }
            decision = AdaptiveTiles::nextDecision(decision, kBatch);
        }
        slice = nextSlice(slice, clock.seconds(), progress.secondsLeft());
    }
    return outcome;
}

} // namespace aureole::cli
