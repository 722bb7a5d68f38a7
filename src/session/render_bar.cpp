#include "session/render_bar.h"

#include <algorithm>

#include <fmt/format.h>

namespace aureole {

namespace {

constexpr std::uint64_t kUnits = 1'000'000; ///< of the whole render

} // namespace

RenderBar::RenderBar()
    : progress_("render", kUnits) {}

void RenderBar::show(double share, double samples, std::uint64_t rays, const std::optional<Count>& count) {
    const double seconds = std::max(clock_.seconds(), 1e-6);
    const double samplesPerSecond = samples / seconds;
    const double raysPerSecond = static_cast<double>(rays) / seconds;
    const auto done = static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) * kUnits);
    const std::string rates = fmt::format("{:.1f} samples/s, {:.1f} Mray/s", samplesPerSecond, raysPerSecond * 1e-6);
    if (count) {
        progress_.update(done, fmt::format("{}, {} {}", rates, count->value, count->name),
                         {{"samples_per_second", samplesPerSecond},
                          {"rays_per_second", raysPerSecond},
                          {count->key, static_cast<double>(count->value)}});
    } else {
        progress_.update(done, rates, {{"samples_per_second", samplesPerSecond}, {"rays_per_second", raysPerSecond}});
    }
}

} // namespace aureole
