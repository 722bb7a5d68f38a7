#pragma once

// Shapes: triangle meshes, grids of cubes and octree files, and where they are placed.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/math.h"
#include "model/colour_grid.h"
#include "model/level_set.h"
#include "model/texture.h"

namespace aureole {

/// An indexed triangle mesh in its own coordinates. Per-vertex arrays are as long as `positions`, or empty.
struct Mesh {
    std::string name;
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;            ///< unit length; empty: use the triangles' own
    std::vector<glm::vec4> tangents;           ///< xyz and the sign of the bitangent
    std::array<std::vector<glm::vec2>, 2> uvs; ///< v runs downwards, as in glTF
    std::vector<glm::vec4> colours;            ///< linear RGBA, multiplies the albedo
    std::vector<glm::uvec3> triangles;         ///< counter-clockwise seen from the front
    std::uint32_t material = 0;
    std::string origin; ///< for messages: " of asset 'lion' (lion.glb)"; "" where the name says it
};

/// In the mesh's own coordinates.
inline Bounds boundsOf(const Mesh& mesh) {
    Bounds bounds;
    for (const glm::vec3& position : mesh.positions) {
        bounds.add(glm::dvec3(position));
    }
    return bounds;
}

struct MeshInstance {
    std::uint32_t mesh = 0;
    glm::dmat4 worldFromMesh{1.0};
    std::uint32_t material = kNone; ///< overrides the mesh's own
    std::uint32_t motion = kNone;   ///< number of how it moves, in a scene that says so
    std::uint32_t placement = 0;    ///< number of the octree's instance that it is in, in a scene of several
};

/// A dense grid of palette indices, such as a MagicaVoxel model, or a level set. Model coordinates: cell (x, y, z)
/// fills the unit cube from (x, y, z); Y up.
struct VoxelModel {
    std::string name;
    glm::uvec3 size{0};
    std::vector<std::uint8_t> cells;          ///< x + size.x * (y + size.y * z); 0 is empty
    std::array<std::uint32_t, 256> materials; ///< material of each index
    LevelSet levelSet;  ///< in place of cells; `size` is around the cells that it crosses, all of material 1
    ColourGrid colours; ///< of a level set, in place of its material's albedo where there are some

    bool isLevelSet() const { return !levelSet.empty(); }
};

struct VoxelInstance {
    std::uint32_t model = 0;
    glm::dmat4 worldFromModel{1.0};
    std::uint32_t motion = kNone; ///< as a mesh instance's
    std::uint32_t placement = 0;  ///< so too
};

/// An octree file (.avo), placed without turning it: its voxels stay as they are.
struct OctreeInstance {
    std::filesystem::path file;
    Bounds bounds;             ///< of its grid, in its own coordinates
    double scale = 1.0;        ///< above 0
    glm::dvec3 translation{0}; ///< after scaling
    std::uint32_t level = 0;   ///< of detail: voxels are 2^level times as wide as in the file
    std::uint32_t largestLevel = 0;
};

} // namespace aureole
