#pragma once

// The grid cut into cubic bricks, the unit of work: which primitives touch which brick. Bricks follow each other in
// the order of codes, so that what is built from them one by one only needs to be appended.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "voxel/build/primitives.h"
#include "voxel/tree/cell_code.h"

namespace aureole {

/// A brick with something in it.
struct Brick {
    std::uint64_t code = 0; ///< cell_code.h, in units of bricks
    std::size_t first = 0;  ///< its entries
    std::size_t end = 0;
};

class BrickList {
public:
    /// Finds the primitives of every brick. The list takes twice its size while it is sorted, which must be within
    /// `memory`, and within what primitives leave of a scene's memory. Throws Error: Interrupted, OutOfMemory,
    /// BadInput.
    BrickList(const Primitives& primitives, std::uint32_t octreeLevels,
              std::uint64_t memory = std::numeric_limits<std::uint64_t>::max());

    /// A brick is 4^brickLevels voxels wide.
    std::uint32_t brickLevels() const { return brickLevels_; }
    /// All bricks, in ascending order of their codes.
    const std::vector<Brick>& bricks() const { return bricks_; }
    /// The brick with a code, or none.
    const Brick* find(std::uint64_t code) const;
    /// The brick's primitives are the low halves of these, in ascending order.
    std::span<const std::uint64_t> entries(const Brick& brick) const {
        return std::span(entries_).subspan(brick.first, brick.end - brick.first);
    }
    /// Calls visit(primitive) for those of a brick and of the 26 around it; one in several comes several times.
    template <typename Visit>
    void visitNear(const Brick& brick, const Visit& visit) const;
    std::uint64_t entryCount() const { return entries_.size(); }
    std::uint64_t byteCount() const { return entries_.size() * sizeof(entries_[0]) + bricks_.size() * sizeof(Brick); }
    /// The brick as a cube of 4x4x4 cells.
    CellCube cube(const Brick& brick) const;

private:
    std::uint32_t brickLevels_;
    std::vector<std::uint64_t> entries_; ///< brick code << 32 | primitive
    std::vector<Brick> bricks_;
};

/// The primitive of an entry.
constexpr std::uint32_t entryPrimitive(std::uint64_t entry) {
    return static_cast<std::uint32_t>(entry);
}

template <typename Visit>
void BrickList::visitNear(const Brick& brick, const Visit& visit) const {
    const glm::ivec3 cell(codeCell(brick.code));
    for (int i = 0; i < 27; ++i) {
        const glm::ivec3 neighbour = cell + glm::ivec3(i % 3, i / 3 % 3, i / 9) - 1;
        const Brick* const near =
            glm::any(glm::lessThan(neighbour, glm::ivec3(0))) ? nullptr : find(cellCode(glm::uvec3(neighbour)));
        if (near == nullptr) {
            continue;
        }
        for (const std::uint64_t entry : entries(*near)) {
            visit(entryPrimitive(entry));
        }
    }
}

} // namespace aureole
