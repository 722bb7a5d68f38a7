#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace aureole {

/// Mixes a value into a running 64-bit hash.
constexpr std::uint64_t mixHash(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 29U);
}

/// Finds equal things among numbered ones, which the user keeps and compares: an open-addressing table of numbers.
class HashIndex {
public:
    /// The number of the thing with this hash that `isEqual(number)` accepts; where there is none, `next`, below
    /// 2^32 - 1, which then stands for a thing with this hash.
    template <typename IsEqual>
    std::uint32_t findOrAdd(std::uint64_t hash, std::uint32_t next, const IsEqual& isEqual) {
        if (2 * (used_ + 1) > slots_.size()) {
            grow();
        }
        const auto tag = static_cast<std::uint32_t>(hash >> 32U);
        for (std::size_t at = tag & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            Slot& slot = slots_[at];
            if (slot.number == kFree) {
                slot = {tag, next};
                ++used_;
                return next;
            }
            if (slot.tag == tag && isEqual(slot.number)) {
                return slot.number;
            }
        }
    }

private:
    static constexpr std::uint32_t kFree = ~std::uint32_t{0};
    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t number = kFree;
    };

    void grow() {
        const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
        for (const Slot& slot : old) {
            if (slot.number != kFree) {
                std::size_t at = slot.tag & (slots_.size() - 1);
                while (slots_[at].number != kFree) {
                    at = (at + 1) & (slots_.size() - 1);
                }
                slots_[at] = slot;
            }
        }
    }

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

} // namespace aureole
