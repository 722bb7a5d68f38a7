#include "import/gltf/json_value.h"

#include <array>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/printable.h"

namespace aureole::gltf {

namespace {

/// A value as a message shows it: short, whatever it is.
std::string shown(const nlohmann::json& value) {
    if (value.is_array() || value.is_object()) {
        return fmt::format("an {} of {}", value.type_name(), value.size());
    }
    constexpr std::size_t kLongest = 60;
    const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

} // namespace

std::string JsonValue::place() const {
    return fmt::format("{}: {}", *file_, pointer_.empty() ? "/" : pointer_);
}

void JsonValue::failExpected(std::string_view expected) const {
    fail(ExitCode::BadInput, "{}: found {}, expected {}", place(), shown(*value_), expected);
}

bool JsonValue::has(const char* key) const {
    return value_->is_object() && value_->contains(key);
}

std::optional<JsonValue> JsonValue::find(const char* key) const {
    if (!value_->is_object()) {
        failExpected("an object");
    }
    const auto member = value_->find(key);
    if (member == value_->end()) {
        return std::nullopt;
    }
    return JsonValue(*member, pointer_ + "/" + key, *file_);
}

JsonValue JsonValue::operator[](const char* key) const {
    std::optional<JsonValue> member = find(key);
    if (!member) {
        fail(ExitCode::BadInput, "{}: has no '{}', which is required", place(), key);
    }
    return *member;
}

JsonValue JsonValue::at(std::size_t index) const {
    if (!value_->is_array() || index >= value_->size()) {
        failExpected(fmt::format("an array of more than {} elements", index));
    }
    return {(*value_)[index], fmt::format("{}/{}", pointer_, index), *file_};
}

std::size_t JsonValue::size() const {
    if (!value_->is_array() && !value_->is_object()) {
        failExpected("an array");
    }
    return value_->size();
}

std::optional<JsonValue> JsonValue::extension(const char* name) const {
    const std::optional<JsonValue> extensions = find("extensions");
    return extensions ? extensions->find(name) : std::nullopt;
}

double JsonValue::number() const {
    const double value = value_->is_number() ? value_->get<double>() : std::numeric_limits<double>::infinity();
    if (!(std::abs(value) <= double{std::numeric_limits<float>::max()})) {
        failExpected("a finite number in the range of a float");
    }
    return value;
}

bool JsonValue::boolean() const {
    if (!value_->is_boolean()) {
        failExpected("true or false");
    }
    return value_->get<bool>();
}

const std::string& JsonValue::text() const {
    if (!value_->is_string()) {
        failExpected("a string");
    }
    return value_->get_ref<const std::string&>();
}

std::uint64_t JsonValue::unsignedInteger() const {
    if (value_->is_number_unsigned()) {
        return value_->get<std::uint64_t>();
    }
    // Some exporters write whole numbers with a decimal point.
    constexpr double kExact = 9007199254740992.0;
    const double value = value_->is_number_float() ? value_->get<double>() : -1.0;
    if (!(value >= 0.0 && value <= kExact && value == std::floor(value))) {
        failExpected("a whole number of at least 0");
    }
    return static_cast<std::uint64_t>(value);
}

std::uint32_t JsonValue::index(std::size_t count, const char* what) const {
    const std::uint64_t value = unsignedInteger();
    if (value >= count) {
        fail(ExitCode::BadInput, "{}: found {} {}, expected less than the {} that there are", place(), what, value,
             count);
    }
    return static_cast<std::uint32_t>(value);
}

void JsonValue::numbers(std::span<double> numbers) const {
    if (!value_->is_array() || value_->size() != numbers.size()) {
        failExpected(fmt::format("an array of {} numbers", numbers.size()));
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = at(i).number();
    }
}

glm::dvec2 JsonValue::vec2() const {
    std::array<double, 2> values{};
    numbers(values);
    return {values[0], values[1]};
}

glm::dvec3 JsonValue::vec3() const {
    std::array<double, 3> values{};
    numbers(values);
    return {values[0], values[1], values[2]};
}

double JsonValue::numberOr(const char* key, double otherwise) const {
    const std::optional<JsonValue> member = find(key);
    return member ? member->number() : otherwise;
}

std::uint64_t JsonValue::unsignedOr(const char* key, std::uint64_t otherwise) const {
    const std::optional<JsonValue> member = find(key);
    return member ? member->unsignedInteger() : otherwise;
}

std::string JsonValue::textOr(const char* key, const std::string& otherwise) const {
    const std::optional<JsonValue> member = find(key);
    return member ? member->text() : otherwise;
}

std::string JsonValue::nameOr(const std::string& otherwise) const {
    return onOneLine(textOr("name", otherwise));
}

} // namespace aureole::gltf
