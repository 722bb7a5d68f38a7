#include "scene/json/json_fields.h"

#include <cmath>

#include <fmt/format.h>

#include "scene/json/scene_draft.h"

namespace aureole {

namespace {

using Put = std::function<void(const SettingValue&)>;

void readAs(const Switch& /*domain*/, const ValueReader& value, const Put& put) {
    bool read = false;
    if (value.read(read)) {
        put(read);
    }
}

/// Puts `instead` where the word of a range stands; false where it does not, or the range has none.
bool readWord(std::string_view word, const ValueReader& value, const SettingValue& instead, const Put& put) {
    if (word.empty() || !value.json().is_string() || value.json().get<std::string>() != word) {
        return false;
    }
    put(instead);
    return true;
}

void readAs(const CountRange& range, const ValueReader& value, const Put& put) {
    if (range.leastButZero > 0) {
        std::uint32_t read = 0;
        if (readCountOrZero(value, read, range.leastButZero, range.most)) {
            put(read);
        }
        return;
    }
    if (readWord(range.word, value, kCountWord, put)) {
        return;
    }
    std::uint64_t read = 0;
    if (value.readInteger(read, range.least, range.most, range.word)) {
        put(static_cast<std::uint32_t>(read));
    }
}

void readAs(const NumberRange& range, const ValueReader& value, const Put& put) {
    if (readWord(range.word, value, kWordInstead, put)) {
        return;
    }
    double read = 0.0;
    if (value.read(read, Range{range.least, range.most}, range.word)) {
        put(read);
    }
}

void readAs(const Words& words, const ValueReader& value, const Put& put) {
    if (const auto place = value.readChoice(words.names())) {
        put(static_cast<std::uint32_t>(*place));
    }
}

} // namespace

void readSetting(ObjectReader& in, const Setting& setting, const Put& put) {
    const auto value = setting.required ? in.require(setting.key) : in.find(setting.key);
    if (value) {
        readSetting(*value, setting, put);
    }
}

void readSetting(const ValueReader& value, const Setting& setting, const Put& put) {
    std::visit([&](const auto& domain) { readAs(domain, value, put); }, setting.domain);
}

Json toJson(const Setting& setting, const SettingValue& value) {
    if (std::holds_alternative<Words>(setting.domain) || isWord(setting, value)) {
        return settingText(setting, value);
    }
    // A whole number is one, as in files that people write: the scene's hash is of this text.
    constexpr double kMostWhole = 1e9;
    const auto* const number = std::get_if<double>(&value);
    if (number != nullptr && std::abs(*number) < kMostWhole && *number == std::floor(*number)) {
        return static_cast<std::int64_t>(*number);
    }
    return std::visit([](const auto& plain) { return Json(plain); }, value);
}

} // namespace aureole
