#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "import/asset_reader.h"

namespace aureole {

/// The least that a value of an ASCII file takes: a digit, and the separator after it.
inline constexpr std::uint64_t kPlyAsciiValueBytes = 2;

/// How a PLY file stores a number.
struct PlyType {
    std::uint64_t size = 0; ///< bytes, in a binary file
    bool isFloat = false;
    bool isSigned = false;
};

struct PlyProperty {
    PlyType type;
    std::optional<PlyType> listLength; ///< of lists
};

struct PlyElement {
    std::string name;
    std::size_t line = 0;
    std::uint64_t count = 0;
    std::uint64_t rowBytes = 0; ///< of one of it: at least
    std::vector<PlyProperty> properties;

    bool hasLists() const;
};

enum class PlyFormat { Ascii, LittleEndian, BigEndian };

struct PlyHeader {
    PlyFormat format = PlyFormat::LittleEndian;
    std::vector<PlyElement> elements;
    std::size_t lines = 0;        ///< of the header
    std::uint64_t dataOffset = 0; ///< of the first byte after it
};

/// The header of a PLY file; nothing of a file that does not open with "ply". Throws Error (BadInput) naming the file,
/// the line, the element, and what was found and expected, where the file is too small for the elements that the header
/// announces, the header does not end, or it has a malformed format, element or property.
std::optional<PlyHeader> readPlyHeader(const AssetReader& reader);

} // namespace aureole
