#include "session/rank_progress.h"

#include <algorithm>

#include <fmt/format.h>

namespace aureole {

namespace {

constexpr std::uint64_t kProgressUnits = 1'000'000;

} // namespace

RankProgress::RankProgress(Crew& crew, double all)
    : crew_(&crew)
    , own_{0.0, all, 0}
    , bar_("render", kProgressUnits) {}

void RankProgress::begin(double before, std::uint64_t raysBefore) {
    before_ = before;
    raysBefore_ = raysBefore;
}

void RankProgress::update(double samples, std::uint64_t rays) {
    own_.done = before_ + samples;
    own_.rays = raysBefore_ + rays;
    crew_->watch(own_);
    show();
}

void RankProgress::show() {
    if (!crew_->leads()) {
        return;
    }
    const RankStanding total = crew_->total();
    const double seconds = std::max(clock_.seconds(), 1e-6);
    const double samplesPerSecond = total.done / seconds;
    const double raysPerSecond = static_cast<double>(total.rays) / seconds;
    const double share = total.all > 0.0 ? std::clamp(total.done / total.all, 0.0, 1.0) : 1.0;
    bar_.update(
        static_cast<std::uint64_t>(share * kProgressUnits),
        fmt::format("{:.1f} samples/s, {:.1f} Mray/s, {} ranks", samplesPerSecond, raysPerSecond * 1e-6, crew_->size()),
        {{"samples_per_second", samplesPerSecond},
         {"rays_per_second", raysPerSecond},
         {"ranks", static_cast<double>(crew_->size())}});
}

} // namespace aureole
