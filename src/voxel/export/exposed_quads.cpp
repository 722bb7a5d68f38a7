#include "voxel/export/exposed_quads.h"

#include <bit>

#include "core/set_bits.h"
#include "voxel/build/coverage.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/level_walk.h"

namespace aureole {

namespace {

/// Which voxels around a block are solid: of its own 4x4x4 and one more on each side.
class Surroundings {
public:
    Surroundings(const Octree& octree, const glm::ivec3& block) {
        for (glm::ivec3 apart(-1); apart.z <= 1; ++apart.z) {
            for (apart.y = -1; apart.y <= 1; ++apart.y) {
                for (apart.x = -1; apart.x <= 1; ++apart.x) {
                    masks_[index(apart)] = solidMask(octree, block + apart);
                }
            }
        }
    }

    /// Coordinates from -1 to 4.
    bool solid(const glm::ivec3& voxel) const {
        const std::uint64_t mask = masks_[index(voxel >> 2)];
        return ((mask >> shared::cellBit(static_cast<std::uint32_t>(voxel.x), static_cast<std::uint32_t>(voxel.y),
                                         static_cast<std::uint32_t>(voxel.z))) &
                1U) != 0;
    }

private:
    static std::size_t index(const glm::ivec3& apart) {
        const int place = apart.x + 1 + 3 * (apart.y + 1 + 3 * (apart.z + 1));
        return static_cast<std::size_t>(place);
    }

    std::array<std::uint64_t, 27> masks_{};
};

/// The eight voxels around a corner: bit x + 2 y + 4 z, where 1 is the side of larger coordinates.
std::uint32_t voxelsAround(const Surroundings& around, const glm::ivec3& corner) {
    std::uint32_t solid = 0;
    for (std::uint32_t octant = 0; octant < 8; ++octant) {
        const glm::ivec3 low(octant & 1U, (octant >> 1U) & 1U, octant >> 2U);
        solid |= around.solid(corner - 1 + low) ? 1U << octant : 0U;
    }
    return solid;
}

bool has(std::uint32_t solid, std::uint32_t octant) {
    return ((solid >> octant) & 1U) != 0;
}

/// The axes along which the corner is drawn in if all its faces are to share it: those that faces towards + have, but
/// not where others face towards -.
std::uint32_t sharedInset(std::uint32_t solid) {
    std::uint32_t inset = 0;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
        bool plus = false;
        bool minus = false;
        for (std::uint32_t octant = 0; octant < 8; ++octant) {
            if ((octant >> axis & 1U) == 0) {
                const std::uint32_t above = octant | (1U << axis);
                plus = plus || (has(solid, octant) && !has(solid, above));
                minus = minus || (!has(solid, octant) && has(solid, above));
            }
        }
        inset |= plus && !minus ? 1U << axis : 0U;
    }
    return inset;
}

/// A corner of a face, with the voxels around it. Bits of `octant`, of the insets and of the like are axes.
struct FaceCorner {
    std::uint32_t solid = 0;  ///< as voxelsAround gives them
    std::uint32_t octant = 0; ///< which of them the face is of
    std::uint32_t inset = 0;

    /// The inset that keeps the corner in the voxel of the face.
    std::uint32_t own() const { return ~octant & 7U; }
    /// Where the face reaches beyond its voxel at this corner.
    std::uint32_t reach() const { return inset ^ own(); }
    /// Whether the voxel's neighbours along these axes, the diagonal ones too, are all solid.
    bool mayReach(std::uint32_t axes) const {
        for (std::uint32_t part = axes; part != 0; part = (part - 1) & axes) {
            if (!has(solid, octant ^ part)) {
                return false;
            }
        }
        return true;
    }
};

/// Gives the corners of a face across `axis` the insets that they share with other faces where that keeps the face in
/// solid voxels, and their own elsewhere.
void chooseInsets(std::array<FaceCorner, 4>& corners, std::uint32_t axis) {
    const std::uint32_t across = 1U << axis;
    for (FaceCorner& corner : corners) {
        corner.inset = (sharedInset(corner.solid) & ~across) | (corner.own() & across);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (FaceCorner& corner : corners) {
            // An edge that runs out of the voxel here may have left it sideways on its way from the next corner.
            std::uint32_t reach = corner.reach();
            for (const FaceCorner& other : corners) {
                const std::uint32_t along = corner.octant ^ other.octant;
                reach |= std::has_single_bit(along) && (corner.reach() & along) != 0 ? other.reach() & ~along : 0U;
            }
            if (!corner.mayReach(reach)) {
                changed = true;
                corner.inset = corner.own();
            }
        }
    }
}

class QuadWalk {
public:
    QuadWalk(const Octree& octree, const QuadCalls& calls)
        : octree_(octree)
        , calls_(calls) {}

