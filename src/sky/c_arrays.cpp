#include "sky/c_arrays.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/suggest.h"
#include "sky/figure_limits.h"

namespace aureole::sky {

namespace {

bool isSpace(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Lines stay as they are.
void blankComments(std::string& text) {
    std::size_t at = 0;
    while ((at = text.find('/', at)) != std::string::npos) {
        const std::string_view opening = std::string_view(text).substr(at, 2);
        if (opening != "//" && opening != "/*") {
            ++at;
            continue;
        }
        const bool isLine = opening == "//";
        const std::size_t found = isLine ? text.find('\n', at) : text.find("*/", at + 2);
        const std::size_t end = found == std::string::npos ? text.size() : found + (isLine ? 0 : 2);
        for (; at < end; ++at) {
            if (text[at] != '\n') {
                text[at] = ' ';
            }
        }
    }
}

/// A place in a text that moves on.
struct Cursor {
    std::string_view text;
    std::size_t at;

    void skipSpace() {
        while (at < text.size() && isSpace(text[at])) {
            ++at;
        }
    }
    bool take(char c) {
        skipSpace();
        const bool found = at < text.size() && text[at] == c;
        at += found ? 1 : 0;
        return found;
    }
    template <typename Belongs>
    std::string_view takeWhile(const Belongs& belongs) {
        skipSpace();
        const std::size_t start = at;
        while (at < text.size() && belongs(text[at])) {
            ++at;
        }
        return text.substr(start, at - start);
    }
};

/// What stands between the commas.
std::string_view takeElement(Cursor& cursor) {
    return cursor.takeWhile([](char c) { return c != ',' && c != '}' && !isSpace(c); });
}

bool parseNumber(std::string_view element, double& value) {
    if (element.starts_with('+')) {
        element.remove_prefix(1);
    }
    const auto [end, problem] = std::from_chars(element.data(), element.data() + element.size(), value);
    return problem == std::errc() && end == element.data() + element.size() && std::abs(value) <= kLargestFigure;
}

} // namespace

CArrays::CArrays(const std::filesystem::path& file)
    : file_(file.string())
    , text_(readTextFile(file, kMaximumFigureBytes)) {
    blankComments(text_);
    constexpr std::string_view kType = "double";
    for (std::size_t at = text_.find(kType); at != std::string::npos; at = text_.find(kType, at + 1)) {
        if (at > 0 && isWord(text_[at - 1])) {
            continue;
        }
        Cursor cursor{text_, at + kType.size()};
        const std::string name(cursor.takeWhile(isWord));
        const bool opens = cursor.take('[');
        cursor.takeWhile(isWord);
        if (name.empty() || !opens || !cursor.take(']') || !cursor.take('=') || !cursor.take('{')) {
            continue; // an array of pointers to the arrays
        }
        if (!arrays_.emplace(name, cursor.at).second) {
            fail(ExitCode::BadInput, "{}:{}: found a second array '{}', expected one", file_, lineAt(at), name);
        }
    }
}

void CArrays::read(const std::string& name, std::span<double> values) const {
    const auto array = arrays_.find(name);
    if (array == arrays_.end()) {
        std::vector<std::string> names;
        for (const auto& [other, unused] : arrays_) {
            names.push_back(other);
        }
        fail(ExitCode::BadInput, "{}: found no array '{}', expected one of {} numbers{}", file_, name, values.size(),
             didYouMean(name, names));
    }
    Cursor cursor{text_, array->second};
    std::size_t count = 0;
    while (!cursor.take('}')) {
        const std::string_view element = takeElement(cursor);
        double value = 0.0;
        if (!parseNumber(element, value)) {
            constexpr std::size_t kShown = 40;
            fail(ExitCode::BadInput, "{}:{}: array '{}': found '{}' as number {}, expected a number up to {:g}", file_,
                 lineAt(cursor.at), name, element.substr(0, kShown), count + 1, kLargestFigure);
        }
        if (count < values.size()) {
            values[count] = value;
        }
        ++count;
        cursor.skipSpace();
        if (!cursor.take(',') && (cursor.at >= text_.size() || text_[cursor.at] != '}')) {
            fail(ExitCode::BadInput, "{}:{}: array '{}': found no ',' or '}}' after number {}, expected one", file_,
                 lineAt(cursor.at), name, count);
        }
    }
    if (count != values.size()) {
        fail(ExitCode::BadInput, "{}:{}: array '{}': found {} numbers, expected {}", file_, lineAt(array->second), name,
             count, values.size());
    }
}

std::size_t CArrays::lineAt(std::size_t offset) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(offset);
    return 1 + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
}

} // namespace aureole::sky
