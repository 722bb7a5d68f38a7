#include "settings/parse_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/lines.h"
#include "core/suggest.h"
#include "core/to_number.h"
#include "settings/limits.h"

namespace aureole {

namespace {

/// The parts of a text between separators, as whole numbers; none where there are not `count` of them.
template <std::size_t count>
std::optional<std::array<std::uint32_t, count>> toNumbers(std::string_view text, char separator) {
    std::array<std::uint32_t, count> values{};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = text.find(separator);
        if ((at == std::string_view::npos) != (i + 1 == count)) {
            return std::nullopt;
        }
        const auto value = toNumber<std::uint32_t>(text.substr(0, at));
        if (!value) {
            return std::nullopt;
        }
        values.at(i) = *value;
        text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    }
    return values;
}

} // namespace

std::uint32_t parseCount(const std::string& option, const std::string& text, std::uint32_t minimum,
                         std::uint32_t maximum, std::string_view word) {
    const auto value = toNumber<std::uint32_t>(text);
    if (!value || *value < minimum || *value > maximum) {
        fail(ExitCode::Usage, "{}: found '{}', expected a whole number from {} to {}{}", option, text, minimum, maximum,
             word.empty() ? "" : fmt::format(", or {}", word));
    }
    return *value;
}

std::vector<std::uint32_t> parseCounts(const std::string& option, const std::string& text, std::uint32_t minimum,
                                       std::uint32_t maximum) {
    std::vector<std::uint32_t> counts;
    for (const std::string& part : splitList(text)) {
        counts.push_back(parseCount(option, part, minimum, maximum));
    }
    return counts;
}

double parseNumber(const std::string& option, const std::string& text, double minimum, double maximum,
                   std::string_view word) {
    const auto value = toNumber<double>(text);
    // Written so that NaN fails.
    if (!value || !(*value >= minimum && *value <= maximum)) {
        fail(ExitCode::Usage, "{}: found '{}', expected a number from {} to {}{}", option, text, minimum, maximum,
             word.empty() ? "" : fmt::format(", or {}", word));
    }
    return *value;
}

std::string parseChoice(const std::string& option, const std::string& text, std::span<const std::string> names) {
    for (const std::string& name : names) {
        if (name == text) {
            return name;
        }
    }
    fail(ExitCode::Usage, "{}: found '{}', expected one of {}{}", option, text, fmt::join(names, ", "),
         didYouMean(text, names));
}

std::size_t parseIndex(const std::string& option, const std::string& text, std::span<const std::string> names) {
    const std::string name = parseChoice(option, text, names);
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::vector<std::size_t> parseIndices(const std::string& option, const std::string& text,
                                      const std::vector<std::string>& names) {
    std::vector<std::size_t> indices;
    for (const std::string& part : splitList(text)) {
        indices.push_back(parseIndex(option, part, names));
    }
    return indices;
}

AovSet parseAovs(const std::string& option, const std::string& text) {
    if (text == "all") {
        return AovSet::all();
    }
    std::vector<std::string> names = aovNames();
    names.emplace_back("all");
    AovSet aovs;
    for (const std::string& part : splitList(text)) {
        const std::size_t index = parseIndex(option, part, names);
        if (index == aovNames().size()) {
            fail(ExitCode::Usage, "{}: found 'all' in '{}', expected it alone", option, text);
        }
        aovs.add(static_cast<Aov>(index));
    }
    return aovs;
}

glm::uvec2 parseSize(const std::string& option, const std::string& text) {
    const auto values = toNumbers<2>(text, 'x');
    const auto isSide = [](std::uint32_t side) { return side > 0 && side <= kMaximumFilmSide; };
    if (!values || !isSide(values->at(0)) || !isSide(values->at(1))) {
        fail(ExitCode::Usage, "{}: found '{}', expected WIDTHxHEIGHT in pixels from 1 to {}, as in 1280x720", option,
             text, kMaximumFilmSide);
    }
    const std::uint64_t pixels = std::uint64_t{values->at(0)} * values->at(1);
    if (pixels > kMaximumFilmPixels) {
        fail(ExitCode::Usage, "{}: found '{}', which has {} pixels, expected at most {}", option, text, pixels,
             kMaximumFilmPixels);
    }
    return {values->at(0), values->at(1)};
}

Crop parseCrop(const std::string& option, const std::string& text) {
    const auto values = toNumbers<4>(text, ',');
    if (!values || values->at(0) >= values->at(2) || values->at(1) >= values->at(3)) {
        fail(ExitCode::Usage,
             "{}: found '{}', expected x0,y0,x1,y1 in pixels from the top left with x0 < x1 and y0 < y1, "
             "as in 0,0,640,360",
             option, text);
    }
    return {{values->at(0), values->at(1)}, {values->at(2), values->at(3)}};
}

IndexRange parseRange(const std::string& option, const std::string& text) {
    const auto values = toNumbers<2>(text, ':');
    if (!values || values->at(0) >= values->at(1)) {
        fail(ExitCode::Usage, "{}: found '{}', expected FIRST:END from 0 to {} with FIRST below END, as in 0:64",
             option, text, std::numeric_limits<std::uint32_t>::max());
    }
    return {values->at(0), values->at(1)};
}

double parseDuration(const std::string& option, const std::string& text) {
    std::string_view number = text;
    double unit = 1.0;
    if (!number.empty()) {
        const char last = number.back();
        unit = last == 'h' ? 3600.0 : last == 'm' ? 60.0 : 1.0;
        if (last == 'h' || last == 'm' || last == 's') {
            number.remove_suffix(1);
        }
    }
    const auto value = toNumber<double>(number);
    if (!value || !std::isfinite(*value * unit) || *value <= 0.0) {
        fail(ExitCode::Usage, "{}: found '{}', expected a time above 0, as in 90s, 10m or 2h", option, text);
    }
    return *value * unit;
}

std::uint64_t parseBytes(const std::string& option, const std::string& text) {
    constexpr std::string_view kUnits = "KMGT";
    std::string_view number = text;
    double scale = 1.0;
    if (const std::size_t unit = number.empty() ? std::string_view::npos : kUnits.find(number.back());
        unit != std::string_view::npos) {
        scale = std::ldexp(1.0, 10 * (static_cast<int>(unit) + 1));
        number.remove_suffix(1);
    }
    const auto value = toNumber<double>(number);
    if (!value || !(*value * scale >= 1.0) || *value * scale > std::ldexp(1.0, 60)) {
        fail(ExitCode::Usage, "{}: found '{}', expected a number of bytes above 0, as in 500M or 4G", option, text);
    }
    return static_cast<std::uint64_t>(*value * scale);
}

} // namespace aureole
