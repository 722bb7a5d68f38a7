#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aureole {

/// The field of `width` bits, 1 to 31, at bit `position` of some words, the lowest bit first.
inline std::uint32_t packedBits(std::span<const std::uint32_t> words, std::uint64_t position, std::uint32_t width) {
    const std::size_t word = position >> 5U;
    const auto shift = static_cast<std::uint32_t>(position & 31U);
    std::uint64_t bits = words[word];
    if (shift + width > 32) {
        bits |= std::uint64_t{words[word + 1]} << 32U;
    }
    return static_cast<std::uint32_t>(bits >> shift) & ((std::uint32_t{1} << width) - 1);
}

/// Fields of bits one behind the other, without gaps.
class PackedWords {
public:
    /// Adds a field of `width` bits, at most 31.
    void append(std::uint32_t value, std::uint32_t width) {
        const auto shift = static_cast<std::uint32_t>(bits_ & 31U);
        if (shift == 0) {
            words_.push_back(value);
        } else {
            words_.back() |= value << shift;
            if (shift + width > 32) {
                words_.push_back(value >> (32 - shift));
            }
        }
        bits_ += width;
    }
    std::span<const std::uint32_t> words() const { return words_; }
    std::uint64_t bits() const { return bits_; }

private:
    std::vector<std::uint32_t> words_;
    std::uint64_t bits_ = 0;
};

/// How many words fields of `width` bits take. In groups of 32 fields, so that no word belongs to two groups.
constexpr std::uint64_t packedWordCount(std::uint64_t fields, std::uint32_t width) {
    return (fields + 31) / 32 * width;
}

} // namespace aureole
