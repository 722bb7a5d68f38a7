#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "fuzz.h"

namespace aureole::fuzz {

/// Takes values off the front of an input; zeros where it has ended.
class Takes {
public:
    explicit Takes(Bytes bytes)
        : bytes_(bytes) {}

    bool empty() const { return bytes_.empty(); }

    template <typename T>
    T take() {
        T value{};
        const std::size_t size = std::min(sizeof(T), bytes_.size());
        std::memcpy(&value, bytes_.data(), size);
        bytes_ = bytes_.subspan(size);
        return value;
    }

    /// 0 to 255.
    std::uint32_t number() { return take<std::uint8_t>(); }

    /// Up to a line break, which goes too.
    std::string line() {
        const std::string_view text = textOf(bytes_);
        std::string result(text.substr(0, text.find('\n')));
        bytes_ = bytes_.subspan(std::min(result.size() + 1, bytes_.size()));
        return result;
    }

    /// All the rest.
    std::string rest() { return std::string(textOf(bytes_)); }

private:
    Bytes bytes_;
};

} // namespace aureole::fuzz
