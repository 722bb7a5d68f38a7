#include "voxel/build/solid_fill.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "voxel/tree/cell_code.h"

namespace aureole {

namespace {

/// The bits below `end` of a row.
std::uint64_t lowBits(std::uint32_t end) {
    return end >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
}

std::uint64_t blockMask(const std::vector<std::uint64_t>& rows, std::uint32_t side, const glm::uvec3& block) {
    std::uint64_t mask = 0;
    for (std::uint32_t z = 0; z < 4; ++z) {
        for (std::uint32_t y = 0; y < 4; ++y) {
            const std::uint64_t row = rows[(4 * block.z + z) * side + 4 * block.y + y];
            mask |= ((row >> (4 * block.x)) & 15U) << shared::cellBit(0, y, z); // a row's cells follow each other
        }
    }
    return mask;
}

} // namespace

std::vector<RowCrossing> findCrossings(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                                       const std::vector<Closure>& closures, RowPoints points) {
    const CellCube cube = bricks.cube(brick);
    std::vector<RowCrossing> crossings;
    for (const std::uint64_t entry : bricks.entries(brick)) {
        const std::uint32_t primitive = entryPrimitive(entry);
        if (!primitives.isTriangle(primitive)) {
            continue;
        }
        const TriangleId id = primitives.triangle(primitive);
        if (closures[id.instance] == Closure::Open) {
            continue;
        }
        const std::size_t first = crossings.size();
        TriangleCoverage(primitives.snapped(id))
            .crossRows(cube.origin, 1 << (2 * bricks.brickLevels()), points, crossings);
        if (closures[id.instance] == Closure::Parity) {
            std::for_each(crossings.begin() + static_cast<std::ptrdiff_t>(first), crossings.end(),
                          [](RowCrossing& crossing) { crossing.turn = 0; });
        }
    }
    return crossings;
}

SolidFill::Rows& SolidFill::rowsOf(std::uint64_t brick) {
    const glm::uvec3 cell = codeCell(brick);
    return rows_[(std::uint64_t{cell.y} << 32U) | cell.z];
}

std::vector<SolidFill::Cube> SolidFill::cubesBefore(std::uint64_t brick) {
    std::vector<Cube> cubes;
    while (next_ < brick) {
        // The largest aligned cube that ends before the brick.
        std::uint32_t up = 0;
        while (brickLevels_ + up + 2 <= octreeLevels_ && (next_ & lowBits(6 * (up + 1))) == 0 &&
               next_ + (std::uint64_t{1} << (6 * (up + 1))) <= brick) {
            ++up;
        }
        const Rows& rows = rowsOf(next_);
        if ((rows.numbers.empty() ? rows.all : rows.numbers.front()) != 0) {
            cubes.push_back({next_ >> (6 * up), brickLevels_ + up});
        }
        next_ += std::uint64_t{1} << (6 * up);
    }
    return cubes;
}

/// Which voxels of each row are inside; moves the rows on to where they leave the brick.
std::vector<std::uint64_t> SolidFill::insideRows(Rows& rows, const std::vector<RowCrossing>& crossings) const {
    const std::uint32_t count = side() * side();
    if (rows.numbers.empty()) {
        rows.numbers.assign(count, rows.all);
    }
    std::vector<std::uint64_t> inside(count);
    std::size_t next = 0;
    for (std::uint32_t row = 0; row < count; ++row) {
        std::int32_t& number = rows.numbers[row];
        std::uint32_t from = 0;
        for (; next < crossings.size() && crossings[next].row == row; ++next) {
            inside[row] |= number != 0 ? lowBits(crossings[next].x) & ~lowBits(from) : 0;
            from = crossings[next].x;
            const std::int8_t turn = crossings[next].turn;
            number = turn != 0 ? number + 2 * turn : number ^ 1;
        }
        inside[row] |= number != 0 ? lowBits(side()) & ~lowBits(from) : 0;
    }
    if (std::equal(rows.numbers.begin() + 1, rows.numbers.end(), rows.numbers.begin())) {
        rows.all = rows.numbers.front();
        rows.numbers = {};
    }
    return inside;
}

std::vector<VoxelBlock> SolidFill::fillBrick(std::uint64_t brick, std::vector<RowCrossing>&& crossings,
                                             const std::vector<VoxelBlock>& blocks) {
    next_ = brick + 1;
    Rows& rows = rowsOf(brick);
    if (crossings.empty() && rows.numbers.empty() && rows.all == 0) {
        return blocks;
    }
    std::sort(crossings.begin(), crossings.end(),
              [](const RowCrossing& a, const RowCrossing& b) { return std::tie(a.row, a.x) < std::tie(b.row, b.x); });
    const std::vector<std::uint64_t> inside = insideRows(rows, crossings);
    std::vector<VoxelBlock> filled;
    const std::uint64_t first = brick << (6 * (brickLevels_ - 1));
    auto surface = blocks.begin();
    for (std::uint64_t block = 0; block < std::uint64_t{1} << (6 * (brickLevels_ - 1)); ++block) {
        const std::uint64_t fill = blockMask(inside, side(), codeCell(block));
        if (surface != blocks.end() && surface->code == first + block) {
            VoxelBlock& touched = filled.emplace_back(*surface++);
            touched.inside = fill & ~touched.mask;
            touched.mask |= fill;
        } else if (fill != 0) {
            filled.push_back({first + block, fill, fill});
        }
    }
    return filled;
}

} // namespace aureole
