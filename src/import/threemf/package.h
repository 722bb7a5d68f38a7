#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aureole::threemf {

/// The parts of a 3MF package: a ZIP archive, which minizip reads, whose names do not tell cases apart. Parts are
/// unpacked piece by piece, and to some 64 times the size of the package at most. Functions throw Error (BadInput) that
/// names the package and the part.
class Package {
public:
    using Sink = std::function<void(std::span<const char>)>;

    /// `bytes` and `name`, the file's for messages, outlive the object.
    Package(std::span<const std::byte> bytes, const std::string& name);

    const std::string& name() const { return name_; }

    /// How a part is known: without a slash in front, ASCII letters in lower case.
    static std::string keyOf(std::string_view part);

    /// Whether there is such a part.
    bool has(std::string_view part) const;

    /// Gives the bytes of a part that is there to `sink`, piece by piece.
    void read(std::string_view part, const Sink& sink);

    /// All bytes of a part that is there.
    std::vector<std::byte> readAll(std::string_view part);

private:
    /// Where minizip finds a part: the entry's place in the directory, and its number.
    struct Entry {
        std::uint64_t place = 0;
        std::uint64_t number = 0;
    };
    struct Close {
        void operator()(void* archive) const;
    };

    void listParts();
    void openPart(std::string_view part, const Entry& entry);

    const std::string& name_;
    std::span<const std::byte> bytes_;
    std::uint64_t position_ = 0; ///< in the bytes, minizip's own
    std::uint64_t unpacked_ = 0; ///< bytes of all parts read so far
    std::map<std::string, Entry> parts_;
    std::unique_ptr<void, Close> archive_;

    friend struct MemoryFile;
};

} // namespace aureole::threemf
