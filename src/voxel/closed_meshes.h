#pragma once

#include <cstdint>
#include <vector>

#include "voxel/primitives.h"

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

/// The same, with a warning of open ones.
std::vector<Closure> closedMeshes(const Primitives& primitives);

/// The closures of meshes of glass, the others counted as open: octrees of cubes hold the inside of these as voxels.
/// None where all is open. A warning of those that are not closed: their surface alone is of glass.
std::vector<Closure> glassClosures(const Primitives& primitives);

/// The first mesh instance whose material is a dielectric; nullptr where none is.
const MeshInstance* findGlass(const Scene& scene);

/// A warning of meshes of glass that are not closed, for renderers that know the inside by the surfaces that a path
/// crosses: planes, and triangles themselves.
void warnOfOpenGlass(const Primitives& primitives);

/// The same for a scene whose voxels are not wanted.
void warnOfOpenGlass(const Scene& scene);

} // namespace aureole
