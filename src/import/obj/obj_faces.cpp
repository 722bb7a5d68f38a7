#include "import/obj/obj_faces.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/log.h"
#include "core/to_number.h"
#include "import/words.h"

namespace aureole::obj {

namespace {

/// Takes the next word off the front of a line; empty at its end and at a comment.
std::string_view wordOf(std::string_view& line) {
    const std::string_view word = nextWord(line);
    if (word.starts_with('#')) {
        line = {};
        return line;
    }
    return word;
}

constexpr std::string_view kFace = "f";

/// The statements of a file, of which one may take several lines.
class Statements {
public:
    /// Takes off a line what does not belong to the statement's values: the keyword, which it returns, and the
    /// backslash that goes on with the next line. On such a line the keyword is still that of the statement.
    std::string_view open(std::string_view& line) {
        const std::size_t last = line.find_last_not_of(" \t\r\v\f");
        const bool goesOn = last != std::string_view::npos && line[last] == '\\';
        line = line.substr(0, goesOn ? last : line.size());
        if (!inFace_) {
            const std::string_view key = wordOf(line);
            inFace_ = goesOn && key == kFace;
            return key;
        }
        inFace_ = goesOn;
        return kFace;
    }

    /// Whether the next line goes on with a face.
    bool inFace() const { return inFace_; }

private:
    bool inFace_ = false;
};

/// Whether assimp counts the numbers of a statement, by the words that begin with a digit or a sign.
bool isCounted(std::string_view key) {
    return key == "v" || key == "vt";
}

/// Where the next number stands that begins with its point.
std::size_t findBarePoint(std::string_view values, std::size_t from) {
    constexpr std::string_view kDigits = "0123456789";
    std::size_t at = values.find('.', from);
    for (; at != std::string_view::npos; at = values.find('.', at + 1)) {
        const bool begins = at > 0 && (values[at - 1] == ' ' || values[at - 1] == '\t');
        if (begins && at + 1 < values.size() && kDigits.find(values[at + 1]) != std::string_view::npos) {
            break;
        }
    }
    return at;
}

std::string_view withoutComment(std::string_view line) {
    return line.substr(0, line.find('#'));
}

std::size_t countBarePoints(std::string_view line) {
    const std::string_view values = withoutComment(line);
    std::size_t count = 0;
    for (std::size_t at = findBarePoint(values, 0); at != std::string_view::npos; at = findBarePoint(values, at + 1)) {
        ++count;
    }
    return count;
}

/// The three lists that a corner of a face has an index into.
enum List : std::size_t { Vertices, TextureCoordinates, Normals, kLists };
constexpr std::array<const char*, kLists> kNames = {"vertex", "texture coordinate", "normal"};

class FaceChecker {
public:
    explicit FaceChecker(std::string name)
        : name_(std::move(name)) {}

    void readLine(std::string_view line) {
        ++line_;
        const std::string_view key = statements_.open(line);
        countStatement(key);
        if (isCounted(key)) {
            barePoints_ += countBarePoints(line);
        }
        if (key != kFace) {
            return;
        }
        for (std::string_view corner = wordOf(line); !corner.empty(); corner = wordOf(line)) {
            readCorner(corner);
        }
    }

    /// Faces may stand before their vertices, so the largest indices wait for the file's end.
    Misread finish() const {
        if (counts_[Vertices] == 0) {
            fail(ExitCode::BadInput, "{}: holds no vertex, expected at least one", name_);
        }
        for (std::size_t list = 0; list < kLists; ++list) {
            if (largest_.at(list).index > static_cast<std::int64_t>(counts_.at(list))) {
                report(list, largest_.at(list).line, fmt::to_string(largest_.at(list).index));
            }
        }
        return {counts_[TextureCoordinates] == 0 && warned_[TextureCoordinates], barePoints_};
    }

private:
    struct Mention {
        std::int64_t index = 0;
        std::size_t line = 0;
    };

    void countStatement(std::string_view key) {
        if (key == "v") {
            ++counts_[Vertices];
        } else if (key == "vt") {
            ++counts_[TextureCoordinates];
        } else if (key == "vn") {
            ++counts_[Normals];
        }
    }

