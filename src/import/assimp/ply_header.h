#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "import/asset_reader.h"

namespace aureole {

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

/// Makes sure that a PLY file is large enough for the elements that its header announces, and for the lists in its
/// data: assimp makes room for all of them before it looks for what they hold. Throws Error (BadInput) naming the file,
/// the line, the element, and what was found and expected; also for a header that does not end or has a malformed
/// format, element or property. Files that do not open with "ply" pass.
void checkPly(const AssetReader& reader);

} // namespace aureole
