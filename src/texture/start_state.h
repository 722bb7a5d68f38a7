#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "texture/gray_scott.h"

namespace aureole::texture {

/// Where V is sown in a plane of U: Pearson's square of u = 1/2 and v = 1/4, with a hundredth of noise, as discs.
struct StartOptions {
    std::uint32_t seed = 0;
    std::uint32_t spots = 0;
    float radius = 5.0F;            ///< cells, of a disc
    std::vector<float> influence{}; ///< of each cell 0 to 1, how much is sown there besides; or empty
};

/// A function of the options, the model's size and its border alone; the same on all machines.
Concentrations startState(const GrayScott& model, const StartOptions& options);

/// Rates that a place has in place of its own, where they are given.
struct RatesThere {
    std::optional<float> feed{};
    std::optional<float> kill{};
};

/// The rates of each cell, from those of the model, where the influence is 0, to `there`, where it is 1.
std::vector<ReactionRates> influencedRates(const GrayScott& model, const RatesThere& there,
                                           const std::vector<float>& influence);

} // namespace aureole::texture
