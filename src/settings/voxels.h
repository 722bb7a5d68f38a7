#pragma once

// How meshes become voxels.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "settings/coverage.h"
#include "settings/field.h"
#include "settings/limits.h"
#include "settings/surface_kind.h"

namespace aureole {

enum class VoxelNormals { Smooth, Face };

/// In the order of the enumeration.
inline const std::vector<std::string>& voxelNormalsNames() {
    static const std::vector<std::string> names = {"smooth", "face"};
    return names;
}

/// What of the surfaces voxels keep. A shape alone is of one material.
enum class VoxelContent { All, None };

/// In the order of the enumeration.
inline const std::vector<std::string>& voxelContentNames() {
    static const std::vector<std::string> names = {"all", "none"};
    return names;
}

/// How the tree of an octree of cubes stands in memory.
enum class TreeKind { Tree, Dag };

/// In the order of the enumeration.
inline const std::vector<std::string>& treeKindNames() {
    static const std::vector<std::string> names = {"tree", "dag"};
    return names;
}

struct VoxelSettings {
    /// Voxels along the longest side: kMinimumResolution to kMaximumResolution. kCountWord while a scene is read, until
    /// its cameras have chosen one (view_resolution.h).
    std::uint32_t resolution = 512;
    VoxelNormals normals = VoxelNormals::Smooth;
    SurfaceKind surface = SurfaceKind::Cubes;
    double error = kDefaultSurfaceError; ///< of planes, in voxels; kMinimumSurfaceError to kMaximumSurfaceError
    VoxelContent attributes = VoxelContent::All;
    Coverage mode = Coverage::Conservative; ///< of cubes alone, as is the next
    TreeKind encoding = TreeKind::Tree;
    bool levels = false;            ///< of detail: instances far from the cameras have coarser voxels
    std::vector<std::string> given; ///< which of these the scene has keys for
};

inline constexpr std::array kVoxelFields = {
    field<&VoxelSettings::resolution>(
        {.key = "resolution",
         .domain = CountRange{.least = kMinimumResolution, .most = kMaximumResolution, .word = "view"},
         .option = "--resolution",
         .unit = "N",
         .help = "Voxels along the longest side of the scene, or view: as the cameras\n"
                 "need, a voxel at most a pixel wide",
         .description = "Voxels along the longest side of the scene, or of the asset; \"view\": a "
                        "power of two, such that a voxel is at most a pixel wide at its nearest "
                        "visible place.",
         .noted = Noted::CheckpointOnly,
         .attribute = "aureole.resolution"}),
    field<&VoxelSettings::normals>({.key = "normals",
                                    .domain = Words{&voxelNormalsNames},
                                    .description = "Shading normals: those of the surfaces, or of the voxels' faces."}),
    field<&VoxelSettings::surface>(
        {.key = "surface",
         .domain = Words{&surfaceKindNames},
         .option = "--surface",
         .unit = "NAME",
         .help = "What voxels show: cubes (default), planes fitted to the surface, field (smooth)",
         .description = "What a voxel shows: its cube; a plane fitted to the surface inside, shared by "
                        "many voxels where it fits them all; the smooth surface where distances at its "
                        "corners are 0.",
         .noted = Noted::CheckpointOnly,
         .attribute = "aureole.surface"}),
    field<&VoxelSettings::error>(
        {.key = "error",
         .domain = NumberRange{kMinimumSurfaceError, kMaximumSurfaceError},
         .option = "--error",
         .unit = "VOXELS",
         .help = "How far planes may lie from the surface; {default} by default",
         .description = "How far, in voxels, planes may lie from the surface; for the surface planes alone.",
         .noted = Noted::CheckpointOnly,
         .attribute = "aureole.surface_error"}),
    field<&VoxelSettings::attributes>(
        {.key = "attributes",
         .domain = Words{&voxelContentNames},
         .description = "What voxels keep of surfaces: all of it, or none beside the shape, in a tenth of the memory "
                        "or less. A shape alone is of one opaque material without textures and emission; its cubes "
                        "have the normals of their faces. Not for planes."}),
    field<&VoxelSettings::mode>(
        {.key = "mode",
         .domain = Words{&coverageNames},
         .description = "Which voxels there are: conservative, every one that a surface touches; thin, the fewest "
                        "without gaps between faces, not for glass; solid, also the inside of closed meshes. Of cubes "
                        "alone."}),
    field<&VoxelSettings::encoding>(
        {.key = "encoding",
         .domain = Words{&treeKindNames},
         .description = "A tree, or a DAG, which has equal subtrees once: the same picture in less memory, the finer "
                        "the less. Of cubes alone."}),
    field<&VoxelSettings::levels>(
        {.key = "levels",
         .domain = Switch{},
         .description =
             "Levels of detail: instances of an asset with an octree of its own that cameras see from farther "
             "away have a half of its resolution, a quarter and so on, the least of which a voxel is at most "
             "a pixel wide. An octree is made for each level."}),
};

/// Whether the setting of that key is an octree's, whose own an asset may have: normals are of the whole scene's
/// shading.
inline bool isOfOctrees(std::string_view key) {
    return key != "normals";
}

} // namespace aureole
