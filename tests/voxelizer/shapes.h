#pragma once

#include <cstddef>
#include <cstdint>

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

/// A flat sheet of many triangles over some waves, both with normals that turn.
Scene sheetOverWaves();

/// Four squares of `side` metres, in parts of a grid of 5 x 5 x 5 such, each with a smaller one `step` below a corner:
/// the plane half way between shows a part within half of the step.
Scene steppedSheet(std::uint32_t side, float step);

/// Sheets across eight blocks, each of triangles that in turn span the block or lie in a voxel or two; where the one of
/// a block is large, that of the next block is small.
Scene sheetsInTurn(int triangles);

} // namespace aureole::test
