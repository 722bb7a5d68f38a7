#include "import/assimp/ply_check.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "import/assimp/ply_header.h"
#include "import/words.h"

namespace aureole {

namespace {

void checkLength(double length, std::uint64_t most, const std::string& file, const std::string& place) {
    // Written so that NaN fails.
    if (!(length >= 0.0 && length <= static_cast<double>(most))) {
        fail(ExitCode::BadInput, "{}: {}: found a list of {} values, expected at most {}, for which the file has bytes",
             file, place, length, most);
    }
}

template <typename Unsigned>
double wholeNumber(Unsigned bits, bool isSigned) {
    return isSigned ? static_cast<double>(static_cast<std::make_signed_t<Unsigned>>(bits)) : static_cast<double>(bits);
}

/// The bytes of a binary file's data, one after the other.
class BinaryWalk {
public:
    BinaryWalk(const PlyHeader& header, const AssetReader& reader)
        : stream_(reader.openModel())
        , name_(reader.name())
        , bigEndian_(header.format == PlyFormat::BigEndian)
        , left_(stream_.file().size() - header.dataOffset) {
        stream_.seekg(static_cast<std::streamoff>(header.dataOffset));
    }

    void walk(const PlyElement& element) {
        if (!element.hasLists()) {
            skip(element.count * element.rowBytes, element, 0);
            return;
        }
        for (std::uint64_t row = 0; row < element.count; ++row) {
            for (const PlyProperty& property : element.properties) {
                if (!property.listLength) {
                    skip(property.type.size, element, row);
                    continue;
                }
                const double length = read(*property.listLength, element, row);
                checkLength(length, left_ / property.type.size, name_, place(element, row));
                skip(static_cast<std::uint64_t>(length) * property.type.size, element, row);
            }
        }
    }

private:
    static std::string place(const PlyElement& element, std::uint64_t row) {
        return fmt::format("{} {}", element.name, row);
    }

    void skip(std::uint64_t bytes, const PlyElement& element, std::uint64_t row) {
        if (bytes > left_) {
            fail(ExitCode::BadInput, "{}: {}: found {} bytes up to the end of the file, expected at least {}", name_,
                 place(element, row), left_, bytes);
        }
        left_ -= bytes;
        // The stream's own buffer serves short steps.
        if (bytes < 4096) {
            stream_.ignore(static_cast<std::streamsize>(bytes));
        } else {
            stream_.seekg(static_cast<std::streamoff>(bytes), std::ios::cur);
        }
    }

    double read(const PlyType& type, const PlyElement& element, std::uint64_t row) {
        if (type.size > left_) {
            skip(type.size, element, row); // reports it
        }
        left_ -= type.size;
        std::array<char, 8> bytes{};
        stream_.read(bytes.data(), static_cast<std::streamsize>(type.size));
        if (bigEndian_) {
            std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(type.size));
        }
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes.data(), sizeof bits); // little-endian, as x86-64 is
        if (type.isFloat) {
            return type.size == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                                  : std::bit_cast<double>(bits);
        }
        return type.size == 1   ? wholeNumber(static_cast<std::uint8_t>(bits), type.isSigned)
               : type.size == 2 ? wholeNumber(static_cast<std::uint16_t>(bits), type.isSigned)
                                : wholeNumber(static_cast<std::uint32_t>(bits), type.isSigned);
    }

    InputStream stream_;
    std::string name_;
    bool bigEndian_;
    std::uint64_t left_;
};

/// The lines of an ASCII file's data. A line that is too short is left to assimp, which allocates nothing for it.
class AsciiWalk {
public:
    AsciiWalk(const PlyHeader& header, const AssetReader& reader)
        : stream_(reader.openModel())
        , name_(reader.name())
        , line_(header.lines)
        , left_(stream_.file().size() - header.dataOffset) {
        stream_.seekg(static_cast<std::streamoff>(header.dataOffset));
    }

    void walk(const PlyElement& element) {
        std::string text;
        for (std::uint64_t row = 0; row < element.count && nextLine(text); ++row) {
            if (element.hasLists()) {
                walkRow(element, text);
            }
        }
    }

private:
    /// Lines end in LF, CR LF or CR alone.
    bool readLine(std::string& text) {
        using Traits = std::istream::traits_type;
        std::streambuf& buffer = *stream_.rdbuf();
        text.clear();
        Traits::int_type c = buffer.sbumpc();
        const bool found = c != Traits::eof();
        std::uint64_t read = 0;
        for (; c != Traits::eof() && c != '\n' && c != '\r'; c = buffer.sbumpc()) {
            text.push_back(Traits::to_char_type(c));
            ++read;
        }
        if (c == '\r' && buffer.sgetc() == '\n') {
            buffer.sbumpc();
            ++read;
        }
        left_ -= std::min(read + 1, left_);
        return found;
    }

    /// The next line that is not blank.
    bool nextLine(std::string& text) {
        while (readLine(text)) {
            ++line_;
            if (text.find_first_not_of(" \t\r\v\f") != std::string::npos) {
                return true;
            }
        }
        return false;
    }

    void walkRow(const PlyElement& element, std::string_view text) const {
        for (const PlyProperty& property : element.properties) {
            const std::string_view word = nextWord(text);
            if (word.empty()) {
                return;
            }
            if (!property.listLength) {
                continue;
            }
            double length = 0.0;
            std::from_chars(word.data(), word.data() + word.size(), length);
            checkLength(length, (text.size() + left_ + 1) / kPlyAsciiValueBytes, name_, fmt::format("line {}", line_));
            for (auto value = static_cast<std::uint64_t>(length); value > 0 && !nextWord(text).empty(); --value) {
            }
        }
    }

    InputStream stream_;
    std::string name_;
    std::size_t line_;
    std::uint64_t left_; ///< bytes after the line
};

template <typename Walk>
void walkAll(const PlyHeader& header, const AssetReader& reader) {
    Walk walk(header, reader);
    for (const PlyElement& element : header.elements) {
        walk.walk(element);
    }
}

/// Walks the data of a PLY file and makes sure that each list fits into what is left of the file.
void checkLists(const PlyHeader& header, const AssetReader& reader) {
    if (std::none_of(header.elements.begin(), header.elements.end(),
                     [](const PlyElement& element) { return element.hasLists(); })) {
        return;
    }
    if (header.format == PlyFormat::Ascii) {
        walkAll<AsciiWalk>(header, reader);
    } else {
        walkAll<BinaryWalk>(header, reader);
    }
}

} // namespace

void checkPly(const AssetReader& reader) {
    if (const std::optional<PlyHeader> header = readPlyHeader(reader)) {
        checkLists(*header, reader);
    }
}

} // namespace aureole
