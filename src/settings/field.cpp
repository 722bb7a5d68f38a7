#include "settings/field.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "settings/parse_text.h"

namespace aureole {

namespace {

SettingValue parseIn(const Switch& /*domain*/, const std::string& option, const std::string& text) {
    static const std::vector<std::string> kNames = {"false", "true"};
    return parseIndex(option, text, kNames) == 1;
}

SettingValue parseIn(const CountRange& range, const std::string& option, const std::string& text) {
    if (!range.word.empty() && text == range.word) {
        return kCountWord;
    }
    const std::uint32_t value =
        parseCount(option, text, std::max(range.least, range.leastOption), range.most, range.word);
    if (value > 0 && value < range.leastButZero) {
        fail(ExitCode::Usage, "{}: found '{}', expected a whole number from {} to {}, or 0", option, text,
             range.leastButZero, range.most);
    }
    return value;
}

SettingValue parseIn(const NumberRange& range, const std::string& option, const std::string& text) {
    if (!range.word.empty() && text == range.word) {
        return kWordInstead;
    }
    const double value = parseNumber(option, text, range.least, range.most, range.word);
    if (value > 0.0 && value < range.leastOption) {
        fail(ExitCode::Usage, "{}: found '{}', expected a number from {} to {}, or 0{}", option, text,
             range.leastOption, range.most, range.zero);
    }
    return value;
}

SettingValue parseIn(const Words& words, const std::string& option, const std::string& text) {
    return static_cast<std::uint32_t>(parseIndex(option, text, words.names()));
}

void replace(std::string& text, std::string_view mark, const std::string& by) {
    if (const std::size_t at = text.find(mark); at != std::string::npos) {
        text.replace(at, mark.size(), by);
    }
}

} // namespace

SettingValue parseSetting(const Setting& setting, const std::string& text) {
    return std::visit([&](const auto& domain) { return parseIn(domain, std::string(setting.option), text); },
                      setting.domain);
}

std::string settingText(const Setting& setting, const SettingValue& value) {
    if (const auto* const isOn = std::get_if<bool>(&value)) {
        return *isOn ? "true" : "false";
    }
    if (isWord(setting, value)) {
        const auto* const counts = std::get_if<CountRange>(&setting.domain);
        return std::string(counts != nullptr ? counts->word : std::get<NumberRange>(setting.domain).word);
    }
    if (const auto* const number = std::get_if<double>(&value)) {
        return fmt::format("{:.9g}", *number);
    }
    const std::uint32_t count = std::get<std::uint32_t>(value);
    const auto* const words = std::get_if<Words>(&setting.domain);
    return words != nullptr ? words->names().at(count) : fmt::to_string(count);
}

bool isWord(const Setting& setting, const SettingValue& value) {
    if (const auto* const counts = std::get_if<CountRange>(&setting.domain)) {
        return !counts->word.empty() && value == SettingValue(kCountWord);
    }
    const auto* const range = std::get_if<NumberRange>(&setting.domain);
    return range != nullptr && !range->word.empty() && value == SettingValue(kWordInstead);
}

std::string settingHelp(const Setting& setting, const std::optional<SettingValue>& value) {
    std::string help(setting.help);
    if (value) {
        replace(help, "{default}", settingText(setting, *value));
    }
    if (const auto* const words = std::get_if<Words>(&setting.domain)) {
        replace(help, "{names}", fmt::format("{}", fmt::join(words->names(), ", ")));
    }
    return help;
}

} // namespace aureole
