#pragma once

// What a scene takes of the machine's memory, and the limit that holds it: a short scene file can ask for more than any
// machine has, and where memory is there to be written to only, the system ends the program without a word.
//
// Counted is what the code allocates for as long as the scene is used: the elements of its arrays. Not counted are what
// its making takes for a moment (some 70 MB for the finest sphere; what holds a model's reader is the same limit),
// names, settings, and what has limits of its own: films, kernels, and octrees, which go by their resolution.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "import/import.h"
#include "scene/scene.h"

namespace aureole {

/// Bytes of what makes one up.
std::uint64_t bytesOf(const Texture& texture);
std::uint64_t bytesOf(const Mesh& mesh);
std::uint64_t bytesOf(const VoxelModel& model);
std::uint64_t bytesOf(const Volume& volume);
/// Bytes of all textures, meshes, voxel models, instances and lights.
std::uint64_t bytesOf(const ImportedModel& model);
std::uint64_t bytesOf(const Scene& scene);

/// What voxelisation takes at least of a triangle or cell that is placed, for as long as its instance is: an entry of 8
/// bytes in the list of what touches which brick, which is there twice while it is put together and sorted
/// (voxel/build/brick_list.h). That list counts those that touch several bricks itself.
inline constexpr std::uint64_t kPlacedBytes = 16;

inline constexpr std::uint64_t kNoSceneLimit = std::numeric_limits<std::uint64_t>::max();

/// Bytes that a scene may take: what --asset-memory gives a reader of assets, or kNoSceneLimit before settings are
/// made.
std::uint64_t sceneMemoryLimit();
/// What a scene leaves of that; 0 where it is more.
std::uint64_t memoryLeftBy(const Scene& scene);

/// Of a scene for which that is too little, where it is known to take `bytes` and may go on: what was found and
/// expected.
std::string sceneMemoryFault(std::uint64_t bytes);

/// Throws Error (BadInput), which names the scene's file and then `place`, where `more` bytes are more than the `left`
/// that the scene and what was made of it leave.
void requireSceneMemory(const Scene& scene, std::uint64_t left, std::uint64_t more, std::string_view place = {});

} // namespace aureole
