#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/error.h"

namespace aureole::vdb {

/// Reads a file's bytes from first to last. Whatever goes beyond their end is an Error (BadInput) that says where.
class ByteReader {
public:
    /// Both outlive the reader. `name` is the file's for messages, with the part of it that the bytes are.
    ByteReader(std::span<const std::byte> bytes, const std::string& name)
        : bytes_(bytes)
        , name_(name) {}

    std::size_t position() const { return at_; }
    const std::string& name() const { return name_; }

    /// Goes on from there.
    void seek(std::uint64_t position, const char* what) {
        if (position > bytes_.size()) {
            fail(ExitCode::BadInput, "{}: found {} at byte {}, expected it within the {} bytes that there are", name_,
                 what, position, bytes_.size());
        }
        at_ = static_cast<std::size_t>(position);
    }

    std::span<const std::byte> take(std::uint64_t count, const char* what) {
        if (count > bytes_.size() - at_) {
            refuse("truncated: found {} bytes, expected {} for {}", bytes_.size() - at_, count, what);
        }
        const std::span<const std::byte> taken = bytes_.subspan(at_, static_cast<std::size_t>(count));
        at_ += taken.size();
        return taken;
    }

    /// A number or a plain structure, as it lies in the memory of a little-endian machine.
    template <typename T>
    T read(const char* what) {
        static_assert(std::is_trivially_copyable_v<T>);
        T value;
        std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
        return value;
    }

    /// A text behind its length in 32 bits.
    std::string_view text(const char* what) {
        const auto length = read<std::uint32_t>(what);
        const std::span<const std::byte> taken = take(length, what);
        return {reinterpret_cast<const char*>(taken.data()), taken.size()};
    }

    template <typename... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
        fail(ExitCode::BadInput, "{}: byte {}: {}", name_, at_, fmt::format(format, std::forward<Args>(args)...));
    }

private:
    std::span<const std::byte> bytes_;
    const std::string& name_;
    std::size_t at_ = 0;
};

} // namespace aureole::vdb
