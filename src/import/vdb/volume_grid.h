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

/// A cube of voxels that all have one value.
struct Tile {
    glm::ivec3 origin{0};
    int side = 8; ///< a power of 2
    float value = 0.0F;
};

/// A grid as its file has it: a level set's distances are in the units of the world.
struct FileGrid {
    std::string name;
    bool isFog = false; ///< else it is a level set
    glm::dmat4 worldFromIndex{1.0};
    float background = 0.0F;
    std::vector<Leaf> leaves;
    std::vector<Tile> tiles; ///< of fog alone, where there is some
};

/// The kinds of grids that files tell of.
inline constexpr const char* kLevelSetKind = "level set";
inline constexpr const char* kFogKind = "fog volume";

/// Whether it is fog: a grid of no kind counts as such, since many programs give none.
bool isFog(const GridTitle& title);

/// The index of the grid to read: the one that is called `wanted`, or where that is empty the first level set, or else
/// the fog "density", or the first fog, of floats or halves. Throws Error (BadInput) that names the file, and what
/// there is in place of such a grid.
std::size_t chooseGrid(const std::vector<GridTitle>& titles, const std::string& wanted, const std::string& file);

/// Whether an error's message that came of reading a grid of `file` by its name is about that grid, and not about the
/// file as a whole.
bool isAboutGrid(const std::string& message, const std::string& file);

} // namespace aureole::vdb
