#pragma once

#include <cstddef>

#include "core/math.h"
#include "scene/scene.h"

namespace aureole::test {

/// Triangles of all sorts in a box of 64 metres: of the size of voxels or less, slivers, spanning all, without area,
/// along the axes, and pairs back to back.
Scene soup(unsigned seed, std::size_t count);

/// As many tetrahedra that stand on such triangles: a closed mesh.
Scene closedSoup(unsigned seed, std::size_t count);

/// The inside of a gyroid with a period of one metre, in a box of so many metres that closes it, in triangles from
/// cells of which a metre has `cells` along each axis.
Scene gyroidBlock(const glm::ivec3& metres, int cells);

} // namespace aureole::test
