#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "scene/scene.h"

namespace aureole {

/// A scene of nothing but one of a scene's grids, in that grid's coordinates: what is voxelised, or the octree file,
/// with the materials of the whole scene. Meshes, voxel models and textures that it does not use are left out.
Scene sceneOfGrid(const Scene& scene, std::uint32_t grid);

/// Where the file says what `key` of its voxels is, as a JSON pointer: with the asset whose octree alone this is, or
/// with the voxels of all.
std::string placeOfVoxels(const Scene& scene, const std::string& key);

/// The first octree file that a scene places.
std::optional<std::filesystem::path> anyOctreeFile(const Scene& scene);

/// The first octree file of a scene that consists of such alone, so that nothing is voxelised; else none.
std::optional<std::filesystem::path> onlyOctreeFiles(const Scene& scene);

} // namespace aureole
