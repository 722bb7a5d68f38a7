#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace aureole {

/// Walks the little-endian bytes of a file. Each step past their end is an Error (BadInput) that names the file, the
/// part of it where one is given, and the byte.
class ByteReader {
public:
    /// Starts at `offset`. The bytes and the file's name for messages outlive the reader; `part` stands behind the
    /// name.
    ByteReader(std::span<const std::byte> bytes, const std::string& file, std::size_t offset = 0, std::string part = "")
        : bytes_(bytes)
        , file_(file)
        , offset_(offset)
        , part_(std::move(part)) {}

    const std::string& file() const { return file_; }
    std::size_t offset() const { return offset_; }
    std::size_t left() const { return offset_ < bytes_.size() ? bytes_.size() - offset_ : 0; }
    bool atEnd() const { return left() == 0; }

    /// Goes on from there.
    void seek(std::uint64_t offset, const char* what) {
        if (offset > bytes_.size()) {
            fail(ExitCode::BadInput, "{}: found {} at byte {}, expected it within the {} bytes that there are", file_,
                 what, offset, bytes_.size());
        }
        offset_ = static_cast<std::size_t>(offset);
    }

    std::span<const std::byte> take(std::uint64_t count, const char* what) {
        if (count > left()) {
            refuse("truncated: found {} bytes, expected {} for {}", left(), count, what);
        }
        const std::span<const std::byte> taken = bytes_.subspan(offset_, static_cast<std::size_t>(count));
        offset_ += taken.size();
        return taken;
    }

    /// A number or a plain structure, as it lies in the memory of a little-endian machine.
    template <typename T>
    T read(const char* what) {
        static_assert(std::is_trivially_copyable_v<T> && std::endian::native == std::endian::little);
        T value;
        std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
        return value;
    }

    /// A text behind its length, which is a `Length`.
    template <typename Length = std::uint32_t>
    std::string_view text(const char* what) {
        return characters(read<Length>(what), what);
    }

    /// A text of so many bytes.
    std::string_view characters(std::uint64_t count, const char* what) {
        const std::span<const std::byte> taken = take(count, what);
        return {reinterpret_cast<const char*>(taken.data()), taken.size()};
    }

    /// A text up to its zero byte, of at most 255 characters.
    std::string readName(const char* what) {
        constexpr std::size_t kLongestName = 255;
        const std::size_t start = offset_;
        std::string name;
        while (const char character = read<char>(what)) {
            name.push_back(character);
            if (name.size() > kLongestName) {
                refuseAt(start, "found no end of {}, expected one within {} bytes", what, kLongestName);
            }
        }
        return name;
    }

    /// A reader of the next bytes alone, whose offsets are those of the whole.
    ByteReader section(std::uint64_t count, const char* what, const std::string& part) {
        const std::size_t start = offset_;
        take(count, what);
        return {bytes_.first(offset_), file_, start, part};
    }

    template <typename... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
        refuseAt(offset_, format, std::forward<Args>(args)...);
    }

    template <typename... Args>
    [[noreturn]] void refuseAt(std::size_t offset, fmt::format_string<Args...> format, Args&&... args) const {
        fail(ExitCode::BadInput, "{}: {}{}byte {}: {}", file_, part_, part_.empty() ? "" : ", ", offset,
             fmt::format(format, std::forward<Args>(args)...));
    }

private:
    std::span<const std::byte> bytes_;
    const std::string& file_;
    std::size_t offset_;
    std::string part_;
};

} // namespace aureole
