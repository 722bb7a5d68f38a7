#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/math.h"

namespace aureole::gltf {

/// A value of a JSON document together with its place, so that whatever is wrong with it can be said precisely.
/// Every function throws Error (BadInput) naming file and JSON pointer where the value is not what was asked for.
/// Cheap to copy; the document and the file name must outlive it.
class JsonValue {
public:
    JsonValue(const nlohmann::json& value, std::string pointer, const std::string& file)
        : value_(&value)
        , pointer_(std::move(pointer))
        , file_(&file) {}

    /// "file: /pointer", to open a message with.
    std::string place() const;
    const std::string& pointer() const { return pointer_; }

    bool has(const char* key) const;
    JsonValue operator[](const char* key) const; ///< a member that must be there
    std::optional<JsonValue> find(const char* key) const;
    JsonValue at(std::size_t index) const; ///< an array's element
    std::size_t size() const;              ///< of an array or object

    /// The object of an extension under this value.
    std::optional<JsonValue> extension(const char* name) const;

    double number() const; ///< finite, also as a float
    bool boolean() const;
    const std::string& text() const;
    std::uint64_t unsignedInteger() const;
    std::uint32_t index(std::size_t count, const char* what) const; ///< less than count

    /// Reads an array of finite numbers, exactly as many as `numbers` is long.
    void numbers(std::span<double> numbers) const;
    glm::dvec2 vec2() const;
    glm::dvec3 vec3() const;

    double numberOr(const char* key, double otherwise) const;
    std::uint64_t unsignedOr(const char* key, std::uint64_t otherwise) const;
    std::string textOr(const char* key, const std::string& otherwise) const;
    /// Its "name" on one line, for messages.
    std::string nameOr(const std::string& otherwise) const;

    const nlohmann::json& json() const { return *value_; }

private:
    [[noreturn]] void failExpected(std::string_view expected) const;

    const nlohmann::json* value_;
    std::string pointer_;
    const std::string* file_;
};

} // namespace aureole::gltf
