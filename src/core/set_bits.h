#pragma once

// The bits that are set in a mask, as voxels of a block of 4^3 and children of a node are.

#include <bit>
#include <cstddef>
#include <cstdint>

namespace aureole {

/// The numbers of the bits that are set in a mask, from the lowest up.
class SetBits {
public:
    class Iterator {
    public:
        explicit Iterator(std::uint64_t rest)
            : rest_(rest) {}

        std::uint32_t operator*() const { return static_cast<std::uint32_t>(std::countr_zero(rest_)); }
        Iterator& operator++() {
            rest_ &= rest_ - 1;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return rest_ != other.rest_; }

    private:
        std::uint64_t rest_; ///< of the mask, the bits that have not been visited
    };

    explicit SetBits(std::uint64_t mask)
        : mask_(mask) {}

    Iterator begin() const { return Iterator(mask_); }
    static Iterator end() { return Iterator(0); }

private:
    std::uint64_t mask_;
};

/// For loops: `for (const std::uint32_t bit : setBits(mask))`. Changes of the mask within the loop do not count.
inline SetBits setBits(std::uint64_t mask) {
    return SetBits(mask);
}

/// The number of bits that are set in a mask below `bit`, 0 to 63: the index of what belongs to `bit` in an array that
/// has an entry for each set bit.
inline std::size_t indexOfBit(std::uint64_t mask, std::uint32_t bit) {
    return static_cast<std::size_t>(std::popcount(mask & ((std::uint64_t{1} << bit) - 1)));
}

} // namespace aureole
