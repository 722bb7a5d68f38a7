#pragma once

// What .vdb and .nvdb files have in common: grids with names, of which one is read.

#include <array>
#include <string>
#include <vector>

#include "core/math.h"

namespace aureole::vdb {

/// What a file says of a grid.
struct GridTitle {
    std::string name;
    std::string type; ///< of its values, as "float"
    std::string kind; ///< as "level set"
};

/// 8 x 8 x 8 values; z runs fastest, then y, then x.
struct Leaf {
    glm::ivec3 origin{0};
    std::array<float, 512> values;
};

/// A level set as its file has it: distances in the units of the world.
struct LevelSetGrid {
    std::string name;
    glm::dmat4 worldFromIndex{1.0};
    float background = 0.0F;
    std::vector<Leaf> leaves;
};

/// The kind of grids that are read, and the types of their values.
inline constexpr const char* kLevelSetKind = "level set";
inline constexpr const char* kFogKind = "fog volume";

/// The index of the grid to read: the one that is called `wanted`, or where that is empty the first level set of
/// floats. Throws Error (BadInput) that names the file, and what there is in place of such a grid.
std::size_t chooseGrid(const std::vector<GridTitle>& titles, const std::string& wanted, const std::string& file);

} // namespace aureole::vdb