    /// "vertex", "vertex/texture", "vertex//normal" or "vertex/texture/normal".
    void readCorner(std::string_view corner) {
        for (std::size_t list = 0; list < kLists; ++list) {
            const std::string_view text = corner.substr(0, corner.find('/'));
            if (!text.empty() || list == Vertices) {
                readIndex(list, text);
            }
            if (text.size() == corner.size()) {
                return;
            }
            corner.remove_prefix(text.size() + 1);
        }
    }

    void readIndex(std::size_t list, std::string_view text) {
        const std::optional<std::int64_t> number = toNumber<std::int64_t>(text);
        const std::int64_t index = number.value_or(0); // of which there is none
        // Negative ones count back from the last one so far. The least number has no positive one.
        const bool isKnown = index > 0 || (index < 0 && index >= -static_cast<std::int64_t>(counts_.at(list)));
        if (!isKnown) {
            report(list, line_, std::string(text));
        } else if (index > largest_.at(list).index) {
            largest_.at(list) = {index, line_};
        }
    }

    void report(std::size_t list, std::size_t line, const std::string& found) const {
        const std::string message = fmt::format("{}: line {}: found the {} '{}' in a face, expected 1 to {}", name_,
                                                line, kNames.at(list), found, counts_.at(list));
        if (list == Vertices) {
            throw Error(ExitCode::BadInput, message);
        }
        if (!warned_.at(list)) {
            logWarning("{}; it goes without", message);
        }
        warned_.at(list) = true;
    }

    std::string name_;
    std::size_t line_ = 0;
    Statements statements_;
    std::array<std::size_t, kLists> counts_{};
    std::size_t barePoints_ = 0;
    std::array<Mention, kLists> largest_;
    mutable std::array<bool, kLists> warned_{};
};

/// "vertex" or "vertex//normal" of any corner.
void appendWithoutUv(std::string_view corner, std::string& text) {
    const std::size_t first = corner.find('/');
    const std::size_t second = first == std::string_view::npos ? first : corner.find('/', first + 1);
    text += corner.substr(0, first);
    if (second != std::string_view::npos) {
        text += '/';
        text += corner.substr(second);
    }
}

void appendWithoutUvs(std::string_view corners, std::string& text) {
    for (std::string_view corner = wordOf(corners); !corner.empty(); corner = wordOf(corners)) {
        text += ' ';
        appendWithoutUv(corner, text);
    }
}

/// A line with a 0 before the point of each number that has none.
void appendWithDigits(std::string_view line, std::string& text) {
    const std::string_view values = withoutComment(line);
    std::size_t done = 0;
    for (std::size_t at = findBarePoint(values, 0); at != std::string_view::npos; at = findBarePoint(values, at + 1)) {
        text += line.substr(done, at - done);
        text += '0';
        done = at;
    }
    text += line.substr(done);
}

} // namespace

std::size_t byteOrderMark(const AssetReader& reader) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    std::array<char, kMark.size()> first{};
    const std::size_t found = reader.openModel().readAt(0, std::as_writable_bytes(std::span(first)));
    return std::string_view(first.data(), found) == kMark ? kMark.size() : 0;
}

Misread checkFaces(const AssetReader& reader, std::size_t start) {
    InputStream stream(reader.openModel());
    stream.seekg(static_cast<std::streamoff>(start));
    FaceChecker checker(reader.name());
    for (std::string line; std::getline(stream, line);) {
        checker.readLine(line);
    }
    return checker.finish();
}

std::string textForAssimp(const AssetReader& reader, std::size_t start, const Misread& misread) {
    InputStream stream(reader.openModel());
    stream.seekg(static_cast<std::streamoff>(start));
    Statements statements;
    std::string text;
    text.reserve(stream.file().size() + misread.barePoints);
    for (std::string line; std::getline(stream, line);) {
        std::string_view rest = line;
        const bool goesOn = statements.inFace();
        const std::string_view key = statements.open(rest);
        if (key == kFace && misread.uvs) {
            text += goesOn ? "" : kFace;
            appendWithoutUvs(rest, text);
            text += statements.inFace() ? "" : "\n";
            continue;
        }
        if (isCounted(key)) {
            appendWithDigits(line, text);
        } else {
            text += line;
        }
        text += '\n';
    }
    return text;
}

} // namespace aureole::obj
