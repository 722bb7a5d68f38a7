#include "scene/assimp/ply_header.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/suggest.h"

namespace aureole {

namespace {

constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20U;

/// Where a value ends, a separator follows; a value has at least one digit.
constexpr std::uint64_t kAsciiValueBytes = 2;

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 16> kTypeSizes = {{{"char", 1},
                                                                                    {"uchar", 1},
                                                                                    {"int8", 1},
                                                                                    {"uint8", 1},
                                                                                    {"short", 2},
                                                                                    {"ushort", 2},
                                                                                    {"int16", 2},
                                                                                    {"uint16", 2},
                                                                                    {"int", 4},
                                                                                    {"uint", 4},
                                                                                    {"int32", 4},
                                                                                    {"uint32", 4},
                                                                                    {"float", 4},
                                                                                    {"float32", 4},
                                                                                    {"double", 8},
                                                                                    {"float64", 8}}};

struct Element {
    std::string name;
    std::size_t line = 0;
    std::uint64_t count = 0;
    std::uint64_t rowBytes = 0; ///< at least
};

std::vector<std::string_view> splitWords(std::string_view line) {
    constexpr std::string_view kSpace = " \t\v\f";
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(kSpace); at != line.npos; at = line.find_first_not_of(kSpace, at)) {
        const std::size_t end = std::min(line.find_first_of(kSpace, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

/// The elements of a header, and where the data starts.
class HeaderParser {
public:
    HeaderParser(std::string_view text, std::string name)
        : text_(text)
        , name_(std::move(name)) {}

    void parse() {
        while (offset_ < text_.size()) {
            ++line_;
            const std::vector<std::string_view> words = splitWords(nextLine());
            if (words.empty()) {
                continue;
            }
            if (words[0] == "end_header") {
                return;
            }
            readStatement(words);
        }
        fail(ExitCode::BadInput, "{}: found a header without an end in its first {} bytes, expected 'end_header'",
             name_, text_.size());
    }

    const std::vector<Element>& elements() const { return elements_; }
    std::uint64_t dataOffset() const { return offset_; }

private:
    /// Lines end in LF, CR LF or CR alone.
    std::string_view nextLine() {
        const std::size_t end = std::min(text_.find_first_of("\r\n", offset_), text_.size());
        const std::string_view line = text_.substr(offset_, end - offset_);
        offset_ = std::min(end + (text_.substr(end, 2) == "\r\n" ? 2 : 1), text_.size());
        return line;
    }

    [[noreturn]] void expected(std::string_view found, std::string_view what) const {
        fail(ExitCode::BadInput, "{}: line {}: found '{}', expected {}", name_, line_, found, what);
    }

    void readStatement(const std::vector<std::string_view>& words) {
        if (line_ == 1 && (words.size() > 1 || words[0].size() != 3)) {
            expected(fmt::format("{}", fmt::join(words, " ")), "'ply' alone");
        }
        if (words[0] == "format") {
            ascii_ = words.size() > 1 && words[1] == "ascii";
        } else if (words[0] == "element") {
            readElement(words);
        } else if (words[0] == "property") {
            readProperty(words);
        }
    }

    void readElement(const std::vector<std::string_view>& words) {
        if (words.size() != 3) {
            expected(fmt::format("{}", fmt::join(words, " ")), "'element', a name and a number");
        }
        Element element{std::string(words[1]), line_, 0, 0};
        const std::string_view digits = words[2];
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), element.count);
        if (error != std::errc() || end != digits.data() + digits.size() ||
            element.count > std::numeric_limits<std::uint32_t>::max()) {
            expected(digits, fmt::format("the number of element '{}', from 0 to {}", element.name,
                                         std::numeric_limits<std::uint32_t>::max()));
        }
        elements_.push_back(std::move(element));
    }

    void readProperty(const std::vector<std::string_view>& words) {
        const bool list = words.size() > 1 && words[1] == "list";
        if (elements_.empty() || words.size() != (list ? 5U : 3U)) {
            expected(fmt::format("{}", fmt::join(words, " ")), "an element's 'property', type and name");
        }
        // An empty list is its length alone.
        const std::uint64_t size = typeSize(words[list ? 2 : 1]);
        elements_.back().rowBytes += ascii_ ? kAsciiValueBytes : size;
    }

    std::uint64_t typeSize(std::string_view type) const {
        for (const auto& [known, size] : kTypeSizes) {
            if (known == type) {
                return size;
            }
        }
        std::vector<std::string> names;
        for (const auto& [known, size] : kTypeSizes) {
            names.emplace_back(known);
        }
        expected(type, "a type such as float, uchar or int" + didYouMean(std::string(type), names));
    }

    std::string_view text_;
    std::string name_;
    std::size_t offset_ = 0;
    std::size_t line_ = 0;
    bool ascii_ = false;
    std::vector<Element> elements_;
};

bool opensWithPly(std::string_view text) {
    constexpr std::string_view kMagic = "ply";
    for (std::size_t i = 0; i < kMagic.size(); ++i) {
        if (i >= text.size() || std::tolower(static_cast<unsigned char>(text[i])) != kMagic[i]) {
            return false;
        }
    }
    return true;
}

} // namespace

void checkPlyHeader(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text(kMaxHeaderBytes, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (!opensWithPly(text)) {
        return;
    }
    HeaderParser header(text, file.string());
    header.parse();
    // The last value of an ASCII file may lack its line's end.
    std::uint64_t left = std::filesystem::file_size(file) - header.dataOffset() + 1;
    for (const Element& element : header.elements()) {
        // Rows of no property at all still cost the reader memory.
        const std::uint64_t needed = element.count * std::max<std::uint64_t>(element.rowBytes, 1);
        if (needed > left) {
            fail(ExitCode::BadInput, "{}: line {}: found {} bytes for element '{}', expected at least {} for {} of it",
                 file.string(), element.line, left - 1, element.name, needed, element.count);
        }
        left -= needed;
    }
}

} // namespace aureole
