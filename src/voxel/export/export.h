#pragma once

// Octrees as files for other programs: their voxels, also those of planes and fields. Each is written whole or not at
// all, unless it says otherwise in memory that does not grow with the voxels, and throws Error: CannotWrite,
// Interrupted.

#include <cstdint>
#include <filesystem>

#include "voxel/tree/octree.h"

namespace aureole {

struct Scene;

/// What was written.
struct ExportFigures {
    std::uint64_t models = 0; ///< of a .vox file
    std::uint64_t grids = 0;  ///< of a .vdb file
    std::uint64_t vertices = 0;
    std::uint64_t faces = 0;
    std::size_t colours = 0;  ///< of a palette; 0 where every voxel has its own
    bool exactColours = true; ///< whether the palette has the colour of every voxel
    bool moved = false;       ///< whether a .vox file stands elsewhere, as its own place is out of reach
};

/// Where MagicaVoxel's world ends, in voxels from its middle on each axis.
inline constexpr std::int64_t kVoxReach = 1000;
/// So many voxels of four bytes fit a .vox file, whose sizes are signed 32-bit numbers, beside 4 MiB for the rest.
inline constexpr std::uint64_t kVoxVoxels = (std::uint64_t{1} << 29U) - (std::uint64_t{1} << 20U);

/// The finest level of an octree that fits a .vox file: within MagicaVoxel's world and kVoxVoxels.
std::uint32_t finestVoxLevel(const Octree& octree);

/// Writes MagicaVoxel's .vox: models of at most 256^3 voxels, placed by a scene graph, and a palette of at most 255
/// colours with materials for light and metal. One voxel is one unit there; the octree's origin, in voxels, is kept
/// where that lies within MagicaVoxel's world. With a scene, which has the octree where the octree says it is, its
/// cameras and light come along (vox_look.h). Throws Error (BadInput) for an octree that does not fit.
ExportFigures exportVox(const std::filesystem::path& file, const Octree& octree, const Scene* look = nullptr);

/// Writes the exposed faces as quads (exposed_quads.h) in world coordinates: binary little-endian PLY with the
/// voxels' albedos as vertex colours in sRGB. Light is not in it. Throws Error (BadInput) for more than 2^31 - 1
/// vertices.
ExportFigures exportPly(const std::filesystem::path& file, const Octree& octree);

/// Writes those quads as OBJ, with a material library (.mtl) beside it: linear Kd and Ke from a palette as that of
/// .vox.
ExportFigures exportObj(const std::filesystem::path& file, const Octree& octree);

/// Writes grids of OpenVDB (.vdb): a field as the level set "surface", whose points are the corners of voxels, any
/// other octree as "density", 1 in solid voxels, whose points are their middles; and beside it "Cd", their albedos,
/// where it has any. Unlike the others this takes memory by the voxel, some 30 bytes. Light, metal and glass are not in
/// it.
ExportFigures exportVdb(const std::filesystem::path& file, const Octree& octree);

} // namespace aureole
