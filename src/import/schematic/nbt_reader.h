#pragma once

// NBT, the tags of Minecraft's files, in the order in which they stand: numbers are big-endian, a tag has a type, a
// name but in lists, and a value.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "import/schematic/unpacked_bytes.h"

namespace aureole::schematic {

enum class Tag : std::uint8_t {
    End,
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
    ByteArray,
    String,
    List,
    Compound,
    IntArray,
    LongArray
};

/// Gives one value after the other, so that what nobody wants takes no memory. Whoever is told of a tag reads its value
/// by the function of its type, or passes over it. All throw Error (BadInput) that names the file, the path of names to
/// the value, and the byte: for a tag of another type, the file's end, a length below 0, more than 512 levels, or far
/// more entries and elements than the packed file has bytes.
class NbtReader {
public:
    NbtReader(std::span<const std::byte> packed, const std::string& name);

    /// The root's entries, as compound(). To be called once, first.
    template <typename Entry>
    void root(const Entry& entry) {
        compound(openRoot(), entry);
    }

    /// Calls entry(name, tag) for each entry of a compound.
    template <typename Entry>
    void compound(Tag tag, const Entry& entry) {
        require(tag, Tag::Compound);
        const Level level(*this);
        for (Tag next = nextTag(); next != Tag::End; next = nextTag()) {
            countValue();
            const std::string key = shortText();
            const std::size_t length = place_.size();
            place_ += '/';
            place_ += key.substr(0, kShownKey);
            entry(key, next);
            place_.resize(length);
        }
    }

    /// Calls element(tag) for each element of a list.
    template <typename Element>
    void list(Tag tag, const Element& element) {
        require(tag, Tag::List);
        const Level level(*this);
        const Tag type = nextTag();
        const std::uint32_t count = length();
        if (type == Tag::End && count > 0) {
            refuse("found a list of {} elements without a type, expected none", count);
        }
        for (std::uint32_t left = count; left > 0; --left) {
            countValue();
            element(type);
        }
    }

    std::int64_t whole(Tag tag); ///< of any of the four types of whole numbers
    std::string text(Tag tag);
    std::vector<std::uint8_t> bytes(Tag tag, std::uint64_t most);  ///< an array of at most so many bytes
    std::vector<std::uint64_t> longs(Tag tag, std::uint64_t most); ///< an array of at most so many longs
    void skip(Tag tag);                                            ///< passes over a value

    template <typename... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
        fail(ExitCode::BadInput, "{}: {}byte {} once it is unpacked: {}", name_, shownPlace(), source_.position(),
             fmt::format(format, std::forward<Args>(args)...));
    }

private:
    static constexpr std::size_t kShownKey = 60;

    /// One more level of compounds and lists while it lives.
    class Level {
    public:
        explicit Level(NbtReader& reader);
        ~Level() { --reader_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;
        Level(Level&&) = delete;
        Level& operator=(Level&&) = delete;

    private:
        NbtReader& reader_;
    };

    std::string shownPlace() const;
    Tag openRoot();
    Tag nextTag();
    void require(Tag found, Tag expected) const;
    std::uint64_t number(std::size_t bytes);
    std::uint32_t length();
    std::uint32_t lengthUpTo(std::uint64_t most);
    void countValue();
    std::string shortText();
    std::vector<std::uint8_t> take(std::uint64_t count);

    const std::string& name_;
    std::uint64_t mostValues_; ///< in the whole file
    UnpackedBytes source_;
    std::string place_;
    std::uint64_t values_ = 0; ///< entries of compounds and elements of lists so far
    unsigned depth_ = 0;
};

} // namespace aureole::schematic
