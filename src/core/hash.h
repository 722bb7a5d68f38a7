#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace aureole {

/// A running 64-bit content hash (FNV-1a over bytes, with a final avalanche). For identity of files and settings,
/// not for security.
class Hasher {
public:
    void add(const void* data, std::size_t size);
    void add(std::string_view text) { add(text.data(), text.size()); }
    std::uint64_t value() const;
    /// The value as 16 lower-case hexadecimal digits.
    std::string hex() const;

private:
    std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// A 64-bit checksum of bytes at memory speed: four lanes of multiplications. To notice damage, not for security.
std::uint64_t checksum(std::span<const std::byte> bytes);

} // namespace aureole
