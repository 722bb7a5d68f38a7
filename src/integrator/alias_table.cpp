#include "integrator/alias_table.h"

#include <numeric>

namespace aureole {

std::vector<shared::AliasSlot> makeAliasTable(std::span<const double> weights) {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    const auto count = weights.size();
    std::vector<shared::AliasSlot> slots(count);
    std::vector<double> scaled(count);
    std::vector<std::uint32_t> small;
    std::vector<std::uint32_t> large;
    for (std::uint32_t i = 0; i < count; ++i) {
        slots[i].probability = static_cast<float>(weights[i] / total);
        scaled[i] = weights[i] / total * static_cast<double>(count);
        (scaled[i] < 1.0 ? small : large).push_back(i);
    }
    while (!small.empty() && !large.empty()) {
        const std::uint32_t poor = small.back();
        const std::uint32_t rich = large.back();
        small.pop_back();
        slots[poor].threshold = static_cast<float>(scaled[poor]);
        slots[poor].alias = rich;
        scaled[rich] -= 1.0 - scaled[poor];
        if (scaled[rich] < 1.0) {
            large.pop_back();
            small.push_back(rich);
        }
    }
    // What is left over is 1 up to rounding.
    small.insert(small.end(), large.begin(), large.end());
    for (const std::uint32_t i : small) {
        slots[i].threshold = 1.0F;
        slots[i].alias = i;
    }
    return slots;
}

} // namespace aureole
