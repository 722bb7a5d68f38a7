#include "import/assimp/ply_header.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/suggest.h"
#include "core/to_number.h"
#include "import/words.h"

namespace aureole {

namespace {

constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20U;

constexpr PlyType kSigned1{1, false, true};
constexpr PlyType kSigned2{2, false, true};
constexpr PlyType kSigned4{4, false, true};
constexpr PlyType kUnsigned1{1, false, false};
constexpr PlyType kUnsigned2{2, false, false};
constexpr PlyType kUnsigned4{4, false, false};
constexpr PlyType kFloat{4, true, true};
constexpr PlyType kDouble{8, true, true};
constexpr std::array<std::pair<std::string_view, PlyType>, 16> kTypes = {{{"char", kSigned1},
                                                                          {"uchar", kUnsigned1},
                                                                          {"int8", kSigned1},
                                                                          {"uint8", kUnsigned1},
                                                                          {"short", kSigned2},
                                                                          {"ushort", kUnsigned2},
                                                                          {"int16", kSigned2},
                                                                          {"uint16", kUnsigned2},
                                                                          {"int", kSigned4},
                                                                          {"uint", kUnsigned4},
                                                                          {"int32", kSigned4},
                                                                          {"uint32", kUnsigned4},
                                                                          {"float", kFloat},
                                                                          {"float32", kFloat},
                                                                          {"double", kDouble},
                                                                          {"float64", kDouble}}};

/// The elements of a header, and where the data starts.
class HeaderParser {
public:
    HeaderParser(std::string_view text, std::string name)
        : text_(text)
        , name_(std::move(name)) {}

    PlyHeader parse() {
        while (offset_ < text_.size()) {
            ++line_;
            const std::vector<std::string_view> words = wordsOf(nextLine());
            if (words.empty()) {
                continue;
            }
            if (words[0] == "end_header") {
                header_.lines = line_;
                header_.dataOffset = offset_;
                return std::move(header_);
            }
            readStatement(words);
        }
        fail(ExitCode::BadInput, "{}: found a header without an end in its first {} bytes, expected 'end_header'",
             name_, text_.size());
    }

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
            const std::string_view name = words.size() > 1 ? words[1] : "";
            header_.format = name == "ascii"               ? PlyFormat::Ascii
                             : name == "binary_big_endian" ? PlyFormat::BigEndian
                                                           : PlyFormat::LittleEndian;
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
        PlyElement element{std::string(words[1]), line_, 0, 0, {}};
        const std::string_view digits = words[2];
        const auto count = toNumber<std::uint32_t>(digits);
        if (!count) {
            expected(digits, fmt::format("the number of element '{}', from 0 to {}", element.name,
                                         std::numeric_limits<std::uint32_t>::max()));
        }
        element.count = *count;
        header_.elements.push_back(std::move(element));
    }

    void readProperty(const std::vector<std::string_view>& words) {
        const bool list = words.size() > 1 && words[1] == "list";
        if (header_.elements.empty() || words.size() != (list ? 5U : 3U)) {
            expected(fmt::format("{}", fmt::join(words, " ")), "an element's 'property', type and name");
        }
        PlyProperty property;
        property.type = typeOf(words[list ? 3 : 1]);
        if (list) {
            property.listLength = typeOf(words[2]);
        }
        // An empty list is its length alone.
        const std::uint64_t size = property.listLength.value_or(property.type).size;
        PlyElement& element = header_.elements.back();
        element.rowBytes += header_.format == PlyFormat::Ascii ? kPlyAsciiValueBytes : size;
        element.properties.push_back(property);
    }

    PlyType typeOf(std::string_view name) const {
        for (const auto& [known, type] : kTypes) {
            if (known == name) {
                return type;
            }
        }
        std::vector<std::string> names;
        names.reserve(kTypes.size());
        for (const auto& [known, type] : kTypes) {
            names.emplace_back(known);
        }
        expected(name, "a type such as float, uchar or int" + didYouMean(std::string(name), names));
    }

    std::string_view text_;
    std::string name_;
    std::size_t offset_ = 0;
    std::size_t line_ = 0;
    PlyHeader header_;
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

bool PlyElement::hasLists() const {
    return std::any_of(properties.begin(), properties.end(),
                       [](const PlyProperty& property) { return property.listLength.has_value(); });
}

std::optional<PlyHeader> readPlyHeader(const AssetReader& reader) {
    const InputFile file = reader.openModel();
    std::string text(std::min<std::uint64_t>(file.size(), kMaxHeaderBytes), '\0');
    text.resize(file.readAt(0, std::as_writable_bytes(std::span(text))));
    if (!opensWithPly(text)) {
        return std::nullopt;
    }
    PlyHeader header = HeaderParser(text, reader.name()).parse();
    // The last value of an ASCII file may lack its line's end.
    std::uint64_t left = file.size() - header.dataOffset + 1;
    for (const PlyElement& element : header.elements) {
        // Rows of no property at all still cost the reader memory.
        const std::uint64_t needed = element.count * std::max<std::uint64_t>(element.rowBytes, 1);
        if (needed > left) {
            fail(ExitCode::BadInput, "{}: line {}: found {} bytes for element '{}', expected at least {} for {} of it",
                 reader.name(), element.line, left - 1, element.name, needed, element.count);
        }
        left -= needed;
    }
    return header;
}

} // namespace aureole
