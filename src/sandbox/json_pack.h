#pragma once

// Values as JSON, by the functions pack() that list the fields of their types (sandbox/pack.h).

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sandbox/pack_traits.h"

namespace aureole::sandbox {

/// An archive for the functions pack() that makes JSON: an array of the fields of each type. Numbers survive it to the
/// last bit, floats on their way through doubles.
class JsonPacker {
public:
    using Json = nlohmann::json;

    template <typename... Fields>
    void operator()(Fields&... fields) {
        (json_.push_back(jsonOf(fields)), ...);
    }

    template <typename T>
    static Json jsonOf(T& value) {
        if constexpr (std::is_enum_v<T>) {
            return static_cast<int>(value);
        } else if constexpr (std::is_arithmetic_v<T>) {
            return value;
        } else if constexpr (kIsVector<T>) {
            Json json = Json::array();
            for (glm::length_t i = 0; i < T::length(); ++i) {
                json.push_back(value[i]);
            }
            return json;
        } else {
            JsonPacker fields;
            pack(fields, value);
            return std::move(fields.json_);
        }
    }
    static Json jsonOf(std::string& text) { return text; }
    template <typename T>
    static Json jsonOf(std::vector<T>& values) {
        Json json = Json::array();
        for (T& value : values) {
            json.push_back(jsonOf(value));
        }
        return json;
    }
    template <typename T>
    static Json jsonOf(std::optional<T>& value) {
        return value ? jsonOf(*value) : Json();
    }
    template <typename A, typename B>
    static Json jsonOf(std::pair<A, B>& both) {
        return Json::array({jsonOf(both.first), jsonOf(both.second)});
    }
    static Json jsonOf(std::map<std::string, std::string>& texts) { return texts; }

private:
    Json json_ = Json::array();
};

/// The way back. Throws nlohmann::json::exception where the JSON is not such. For what this program wrote itself:
/// numbers and enumerators are taken as they are.
class JsonUnpacker {
public:
    using Json = nlohmann::json;

    explicit JsonUnpacker(const Json& json)
        : json_(json) {}

    template <typename... Fields>
    void operator()(Fields&... fields) {
        (read(json_.at(next_++), fields), ...);
    }

    template <typename T>
    static void read(const Json& json, T& value) {
        if constexpr (std::is_enum_v<T>) {
            value = static_cast<T>(json.get<int>());
        } else if constexpr (std::is_arithmetic_v<T>) {
            json.get_to(value);
        } else if constexpr (kIsVector<T>) {
            for (glm::length_t i = 0; i < T::length(); ++i) {
                json.at(static_cast<std::size_t>(i)).get_to(value[i]);
            }
        } else {
            JsonUnpacker fields(json);
            pack(fields, value);
        }
    }
    static void read(const Json& json, std::string& text) { json.get_to(text); }
    template <typename T>
    static void read(const Json& json, std::vector<T>& values) {
        for (const Json& element : json) {
            read(element, values.emplace_back());
        }
    }
    template <typename T>
    static void read(const Json& json, std::optional<T>& value) {
        if (!json.is_null()) {
            read(json, value.emplace());
        }
    }
    template <typename A, typename B>
    static void read(const Json& json, std::pair<A, B>& both) {
        read(json.at(0), both.first);
        read(json.at(1), both.second);
    }
    static void read(const Json& json, std::map<std::string, std::string>& texts) { json.get_to(texts); }

private:
    const Json& json_;
    std::size_t next_ = 0;
};

} // namespace aureole::sandbox
