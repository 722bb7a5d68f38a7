#include "import/schematic/nbt_reader.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/printable.h"

namespace aureole::schematic {

namespace {

constexpr std::size_t kTags = 13;
constexpr std::array<std::string_view, kTags> kTagNames = {
    "the end",           "a byte",   "a short", "an int",     "a long",           "a float",          "a double",
    "an array of bytes", "a string", "a list",  "a compound", "an array of ints", "an array of longs"};
/// Bytes of a number, or of an element of an array.
constexpr std::array<std::size_t, kTags> kTagBytes = {0, 1, 2, 4, 8, 4, 8, 1, 0, 0, 0, 4, 8};

std::string_view tagName(Tag tag) {
    return kTagNames.at(static_cast<std::size_t>(tag));
}

std::size_t tagBytes(Tag tag) {
    return kTagBytes.at(static_cast<std::size_t>(tag));
}

/// How many values a file may have: blocks of structures, one by one, take some 2 for each byte that they are packed
/// in.
std::uint64_t mostValues(std::uint64_t packed) {
    constexpr std::uint64_t kSpare = std::uint64_t{1} << 22U;
    constexpr std::uint64_t kMostRatio = 64;
    return kSpare + kMostRatio * packed;
}

} // namespace

NbtReader::Level::Level(NbtReader& reader)
    : reader_(reader) {
    constexpr unsigned kDeepest = 512; // as Minecraft has it
    if (reader.depth_ == kDeepest) {
        reader.refuse("found more than {} levels of compounds and lists, expected at most that", kDeepest);
    }
    ++reader.depth_;
}

NbtReader::NbtReader(std::span<const std::byte> packed, const std::string& name)
    : name_(name)
    , mostValues_(mostValues(packed.size()))
    , source_(packed, name) {}

/// The path, with ": " behind it; the beginning of a long one, nothing for the root.
std::string NbtReader::shownPlace() const {
    constexpr std::size_t kLongest = 120;
    if (place_.empty()) {
        return {};
    }
    return excerpt(place_, kLongest) + ": ";
}

Tag NbtReader::openRoot() {
    const Tag tag = nextTag();
    if (tag != Tag::Compound) {
        refuse("found {}, expected a compound, with which NBT starts", tagName(tag));
    }
    shortText(); // its name, which says nothing
    return tag;
}

Tag NbtReader::nextTag() {
    const std::uint64_t type = number(1);
    if (type >= kTags) {
        refuse("found a tag of the type {}, expected 0 to {}", type, kTags - 1);
    }
    return static_cast<Tag>(type);
}

void NbtReader::require(Tag found, Tag expected) const {
    if (found != expected) {
        refuse("found {}, expected {}", tagName(found), tagName(expected));
    }
}

std::uint64_t NbtReader::number(std::size_t bytes) {
    std::array<std::byte, 8> raw{};
    source_.read(std::span(raw).first(bytes));
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
        value = (value << 8U) | std::to_integer<std::uint64_t>(raw.at(i));
    }
    return value;
}

std::uint32_t NbtReader::length() {
    const auto count = static_cast<std::int32_t>(number(4));
    if (count < 0) {
        refuse("found a length of {}, expected one from 0 on", count);
    }
    return static_cast<std::uint32_t>(count);
}

std::uint32_t NbtReader::lengthUpTo(std::uint64_t most) {
    const std::uint32_t count = length();
    if (count > most) {
        refuse("found an array of {} numbers, expected at most {} for the size of the build", count, most);
    }
    return count;
}

void NbtReader::countValue() {
    if (++values_ > mostValues_) {
        refuse("found more than {} entries and elements, expected at most that in a file of its size", mostValues_);
    }
}

std::string NbtReader::shortText() {
    const std::vector<std::uint8_t> raw = take(number(2));
    return {raw.begin(), raw.end()};
}

/// Makes room for what has come only: lengths may lie.
std::vector<std::uint8_t> NbtReader::take(std::uint64_t count) {
    constexpr std::uint64_t kPiece = std::uint64_t{1} << 20U;
    std::vector<std::uint8_t> taken;
    while (taken.size() < count) {
        const std::size_t begin = taken.size();
        taken.resize(begin + static_cast<std::size_t>(std::min(count - begin, kPiece)));
        source_.read(std::as_writable_bytes(std::span(taken).subspan(begin)));
    }
    return taken;
}

std::int64_t NbtReader::whole(Tag tag) {
    switch (tag) {
    case Tag::Byte:
        return static_cast<std::int8_t>(number(1));
    case Tag::Short:
        return static_cast<std::int16_t>(number(2));
    case Tag::Int:
        return static_cast<std::int32_t>(number(4));
    case Tag::Long:
        return static_cast<std::int64_t>(number(8));
    default:
        refuse("found {}, expected a whole number", tagName(tag));
    }
}

std::string NbtReader::text(Tag tag) {
    require(tag, Tag::String);
    return shortText();
}

std::vector<std::uint8_t> NbtReader::bytes(Tag tag, std::uint64_t most) {
    require(tag, Tag::ByteArray);
    return take(lengthUpTo(most));
}

std::vector<std::uint64_t> NbtReader::longs(Tag tag, std::uint64_t most) {
    require(tag, Tag::LongArray);
    std::vector<std::uint64_t> values;
    for (std::uint32_t left = lengthUpTo(most); left > 0; --left) {
        values.push_back(number(8));
    }
    return values;
}

void NbtReader::skip(Tag tag) {
    switch (tag) {
    case Tag::String:
        source_.skip(number(2));
        break;
    case Tag::List:
        list(tag, [&](Tag element) { skip(element); });
        break;
    case Tag::Compound:
        compound(tag, [&](const std::string&, Tag entry) { skip(entry); });
        break;
    case Tag::ByteArray:
    case Tag::IntArray:
    case Tag::LongArray:
        source_.skip(std::uint64_t{length()} * tagBytes(tag));
        break;
    default:
        source_.skip(tagBytes(tag));
    }
}

} // namespace aureole::schematic
