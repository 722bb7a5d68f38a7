#include "texture/start_state.h"

#include <algorithm>
#include <cmath>

#include "shared/gray_scott.h"
#include "shared/sampling/rng.h"

namespace aureole::texture {

namespace {

constexpr float kSownU = 0.5F; // what is missing of U
constexpr float kSownV = 0.25F;
constexpr float kNoise = 0.01F;

/// Returns how many cells are sown that were not, or not wholly.
std::size_t sowDisc(const GrayScott& model, const glm::vec2& centre, float radius, std::vector<float>& sown) {
    const auto reach = static_cast<std::int32_t>(std::ceil(radius));
    const glm::ivec2 middle(centre);
    const std::uint32_t border = model.border == Border::Clamped ? GRAY_SCOTT_CLAMPED : GRAY_SCOTT_PERIODIC;
    std::size_t more = 0;
    for (std::int32_t y = middle.y - reach; y <= middle.y + reach; ++y) {
        for (std::int32_t x = middle.x - reach; x <= middle.x + reach; ++x) {
            if (glm::length(glm::vec2(x, y) + 0.5F - centre) <= radius) {
                const std::size_t row = shared::grayScottPlace(y, model.height, border);
                float& cell = sown[row * model.width + shared::grayScottPlace(x, model.width, border)];
                more += cell < 1.0F ? 1U : 0U;
                cell = 1.0F;
            }
        }
    }
    return more;
}

} // namespace

Concentrations startState(const GrayScott& model, const StartOptions& options) {
    std::vector<float> sown = options.influence;
    sown.resize(std::size_t{model.width} * model.height, 0.0F);
    auto left =
        static_cast<std::size_t>(std::count_if(sown.begin(), sown.end(), [](float cell) { return cell < 1.0F; }));
    // Once all is sown, more of them change nothing: a million large discs need not take hours.
    for (std::uint32_t i = 0; i < options.spots && left > 0; ++i) {
        const shared::uvec4 bits = shared::pcg4d({i, 0U, 1U, options.seed});
        const glm::vec2 place(shared::unitFloat(bits.x), shared::unitFloat(bits.y));
        left -= sowDisc(model, place * glm::vec2(model.width, model.height), options.radius, sown);
    }
    Concentrations state(sown.size());
    for (std::size_t i = 0; i < state.size(); ++i) {
        const auto x = static_cast<std::uint32_t>(i % model.width);
        const auto y = static_cast<std::uint32_t>(i / model.width);
        const shared::uvec4 bits = shared::pcg4d({x, y, 2U, options.seed});
        const glm::vec2 noise(2.0F * shared::unitFloat(bits.x) - 1.0F, 2.0F * shared::unitFloat(bits.y) - 1.0F);
        state[i] = sown[i] * (1.0F + kNoise * noise) * glm::vec2(kSownU, kSownV);
    }
    return state;
}

std::vector<ReactionRates> influencedRates(const GrayScott& model, const RatesThere& there,
                                           const std::vector<float>& influence) {
    std::vector<ReactionRates> rates;
    rates.reserve(influence.size());
    for (std::size_t i = 0; i < influence.size(); ++i) {
        const ReactionRates here = model.varying.empty() ? model.rates : model.varying[i];
        const float share = std::clamp(influence[i], 0.0F, 1.0F);
        rates.push_back({std::lerp(here.feed, there.feed.value_or(here.feed), share),
                         std::lerp(here.kill, there.kill.value_or(here.kill), share)});
    }
    return rates;
}

} // namespace aureole::texture
