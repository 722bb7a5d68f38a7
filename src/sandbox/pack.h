#pragma once

// Results on their way from a worker to the program: plain values one after the other, arrays with their length before
// them. A type lists its fields once, in a function
//
//     template <typename Archive>
//     void pack(Archive& archive, Camera& camera) { archive(camera.name, camera.projection...); }
//
// which serves Packer and Unpacker. The unpacker believes nothing: it never makes room for what has not come, takes no
// enumerator that is none (kLastOf), no bool but 0 and 1, and no number of a single value that is not finite. What a
// type promises beyond that, its own reader checks.

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sandbox/channel.h"
#include "sandbox/layout_hash.h"
#include "sandbox/pack_traits.h"

namespace aureole::sandbox {

/// Sends values through a channel.
class Packer {
public:
    explicit Packer(Channel& channel)
        : channel_(channel) {}

    template <typename... Fields>
    void operator()(Fields&... fields) {
        (one(fields), ...);
    }

    /// Sends what is held back.
    void flush();

private:
    template <typename T>
    void one(T& value) {
        if constexpr (kIsBare<T>) {
            put(std::as_bytes(std::span(&value, 1)));
        } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
            auto number = static_cast<std::uint8_t>(value);
            one(number);
        } else {
            pack(*this, value);
        }
    }
    void one(std::string& text) { array(text); }
    template <typename T>
    void one(std::vector<T>& values) {
        if constexpr (kIsBare<T>) {
            array(values);
        } else {
            std::uint64_t count = values.size();
            one(count);
            for (T& value : values) {
                one(value);
            }
        }
    }
    template <typename T, std::size_t N>
    void one(std::array<T, N>& values) {
        for (T& value : values) {
            one(value);
        }
    }
    template <typename T>
    void one(std::optional<T>& value) {
        bool found = value.has_value();
        one(found);
        if (value) {
            one(*value);
        }
    }
    template <typename T>
    void one(std::map<std::string, T>& values) {
        std::uint64_t count = values.size();
        one(count);
        for (auto& [name, value] : values) {
            std::string key = name;
            one(key);
            one(value);
        }
    }
    template <typename Array>
    void array(Array& values) {
        std::uint64_t count = values.size();
        one(count);
        put(std::as_bytes(std::span(values)));
    }

    void put(std::span<const std::byte> bytes);

    Channel& channel_;
    std::vector<std::byte> held_;
};

/// Receives what a Packer sent. Throws std::runtime_error for what no Packer sends, and where it is more than
/// `most` bytes.
class Unpacker {
public:
    /// Reading ahead is for channels on which no descriptors come.
    enum class Ahead { Yes, No };

    Unpacker(Channel& channel, std::uint64_t most, Ahead ahead)
        : channel_(channel)
        , left_(most)
        , ahead_(ahead) {}

    template <typename... Fields>
    void operator()(Fields&... fields) {
        (one(fields), ...);
    }

    /// Takes the hash of a layout, which a result begins with, and refuses any but that of T.
    template <typename T>
    void expectLayout() {
        std::uint64_t layout = 0;
        one(layout);
        if (layout != layoutOf<T>()) {
            refuse("it has the layout of another version");
        }
    }

    /// A text of at most `most` bytes.
    void text(std::string& text, std::uint64_t most) {
        const std::uint64_t count = countOf();
        if (count > most) {
            refuse("a text that is too long");
        }
        text.resize(count);
        get(std::as_writable_bytes(std::span(text)));
    }

    /// Throws the std::runtime_error of something that cannot be.
    [[noreturn]] static void refuse(const char* what);

private:
    template <typename T>
    void one(T& value) {
        if constexpr (kIsBare<T>) {
            get(std::as_writable_bytes(std::span(&value, 1)));
            requireFinite(value);
        } else if constexpr (std::is_enum_v<T>) {
            std::uint8_t number = 0;
            one(number);
            if (number > static_cast<std::uint8_t>(kLastOf<T>)) {
                refuse("an unknown choice");
            }
            value = static_cast<T>(number);
        } else if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t number = 0;
            one(number);
            if (number > 1) {
                refuse("neither true nor false");
            }
            value = number == 1;
        } else {
            pack(*this, value);
        }
    }
    void one(std::string& text) { array(text); }
    template <typename T>
    void one(std::vector<T>& values) {
        if constexpr (kIsBare<T>) {
            array(values);
        } else {
            // Grows as they come, so that a count alone takes no memory.
            for (std::uint64_t count = countOf(); count > 0; --count) {
                charge(sizeof(T)); // of one that is empty, too
                one(values.emplace_back());
            }
        }
    }
    template <typename T, std::size_t N>
    void one(std::array<T, N>& values) {
        for (T& value : values) {
            one(value);
        }
    }
    template <typename T>
    void one(std::optional<T>& value) {
        bool found = false;
        one(found);
        if (found) {
            one(value.emplace());
        }
    }
    template <typename T>
    void one(std::map<std::string, T>& values) {
        for (std::uint64_t count = countOf(); count > 0; --count) {
            std::string key;
            one(key);
            charge(sizeof(T));
            one(values[key]);
        }
    }
    template <typename Array>
    void array(Array& values) {
        using Element = typename Array::value_type;
        constexpr std::uint64_t kStep = (std::uint64_t{1} << 20U) / sizeof(Element);
        const std::uint64_t count = countOf();
        if (count > left_ / sizeof(Element)) {
            refuse("more than it may hold");
        }
        values.reserve(count); // takes no memory until it is written to
        while (values.size() < count) {
            const std::size_t old = values.size();
            values.resize(old + std::min(kStep, count - old));
            get(std::as_writable_bytes(std::span(values).subspan(old)));
        }
    }

    template <typename T>
    static void requireFinite(const T& value) {
        if constexpr (std::is_floating_point_v<T>) {
            if (!std::isfinite(value)) {
                refuse("a number that is not finite");
            }
        } else if constexpr (kIsVector<T>) {
            for (glm::length_t i = 0; i < T::length(); ++i) {
                requireFinite(value[i]);
            }
        }
    }

    std::uint64_t countOf() {
        std::uint64_t count = 0;
        one(count);
        return count;
    }
    void charge(std::uint64_t bytes);
    void get(std::span<std::byte> bytes);

    Channel& channel_;
    std::uint64_t left_;
    Ahead ahead_;
    std::vector<std::byte> held_; ///< received and not asked for yet, from `at_`
    std::size_t at_ = 0;
};

} // namespace aureole::sandbox
