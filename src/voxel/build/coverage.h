#pragma once

// Which voxels a triangle touches, decided in integers.
//
// Vertices are snapped to 1/256 voxel. A triangle that runs exactly along a voxel boundary touches the voxels on both
// sides; taken literally that makes walls two voxels thick and lets the scene's outermost faces fill voxels outside the
// grid. So every triangle is taken to be moved by (e, e^2, e^3) with e > 0 infinitely small (simulation of simplicity,
// Edelsbrunner and Muecke 1990), and a voxel is solid if and only if its closed cube meets the moved triangle. Nothing
// touches a boundary any more, so
//   - a point on a boundary belongs to the voxel on its far side, as with half-open voxels [x, x + 1);
//   - a closed surface stays closed and its voxels are 26-separating: empty voxels that share only a corner are joined
//     by a path that the surface does not cut;
//   - the result depends on the triangle alone, not on its vertex order or on the order of triangles.
// Half-open voxels without the movement would not be 26-separating: a surface through voxel corners could be crossed
// diagonally. Triangles without area are segments or points and cover what those touch.
//
// That is conservative coverage, 26-separating. Thin coverage, 6-separating, keeps the voxels whose three axis segments
// through the centre, from face to face, are crossed by the moved triangle (Laine, "A Topological Approach to
// Voxelization", 2013): a subset. Whatever leads from one side of a closed surface to the other by steps to face
// neighbours goes along such segments. Triangles without area cross nothing.
//
// The conservative test is the separating-axis test of a triangle and a box (Akenine-Moeller, "Fast 3D Triangle-Box
// Overlap Testing", 2001), arranged as bounds, plane and three projections (Schwarz and Seidel, "Fast Parallel Surface
// and Solid Voxelization on GPUs", 2010). Moving along an axis n changes the projection by n . (e, e^2, e^3), so a tie
// is decided by the sign of n's first component that is not 0. What is decided in 64 bits stands in
// shared/voxelize/coverage.h, as devices decide it too.

#include <array>
#include <cstdint>
#include <vector>

#include "core/math.h"
#include "core/set_bits.h"
#include "shared/octree/octree.h"
#include "shared/voxelize/coverage.h"

namespace aureole {

/// Vertices are multiples of 1/256 voxel.
inline constexpr int kSnapBits = COVERAGE_SNAP_BITS;
inline constexpr int kSnapUnits = 1 << kSnapBits;

__extension__ using Int128 = __int128;

/// The vertices of a triangle in units of 1/256 voxel, each component from 0 to 2^22 - 1.
using SnappedTriangle = std::array<glm::ivec3, 3>;

/// A cube of 4x4x4 cells. `origin` is in snapped units, a cell is 2^shift of them wide, `code` is the cube's
/// (cell_code.h), in units of its own size.
struct CellCube {
    glm::ivec3 origin{0};
    int shift = kSnapBits;
    std::uint64_t code = 0;

    /// The cube that fills cell `bit`.
    CellCube child(std::uint32_t bit) const {
        return {origin + (glm::ivec3(shared::bitCell(bit)) << shift), shift - 2, (code << 6U) | bit};
    }
};

/// Points in rows along x: the centres of a cube's voxels, or all their corners.
enum class RowPoints { Centres, Corners };

/// Where a triangle crosses a row of points in a cube.
struct RowCrossing {
    std::uint16_t row = 0; ///< z * (points a row) + y, counted from the cube's corner
    std::uint8_t x = 0;    ///< the first point that lies behind; with centres, `side` where none does
    /// What the winding number gains: 1 where the triangle faces -x, else -1. Or 0: the crossing counts for parity
    /// only.
    std::int8_t turn = 0;
};

/// The coverage of one triangle at any scale.
class TriangleCoverage {
public:
    /// `thin` asks for thin coverage of cells of the size of voxels; larger ones are always covered conservatively.
    explicit TriangleCoverage(const SnappedTriangle& triangle, bool thin = false);

    /// The cells of a cube that the triangle touches. Exact for shift + 2 of at most 22 bits.
    std::uint64_t mask(const CellCube& cube) const;

    /// Appends the crossings of the moved triangle with the rows of points of a cube of `side` voxels, at most 64.
    /// `corner` is in snapped units. Each crossing lies in one of the cubes that share a row.
    void crossRows(const glm::ivec3& corner, int side, RowPoints points, std::vector<RowCrossing>& crossings) const;

private:
    std::uint64_t touchedMask(const CellCube& cube) const;
    std::uint64_t crossedMask(std::uint64_t candidates, const CellCube& cube) const;
    Int128 planeAt(const glm::ivec3& point) const;
    bool insideSilhouette(int y, int z) const;
    std::uint64_t widePlaneMask(std::uint64_t candidates, const CellCube& cube) const;

    glm::ivec3 vertex_{0};
    glm::ivec3 low_{0};
    glm::ivec3 high_{0};
    shared::CoveragePlane plane_{};
    std::array<shared::CoverageProjection, 3> projections_{};
    bool thin_ = false;
};

/// Refines a cube down to cells of 2^stopShift units: calls emit(code, mask) for every cube of such cells that is
/// touched, in the order of codes. `coverage` has a member mask(CellCube).
template <typename Coverage, typename Emit>
void refine(const Coverage& coverage, const CellCube& cube, int stopShift, const Emit& emit) {
    std::uint64_t mask = coverage.mask(cube);
    if (cube.shift == stopShift) {
        if (mask != 0) {
            emit(cube.code, mask);
        }
        return;
    }
    for (const std::uint32_t bit : setBits(mask)) {
        refine(coverage, cube.child(bit), stopShift, emit);
    }
}

} // namespace aureole
