#pragma once

// What a type looks like on its way through a channel, as a number: a program and a worker that were built from
// different sources see by it that one of them would misread the other's results.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/hash.h"
#include "sandbox/pack_traits.h"

namespace aureole::sandbox {

/// An archive for the functions pack() that hashes the kinds of the fields that they list, in their order; of arrays,
/// the kind of an element. What a field means is not in it.
class LayoutHash {
public:
    template <typename... Fields>
    void operator()(Fields&... fields) {
        (one(fields), ...);
    }
    std::uint64_t value() const { return hash_.value(); }

private:
    template <typename T>
    void one(T& value) {
        if constexpr (std::is_enum_v<T>) {
            add('e', static_cast<std::uint32_t>(kLastOf<T>));
        } else if constexpr (std::is_same_v<T, bool> || kIsBare<T>) {
            add(std::is_same_v<T, bool>       ? 'b'
                : kIsVector<T>                ? 'v'
                : std::is_floating_point_v<T> ? 'f'
                                              : 'i',
                sizeof(T));
        } else {
            add('{');
            pack(*this, value);
            add('}');
        }
    }
    void one(std::string& /*text*/) { add('s'); }
    template <typename T>
    void one(std::vector<T>& /*values*/) {
        element<T>('[');
    }
    template <typename T, std::size_t N>
    void one(std::array<T, N>& /*values*/) {
        add('a', N);
        element<T>('[');
    }
    template <typename T>
    void one(std::optional<T>& /*value*/) {
        element<T>('?');
    }
    template <typename T>
    void one(std::map<std::string, T>& /*values*/) {
        element<T>('m');
    }

    template <typename T>
    void element(char kind) {
        add(kind);
        T value{};
        one(value);
    }
    void add(char kind, std::size_t size = 0) {
        hash_.add(&kind, sizeof(kind));
        hash_.add(&size, sizeof(size));
    }

    Hasher hash_;
};

/// The hash of how a type is packed. All builds from the same sources have the same.
template <typename T>
std::uint64_t layoutOf() {
    LayoutHash hash;
    T value{};
    hash(value);
    return hash.value();
}

} // namespace aureole::sandbox
