#include "scene/json/json_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/suggest.h"
#include "image/colour/hex_colour.h"

namespace aureole {

namespace {

/// The range as a value that is not in it needs to hear of it: its bound for the absurd only where that was passed.
std::string describeRange(Range range, const Json& found) {
    const bool absurd = found.is_number() && std::abs(found.get<double>()) > kMaximumNumber;
    if (!absurd && range.min == kPositive.min && range.max == kPositive.max) {
        return "a number above 0";
    }
    if (!absurd && range.min == kNotNegative.min && range.max == kNotNegative.max) {
        return "a number from 0 up";
    }
    if (!absurd && range.min == Range{}.min && range.max == Range{}.max) {
        return "a number";
    }
    return fmt::format("a number from {} to {}", range.min, range.max);
}

bool inRange(const Json& value, Range range) {
    return value.is_number() && value.get<double>() >= range.min && value.get<double>() <= range.max;
}

std::string quotedList(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 12;
    if (names.size() > kMost) {
        return fmt::format("'{}', ...", fmt::join(names.begin(), names.begin() + kMost, "', '"));
    }
    return fmt::format("'{}'", fmt::join(names, "', '"));
}

std::string orWord(std::string_view word) {
    return word.empty() ? std::string() : fmt::format(", or '{}'", word);
}

} // namespace

void ReadLog::add(std::string pointer, std::string message) {
    if (problems.size() >= JsonLimits{}.problems) {
        end({}, fmt::format("found more than {} problems: the rest is not looked at", JsonLimits{}.problems));
    }
    problems.push_back({std::move(pointer), 0, std::move(message)});
}

void ReadLog::end(std::string pointer, const std::string& message) {
    problems.push_back({std::move(pointer), 0, message});
    ended = true;
    throw Error(ExitCode::BadInput, message);
}

void readNoting(ReadLog& log, const std::function<void()>& read) {
    try {
        read();
    } catch (const Error&) {
        if (!log.ended) {
            throw; // something else
        }
    }
}

std::string describeJson(const Json& value) {
    if (value.is_object()) {
        return "an object";
    }
    if (value.is_array()) {
        return fmt::format("an array of {}", value.size());
    }
    if (value.is_string()) {
        constexpr std::size_t kMost = 60;
        const auto& text = value.get_ref<const std::string&>();
        // Cut between characters, never inside one.
        std::size_t end = std::min(kMost, text.size());
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            ++end;
        }
        return fmt::format("'{}{}'", text.substr(0, end), end < text.size() ? "..." : "");
    }
    return value.dump();
}

ValueReader::ValueReader(const Json& value, std::string pointer, ReadLog& log)
    : value_(&value)
    , pointer_(std::move(pointer))
    , log_(&log) {}

void ValueReader::expected(std::string_view expected) const {
    log_->add(pointer_, fmt::format("found {}, expected {}", describeJson(*value_), expected));
}

bool ValueReader::read(double& out, Range range, std::string_view word) const {
    if (!inRange(*value_, range)) {
        expected(describeRange(range, json()) + orWord(word));
        return false;
    }
    out = value_->get<double>();
    return true;
}

bool ValueReader::read(float& out, Range range) const {
    double wide = 0.0;
    if (!read(wide, range)) {
        return false;
    }
    out = static_cast<float>(wide);
    return true;
}

bool ValueReader::read(bool& out) const {
    if (!value_->is_boolean()) {
        expected("true or false");
        return false;
    }
    out = value_->get<bool>();
    return true;
}

bool ValueReader::read(std::string& out) const {
    if (!value_->is_string()) {
        expected("a string");
        return false;
    }
    out = value_->get<std::string>();
    return true;
}