    void run() {
        walkOctree(octree_, 0,
                   {[&](const WalkedBlock& block) { addBlock(block); },
                    [&](std::uint64_t, std::uint32_t cubeLevels) {
                        calls_.onVoxels(std::uint64_t{1} << (6U * cubeLevels)); // all neighbours are solid
                    }});
        calls_.onTile();
    }

private:
    void addBlock(const WalkedBlock& block) {
        const std::uint64_t tile = block.code >> 12U; // of 16^3 blocks
        if (tile != tile_) {
            calls_.onTile();
            tile_ = tile;
        }
        const glm::ivec3 place(codeCell(block.code));
        const Surroundings around(octree_, place);
        std::size_t next = 0;
        ExposedQuad quad;
        for (const std::uint32_t bit : setBits(block.mask & ~block.inside)) {
            quad.attributes = block.attributes[next];
            quad.radiance = block.material(next).emission;
            addVoxel(4 * place, glm::ivec3(shared::bitCell(bit)), around, quad);
            ++next;
        }
        calls_.onVoxels(static_cast<std::uint64_t>(std::popcount(block.mask)));
    }

    void addVoxel(const glm::ivec3& origin, const glm::ivec3& voxel, const Surroundings& around, ExposedQuad& quad) {
        for (std::uint32_t face = 0; face < 6; ++face) {
            const auto axis = static_cast<glm::length_t>(face >> 1U);
            const bool plus = (face & 1U) != 0;
            glm::ivec3 neighbour = voxel;
            neighbour[axis] += plus ? 1 : -1;
            if (around.solid(neighbour)) {
                continue;
            }
            std::array<FaceCorner, 4> corners;
            for (std::size_t i = 0; i < 4; ++i) {
                // Around the + axis: (0, 0), (1, 0), (1, 1), (0, 1) along the next two.
                const std::size_t turned = plus ? i : 3 - i;
                glm::ivec3 side(0);
                side[axis] = plus ? 1 : 0;
                side[(axis + 1) % 3] = turned == 1 || turned == 2 ? 1 : 0;
                side[(axis + 2) % 3] = turned >= 2 ? 1 : 0;
                corners[i].solid = voxelsAround(around, voxel + side);
                // Seen from the corner, the voxel lies on the other side.
                corners[i].octant =
                    static_cast<std::uint32_t>((1 - side.x) | ((1 - side.y) << 1) | ((1 - side.z) << 2));
                quad.corners[i].cell = origin + voxel + side;
            }
            chooseInsets(corners, static_cast<std::uint32_t>(axis));
            for (std::size_t i = 0; i < 4; ++i) {
                quad.corners[i].inset = corners[i].inset;
            }
            calls_.onQuad(quad);
        }
    }

    const Octree& octree_;
    const QuadCalls& calls_;
    std::uint64_t tile_ = 0;
};

} // namespace

glm::dvec3 cornerPosition(const VoxelGrid& grid, const QuadCorner& corner) {
    const glm::dvec3 inset(corner.inset & 1U, (corner.inset >> 1U) & 1U, corner.inset >> 2U);
    return grid.origin + grid.voxelSize * (glm::dvec3(corner.cell) - inset / double{kSnapUnits});
}

void walkExposedQuads(const Octree& octree, const QuadCalls& calls) {
    QuadWalk(octree, calls).run();
}

} // namespace aureole
