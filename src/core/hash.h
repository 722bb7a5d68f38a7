#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace aureole {

/// A running 64-bit content hash: XXH3 of all bytes in their order, however they are cut. For identity of files and
/// settings, at the speed of memory; not for security.
class Hasher {
public:
    Hasher();

    void add(const void* data, std::size_t size);
    void add(std::string_view text) { add(text.data(), text.size()); }
    std::uint64_t value() const;
    /// The value as 16 lower-case hexadecimal digits.
    std::string hex() const;

private:
    struct Free {
        void operator()(XXH3_state_s* state) const;
    };
    std::unique_ptr<XXH3_state_s, Free> state_;
};

/// A bijection of 64 bits that mixes them well: the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014). Octree files hold what comes of it, so that it stays as it is.
constexpr std::uint64_t mixBits(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebULL;
    return bits ^ (bits >> 31U);
}

/// A 64-bit checksum of bytes at memory speed: four lanes of multiplications. To notice damage, not for security.
/// Octree files and checkpoints hold it, so that it stays as it is.
std::uint64_t checksum(std::span<const std::byte> bytes);

} // namespace aureole