bool ValueReader::readInteger(std::uint64_t& out, std::uint64_t min, std::uint64_t max, std::string_view word) const {
    // A negative integer is signed in the document; 64.0 is a float there, and still a whole number.
    const double wide = value_->is_number() ? value_->get<double>() : -1.0;
    if (wide < static_cast<double>(min) || wide > static_cast<double>(max) || wide != std::floor(wide)) {
        expected(fmt::format("a whole number from {} to {}{}", min, max, orWord(word)));
        return false;
    }
    out = value_->get<std::uint64_t>();
    return true;
}

bool ValueReader::readNumbers(double* out, std::size_t count, Range range) const {
    if (!value_->is_array() || value_->size() != count) {
        expected(fmt::format("an array of {} numbers", count));
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Json& element = (*value_)[i];
        if (!inRange(element, range)) {
            ValueReader(element, childPointer(pointer_, std::to_string(i)), *log_)
                .expected(describeRange(range, element));
            return false;
        }
        out[i] = element.get<double>();
    }
    return true;
}

bool ValueReader::read(glm::dvec3& out, Range range) const {
    std::array<double, 3> numbers{};
    if (!readNumbers(numbers.data(), 3, range)) {
        return false;
    }
    out = {numbers[0], numbers[1], numbers[2]};
    return true;
}

bool ValueReader::readColour(glm::vec3& out, Range range) const {
    if (value_->is_array() && value_->size() == 3) {
        glm::dvec3 wide{0.0};
        if (!read(wide, range)) {
            return false;
        }
        out = wide;
        return true;
    }
    if (inRange(*value_, range)) {
        out = glm::vec3(value_->get<float>());
        return true;
    }
    if (value_->is_string()) {
        if (const auto colour = colourFromHex(value_->get<std::string>())) {
            out = *colour;
            return true;
        }
    }
    expected(fmt::format("{}, an array of three or a colour such as '#ff8000'", describeRange(range, json())));
    return false;
}

std::optional<std::size_t> ValueReader::readChoice(const std::vector<std::string>& choices) const {
    if (value_->is_string()) {
        const auto& text = value_->get_ref<const std::string&>();
        const auto found = std::find(choices.begin(), choices.end(), text);
        if (found != choices.end()) {
            return static_cast<std::size_t>(found - choices.begin());
        }
        expected(quotedList(choices) + didYouMean(text, choices));
        return std::nullopt;
    }
    expected(quotedList(choices));
    return std::nullopt;
}

bool ValueReader::readObject(const std::function<void(ObjectReader&)>& body) const {
    if (!value_->is_object()) {
        expected("an object");
        return false;
    }
    ObjectReader reader(*this);
    body(reader);
    reader.finish();
    return true;
}

bool ValueReader::readArray(const std::function<void(const ValueReader&)>& body) const {
    if (!value_->is_array()) {
        expected("an array");
        return false;
    }
    for (std::size_t i = 0; i < value_->size(); ++i) {
        body(ValueReader((*value_)[i], childPointer(pointer_, std::to_string(i)), *log_));
    }
    return true;
}

void ValueReader::readKeys(std::string_view place, std::uint32_t last,
                           const std::function<void(std::uint32_t, const ValueReader&)>& body) const {
    const std::string shape = fmt::format("[{}, value]", place);
    std::optional<std::uint64_t> before;
    const bool isArray = readArray([&](const ValueReader& key) {
        if (!key.json().is_array() || key.json().size() != 2) {
            key.expected(shape);
            return;
        }
        const auto part = [&](std::size_t i) {
            return ValueReader(key.json()[i], childPointer(key.pointer(), std::to_string(i)), key.log());
        };
        std::uint64_t at = 0;
        if (!part(0).readInteger(at, 0, last)) {
            return;
        }
        if (before && at <= *before) {
            log().add(key.pointer(),
                      fmt::format("found {0} {1} after {0} {2}, expected ascending {0}s", place, at, *before));
            return;
        }
        before = at;
        body(static_cast<std::uint32_t>(at), part(1));
    });
    if (isArray && json().empty()) {
        expected("at least one " + shape);
    }
}

