#include "model/reaction_texture.h"

#include <algorithm>
#include <cmath>

namespace aureole {

float ReactionRate::largest() const {
    float most = keys.empty() ? std::max(from, to) : 0.0F;
    for (const auto& [step, rate] : keys) {
        most = std::max(most, rate);
    }
    return most;
}

float ReactionRate::atStep(std::uint32_t step) const {
    const auto after = std::upper_bound(keys.begin(), keys.end(), step,
                                        [](std::uint32_t s, const auto& key) { return s < key.first; });
    if (after == keys.begin() || after == keys.end()) {
        return after == keys.begin() ? keys.front().second : keys.back().second;
    }
    const auto before = after - 1;
    const float share = static_cast<float>(step - before->first) / static_cast<float>(after->first - before->first);
    return std::lerp(before->second, after->second, share);
}

} // namespace aureole
