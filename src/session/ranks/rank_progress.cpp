#include "session/ranks/rank_progress.h"

namespace aureole {

RankProgress::RankProgress(Crew& crew, double all)
    : crew_(&crew)
    , own_{0.0, all, 0} {}

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
    const double share = total.all > 0.0 ? total.done / total.all : 1.0;
    bar_.show(share, total.done, total.rays,
              RenderBar::Count{"ranks", "ranks", static_cast<std::uint64_t>(crew_->size())});
}

} // namespace aureole