ObjectReader::ObjectReader(ValueReader object)
    : object_(std::move(object)) {}

bool ObjectReader::has(std::string_view key) const {
    return object_.json().contains(key);
}

std::optional<ValueReader> ObjectReader::find(std::string_view key) {
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
        asked_.emplace_back(key);
    }
    const auto found = object_.json().find(key);
    if (found == object_.json().end()) {
        return std::nullopt;
    }
    return ValueReader(*found, childPointer(pointer(), key), log());
}

std::optional<ValueReader> ObjectReader::require(std::string_view key) {
    std::optional<ValueReader> value = find(key);
    if (!value) {
        problem(fmt::format("expected the key '{}', which is missing", key));
    }
    return value;
}

bool ObjectReader::number(std::string_view key, double& out, Range range) {
    const auto value = find(key);
    return value && value->read(out, range);
}

bool ObjectReader::number(std::string_view key, float& out, Range range) {
    const auto value = find(key);
    return value && value->read(out, range);
}

bool ObjectReader::boolean(std::string_view key, bool& out) {
    const auto value = find(key);
    return value && value->read(out);
}

bool ObjectReader::vector(std::string_view key, glm::dvec3& out, Range range) {
    const auto value = find(key);
    return value && value->read(out, range);
}

bool ObjectReader::colour(std::string_view key, glm::vec3& out, Range range) {
    const auto value = find(key);
    return value && value->readColour(out, range);
}

bool ObjectReader::integer(std::string_view key, std::uint32_t& out, std::uint32_t min, std::uint32_t max) {
    std::uint64_t wide = 0;
    const auto value = find(key);
    if (!value || !value->readInteger(wide, min, max)) {
        return false;
    }
    out = static_cast<std::uint32_t>(wide);
    return true;
}

bool ObjectReader::object(std::string_view key, const std::function<void(ObjectReader&)>& body) {
    const auto value = find(key);
    return value && value->readObject(body);
}

bool ObjectReader::named(std::string_view key, const std::function<void(const std::string&, ObjectReader&)>& body) {
    const auto value = find(key);
    if (!value) {
        return false;
    }
    if (!value->json().is_object()) {
        value->expected("an object keyed by name");
        return false;
    }
    for (const auto& item : value->json().items()) {
        const std::string& name = item.key();
        if (name.empty()) {
            value->log().add(childPointer(value->pointer(), name),
                             "found an empty name, expected at least one character");
            continue;
        }
        ValueReader(item.value(), childPointer(value->pointer(), name), log()).readObject([&](ObjectReader& reader) {
            body(name, reader);
        });
    }
    return true;
}

void ObjectReader::problem(std::string message) const {
    log().add(pointer(), std::move(message));
}

void ObjectReader::problem(std::string_view key, std::string message) const {
    log().add(childPointer(pointer(), key), std::move(message));
}

void ObjectReader::finish() const {
    for (const auto& [key, unused] : object_.json().items()) {
        if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
            const std::string hint = didYouMean(key, asked_);
            log().add(childPointer(pointer(), key),
                      fmt::format("found the unknown key '{}', expected {}{}", key, quotedList(asked_), hint));
        }
    }
    log().keys[pointer()] = asked_;
}

std::optional<std::size_t> readReference(const ValueReader& value, std::string_view what, const Names& names) {
    std::string name;
    if (!value.read(name)) {
        return std::nullopt;
    }
    const std::optional<std::size_t> found = names.find(name);
    if (!found) {
        const std::vector<std::string>& all = names.list();
        const char* const article = what.starts_with('a') ? "an" : "a";
        value.expected(all.empty() ? fmt::format("the name of {} {}; there is none", article, what)
                                   : fmt::format("the name of {} {}: {}{}", article, what, quotedList(all),
                                                 didYouMean(name, all)));
    }
    return found;
}

} // namespace aureole
