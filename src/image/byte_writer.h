#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace aureole {

/// Collects little-endian bytes, as ByteReader walks them.
class ByteWriter {
public:
    template <typename T>
    void add(T value) {
        static_assert(std::is_trivially_copyable_v<T> && std::endian::native == std::endian::little);
        addBytes(std::as_bytes(std::span(&value, 1)));
    }
    void addBytes(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

    std::span<const std::byte> bytes() const { return bytes_; }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

} // namespace aureole
