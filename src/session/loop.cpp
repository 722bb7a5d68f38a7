#include "session/loop.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/interrupt.h"
#include "film/tiles.h"
#include "render/path_tracer.h"
#include "session/render_bar.h"

namespace aureole {

namespace {

constexpr std::uint64_t kBatch = PathTracer::kBatchSize;

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
        , onSamples_(std::move(onSamples)) {}

    /// Shows that `samples` of each pixel are done, a fraction where one is under way.
    void show(double samples) {
        show(samples, std::max(samples / (limits_.end - limits_.first), bar_.seconds() / limits_.seconds));
    }

    /// Shows that the render has come to its end, with so many samples.
    void finish(double samples) { show(samples, 1.0); }

    double secondsLeft() const { return limits_.seconds - bar_.seconds(); }

private:
    void show(double samples, double share) {
        if (onSamples_) {
            onSamples_(samples, backend_->rays());
            return;
        }
        std::optional<RenderBar::Count> count;
        if (limits_.noise > 0.0) {
            count = {"pixels_left", "pixels left", backend_->activePixels()};
        }
        bar_.show(share, samples, backend_->rays(), count);
    }

    const RenderBackend* backend_;
    RenderLimits limits_;
    OnSamples onSamples_;
    RenderBar bar_;
};

/// The loop of renderSamples.
class SampleLoop {
public:
    SampleLoop(RenderBackend& backend, const RenderLimits& limits, std::uint32_t begun, const FilmWatch& watch,
               const OnSamples& onSamples)
        : backend_(&backend)
        , watch_(&watch)
        , limits_(limits)
        , begun_(begun)
        , adaptive_(limits.noise > 0.0)
        , batch_(backend.batchSize())
        , wholeEnd_(std::uint64_t{limits.end} / batch_ * batch_)
        , decision_(adaptive_ ? decisionAfter(begun) : limits.end)
        , outcome_{begun, false}
        , progress_(backend, limitsFrom(limits, begun), onSamples) {
        backend.expect(limits.end);
    }

    /// Whether samples are missing, and neither the time nor a signal has stopped the loop.
    bool goesOn() const { return !stopped_ && outcome_.end < limits_.end && backend_->activePixels() > 0; }

    /// Renders on, until the backend has stopped.
    void renderOn() {
        // A longer render would have the samples after wholeEnd_ in a whole batch, so they are rendered apart.
        const auto cap = static_cast<std::uint32_t>(outcome_.end < wholeEnd_ ? wholeEnd_ : limits_.end);
        addSamples(cap);
        const bool interrupted = interruptRequested();
        stopped_ = interrupted || progress_.secondsLeft() <= 0.0;
        if (stopped_) {
            outcome_.end = backend_->finish(outcome_.end, cap);
        }
        decide();
        if (outcome_.end % batch_ == 0) {
            watch_->take(stopped_ || outcome_.end >= wholeEnd_ || backend_->activePixels() == 0);
        }
        if (stopped_) {
            // Samples after the last whole batch go into the picture, but no checkpoint can hold them.
            outcome_.end = backend_->finish(outcome_.end, limits_.end);
            outcome_.interrupted = interrupted && outcome_.end < limits_.end;
        }
    }

    RenderOutcome finish() {
        if (adaptive_ && outcome_.end == limits_.end && !decided_) {
            // Only so that the pixels that are left are known: a film that goes on decides at the same counts as any
            // other.
            backend_->retire(limits_.noise);
        }
        if (outcome_.interrupted) {
            progress_.show(outcome_.end - begun_);
        } else {
            progress_.finish(outcome_.end - begun_);
        }
        return outcome_;
    }

private:
    static RenderLimits limitsFrom(RenderLimits limits, std::uint32_t begun) {
        limits.first = begun;
        return limits;
    }

    /// Renders up to `cap` at most.
    void addSamples(std::uint32_t cap) {
        const std::uint32_t start = outcome_.end;
        const auto wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(cap, decision_));
        outcome_.end = backend_->render(start, wanted, [&](double share) {
            progress_.show(start - begun_ + share * (wanted - start));
            return !interruptRequested() && progress_.secondsLeft() > 0.0 && !watch_->wants();
        });
    }

    /// Where adaptive sampling decides at this count: leaves out the pixels that need no more samples.
    void decide() {
        decided_ = adaptive_ && outcome_.end == decision_;
        if (decided_) {
            backend_->retire(limits_.noise);
            decision_ = AdaptiveTiles::nextDecision(decision_, kBatch);
        }
    }

    RenderBackend* backend_;
    const FilmWatch* watch_;
    RenderLimits limits_;
    std::uint32_t begun_; ///< end of the samples that were there before
    bool adaptive_;
    std::uint32_t batch_;
    std::uint64_t wholeEnd_; ///< end of the last whole batch
    std::uint64_t decision_; ///< the sample count at which adaptive sampling decides next
    RenderOutcome outcome_;  ///< so far
    SampleProgress progress_;
    bool decided_ = false; ///< at outcome_.end
    bool stopped_ = false; ///< by time or a signal
};

} // namespace

bool goesOnFrom(std::uint32_t end, std::uint32_t batch, const RenderLimits& limits) {
    const bool decides = limits.noise > 0.0 && end > 0 && decisionAfter(end - 1) == end;
    return end % batch == 0 && !decides;
}

RenderOutcome renderSamples(RenderBackend& backend, const RenderLimits& limits, std::uint32_t begun,
                            const FilmWatch& watch, const OnSamples& onSamples) {
    SampleLoop loop(backend, limits, begun, watch, onSamples);
    while (loop.goesOn()) {
        loop.renderOn();
    }
    return loop.finish();
}

} // namespace aureole
