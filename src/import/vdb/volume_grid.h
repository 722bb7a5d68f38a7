#pragma once

// What .vdb and .nvdb files have in common: grids with names, of which one is read.

#include <array>
#include <optional>
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

/// 8 x 8 x 8 values; z runs fastest, then y, then x. Colours that are not active are ColourGrid::kNoColour.
template <typename T>
struct LeafOf {
    glm::ivec3 origin{0};
    std::array<T, 512> values;
};

/// A cube of voxels that all have one value.
template <typename T>
struct TileOf {
    glm::ivec3 origin{0};
    int side = 8; ///< a power of 2
    T value{};
};

/// A grid as its file has it: a level set's distances are in the units of the world.
template <typename T>
struct FileGridOf {
    std::string name;
    bool isFog = false; ///< else it is a level set, or colours
    glm::dmat4 worldFromIndex{1.0};
    T background{};
    std::vector<LeafOf<T>> leaves;
    std::vector<TileOf<T>> tiles; ///< of fog where there is some, and of colours that are active
};

using Leaf = LeafOf<float>;
using Tile = TileOf<float>;
using FileGrid = FileGridOf<float>;
using FileColours = FileGridOf<glm::vec3>;

/// What is read of a file: a grid, and the colours of a level set where it has some.
struct FileGrids {
    FileGrid grid;
    std::optional<FileColours> colours;
};

/// Which grids of a file are asked for, by their names.
struct GridChoice {
    std::string grid{};                   ///< "": as chooseGrids says
    std::optional<std::string> colours{}; ///< of a level set; "": none; nothing: kColourName, where there is one
};

/// What programs call colours.
inline constexpr const char* kColourName = "Cd";

/// The kinds of grids that files tell of.
inline constexpr const char* kLevelSetKind = "level set";
inline constexpr const char* kFogKind = "fog volume";

/// Whether it is fog: a grid of no kind counts as such, since many programs give none.
bool isFog(const GridTitle& title);

/// Tells grids of one name apart, as OpenVDB does: the second and third "density" are "density[1]" and "density[2]".
void tellApart(std::vector<GridTitle>& titles);

/// Which grids of a file are read, by their indices.
struct ChosenGrids {
    std::size_t grid = 0;
    std::optional<std::size_t> colours;
};

/// Chooses the grid that is called `wanted.grid`, or where that is empty the first level set, or else the fog
/// "density", or the first fog, of floats or halves; and for a level set colours. Throws Error (BadInput) that names
/// the file, and what there is in place of such a grid.
ChosenGrids chooseGrids(const std::vector<GridTitle>& titles, const GridChoice& wanted, const std::string& file);

/// What an error's message that came of reading grids of `file` by their names is about.
enum class GridSubject { File, Grid, Colours };
GridSubject subjectOf(const std::string& message, const std::string& file);

} // namespace aureole::vdb
