#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "voxel/build/primitives.h"

namespace aureole {

/// How a mesh instance bounds an inside.
enum class Closure : std::uint8_t {
    Open,     ///< not at all
    Parity,   ///< what an odd number of its triangles separates from the outside is inside
    Oriented, ///< what it winds around is inside
};

/// The closure of every mesh instance. Oriented are those whose snapped triangles meet every edge as often in one
/// direction as in the other; where faces look to different sides, but every edge is met an even number of times,
/// parity still tells the inside. Instances that are closed only together, as parts of one surface in several
/// materials, count where all that are left over are. Instances whose material is not opaque may have holes and are
/// open.
std::vector<Closure> meshClosures(const Primitives& primitives);

/// meshClosures, with a warning of open ones.
std::vector<Closure> closedMeshes(const Primitives& primitives);

/// The closures of meshes of glass, the others counted as open: octrees of cubes hold the inside of these as voxels.
/// None where all is open. `fault` becomes what is wrong with the first that is not closed: its surface alone is of
/// glass.
std::vector<Closure> glassClosures(const Primitives& primitives, std::string& fault);

/// What is wrong with a mesh of glass that is not closed, for renderers that know the inside by the surfaces that a
/// path crosses: planes, and triangles themselves. "" where all are closed.
std::string openGlassFault(const Primitives& primitives);

/// A warning of that, for a scene whose voxels are not wanted.
void warnOfOpenGlass(const Scene& scene);

} // namespace aureole
