#pragma once

// A level of half a walk's resolution: 2x2x2 of the walk's cells make one. Blocks of such a level take theirs from
// eight of the walk, which do not follow each other, so all cells are made first and then put in the order of codes.

#include <cstdint>
#include <functional>
#include <vector>

#include "voxel/surface/surface_sum.h"
#include "voxel/tree/level_walk.h"

namespace aureole {

/// A block of 4x4x4 cells of the level.
struct HalfBlock {
    std::uint64_t code = 0; ///< cell_code.h
    std::uint64_t mask = 0; ///< solid cells, by cellBit
    std::uint64_t inside = 0;
};

/// A cell with a surface: the mean of those in it.
struct HalfCell {
    shared::VoxelAttributes attributes{};
    shared::VoxelMaterial material{};
    std::uint32_t count = 0; ///< of the walk's cells with a surface in it
};

/// How many octants of a block have cells.
int occupiedOctants(std::uint64_t mask);

class HalfLevel {
public:
    /// Adds a block of the walk.
    void addBlock(const WalkedBlock& walked);
    /// Adds a cube of 4^cubeLevels of the walk's cells that is all inside a solid; its code is in units of its size.
    void addInside(std::uint64_t code, std::uint32_t cubeLevels);

    /// Calls onBlock with each block and its cells with a surface, in order of bits, and onInside with each cube
    /// inside; all in the order of codes. Codes and sizes are those of the level.
    void visit(const std::function<void(const HalfBlock&, const std::vector<HalfCell>&)>& onBlock,
               const std::function<void(std::uint64_t code, std::uint32_t cubeLevels)>& onInside);

private:
    /// What a block of the walk makes: 2x2x2 cells, an octant of a block of the level. Or a cube.
    struct Part {
        std::uint64_t place = 0; ///< code of the block, or of the cube's first; the octant in the lowest 3 bits
        std::uint64_t first = 0; ///< of its cells with a surface
        std::uint8_t solid = 0;  ///< cells, x in the lowest bit
        std::uint8_t inside = 0;
        std::uint8_t cubeLevels = 0; ///< 0: no cube
    };

    void addMean(const WalkedBlock& walked, std::uint64_t surface, std::uint64_t octant);
    static void addPart(const Part& part, HalfBlock& block, std::vector<std::uint64_t>& numbers);
    HalfCell cell(std::uint64_t number) const;

    std::vector<Part> parts_;
    // These three have an element for each cell with a surface.
    std::vector<shared::VoxelAttributes> attributes_;
    std::vector<std::uint8_t> counts_;
    std::vector<shared::VoxelMaterial> materials_; ///< none while all are plain
};

} // namespace aureole
