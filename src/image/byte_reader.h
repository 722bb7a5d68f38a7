#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "core/error.h"

namespace aureole {

/// Walks little-endian bytes; every step past the end is an Error (BadInput) that names the file and the place.
class ByteReader {
public:
    ByteReader(std::span<const std::byte> bytes, const std::string& file, std::size_t offset = 0)
        : bytes_(bytes)
        , file_(file)
        , offset_(offset) {}

    std::size_t offset() const { return offset_; }

    template <typename T>
    T read(const char* what) {
        static_assert(std::is_trivially_copyable_v<T> && std::endian::native == std::endian::little);
        T value;
        std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
        return value;
    }

    std::span<const std::byte> take(std::size_t count, const char* what) {
        if (offset_ > bytes_.size() || count > bytes_.size() - offset_) {
            fail(ExitCode::BadInput, "{}: byte {}: found the end of the data, expected {} ({} bytes)", file_, offset_,
                 what, count);
        }
        offset_ += count;
        return bytes_.subspan(offset_ - count, count);
    }

    /// A string up to its zero byte, of at most 255 characters.
    std::string readName(const char* what) {
        constexpr std::size_t kLongestName = 255;
        const std::size_t start = offset_;
        std::string name;
        while (const char character = read<char>(what)) {
            name.push_back(character);
            if (name.size() > kLongestName) {
                fail(ExitCode::BadInput, "{}: byte {}: found no end of {}, expected one within {} bytes", file_, start,
                     what, kLongestName);
            }
        }
        return name;
    }

private:
    std::span<const std::byte> bytes_;
    const std::string& file_;
    std::size_t offset_;
};

} // namespace aureole
