#include "voxel/build/coverage.h"

#include <algorithm>
#include <cstdlib>

namespace aureole {

namespace {

/// The axes of the three projections, in ascending order so that ties follow the order x, y, z.
constexpr int kProjectionAxes[3][2] = {{0, 1}, {0, 2}, {1, 2}};

/// For each axis and each set of the coordinates 0 to 3 (as bits): the cells of a cube with such a coordinate.
constexpr std::array<std::array<std::uint64_t, 16>, 3> makeSlabs() {
    std::array<std::array<std::uint64_t, 16>, 3> slabs{};
    for (unsigned bit = 0; bit < 64; ++bit) {
        for (unsigned axis = 0; axis < 3; ++axis) {
            const unsigned coordinate = (bit >> (2U * axis)) & 3U;
            for (unsigned set = 0; set < 16; ++set) {
                if (((set >> coordinate) & 1U) != 0) {
                    slabs[axis][set] |= std::uint64_t{1} << bit;
                }
            }
        }
    }
    return slabs;
}

constexpr std::array<std::array<std::uint64_t, 16>, 3> kSlabs = makeSlabs();

/// The integers from low to high among 0 to 3, as bits.
unsigned rangeBits(int low, int high) {
    low = std::max(low, 0);
    high = std::min(high, 3);
    return low > high ? 0U : (15U >> static_cast<unsigned>(3 - high)) & (15U << static_cast<unsigned>(low));
}

/// The sign of the first number that is not 0.
int leadingSign(std::int64_t a, std::int64_t b, std::int64_t c) {
    const std::int64_t leading = a != 0 ? a : (b != 0 ? b : c);
    return leading > 0 ? 1 : (leading < 0 ? -1 : 0);
}

} // namespace

std::uint64_t cellRangeMask(const glm::ivec3& low, const glm::ivec3& high) {
    return kSlabs[0][rangeBits(low.x, high.x)] & kSlabs[1][rangeBits(low.y, high.y)] &
           kSlabs[2][rangeBits(low.z, high.z)];
}

TriangleCoverage::TriangleCoverage(const SnappedTriangle& triangle, bool thin)
    : vertex_(triangle[0])
    , low_(glm::min(triangle[0], glm::min(triangle[1], triangle[2])))
    , high_(glm::max(triangle[0], glm::max(triangle[1], triangle[2])))
    , thin_(thin) {
    const glm::ivec3 e = triangle[1] - triangle[0];
    const glm::ivec3 f = triangle[2] - triangle[0];
    for (int axis = 0; axis < 3; ++axis) {
        const int j = (axis + 1) % 3;
        const int k = (axis + 2) % 3;
        normal_[static_cast<std::size_t>(axis)] = std::int64_t{e[j]} * f[k] - std::int64_t{e[k]} * f[j];
    }
    normalSign_ = leadingSign(normal_[0], normal_[1], normal_[2]);
    for (std::size_t i = 0; i < 3; ++i) {
        projections_[i] = makeProjection(triangle, kProjectionAxes[i][0], kProjectionAxes[i][1]);
    }
}

TriangleCoverage::Edge TriangleCoverage::makeEdge(std::int64_t a, std::int64_t b, std::int64_t pointA,
                                                  std::int64_t pointB) {
    // The cell is outside where the function at its best corner is below (a, b) . (e, e^2): on a tie, where that is >
    // 0.
    const std::int64_t tie = leadingSign(a, b, 0) > 0 ? 1 : 0;
    return {a, b, -a * pointA - b * pointB - tie, std::max<std::int64_t>(a, 0) + std::max<std::int64_t>(b, 0)};
}

TriangleCoverage::Projection TriangleCoverage::makeProjection(const SnappedTriangle& triangle, int axisA, int axisB) {
    struct Direction {
        std::int64_t a, b;
    };
    std::array<Direction, 3> along{};
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::ivec3 edge = triangle[(i + 1) % 3] - triangle[i];
        along[i] = {edge[axisA], edge[axisB]};
    }
    Projection edges{};
    const std::int64_t area = along[0].a * along[1].b - along[0].b * along[1].a;
    if (area != 0) {
        const std::int64_t turn = area > 0 ? 1 : -1;
        for (std::size_t i = 0; i < 3; ++i) {
            edges[i] = makeEdge(-turn * along[i].b, turn * along[i].a, triangle[i][axisA], triangle[i][axisB]);
        }
        return edges;
    }
    // Seen edge-on the triangle is a segment, which lies on both sides' border; a point needs no test but its bounds.
    const Direction longest = *std::max_element(along.begin(), along.end(), [](const Direction& x, const Direction& y) {
        return std::abs(x.a) + std::abs(x.b) < std::abs(y.a) + std::abs(y.b);
    });
    edges[0] = makeEdge(-longest.b, longest.a, triangle[0][axisA], triangle[0][axisB]);
    edges[1] = makeEdge(longest.b, -longest.a, triangle[0][axisA], triangle[0][axisB]);
    return edges;
}

/// The cells whose columns along the third axis the triangle's projection meets, anywhere or at their middle.
std::uint64_t TriangleCoverage::projectionMask(int projection, const CellCube& cube, bool atCentres) const {
    const Projection& edges = projections_[static_cast<std::size_t>(projection)];
    const int axisA = kProjectionAxes[projection][0];
    const int axisB = kProjectionAxes[projection][1];
    const std::int64_t width = std::int64_t{1} << cube.shift;
    std::array<std::int64_t, 3> row{};
    for (std::size_t i = 0; i < 3; ++i) {
        const Edge& edge = edges[i];
        const std::int64_t within = atCentres ? (edge.a + edge.b) * (width / 2) : edge.reach * width;
        row[i] = edge.a * cube.origin[axisA] + edge.b * cube.origin[axisB] + edge.c + within;
    }
    const std::int64_t stepA0 = edges[0].a * width;
    const std::int64_t stepA1 = edges[1].a * width;
    const std::int64_t stepA2 = edges[2].a * width;
    std::uint64_t mask = 0;
    for (unsigned j = 0; j < 4; ++j) {
        unsigned inside = 0;
        std::int64_t e0 = row[0];
        std::int64_t e1 = row[1];
        std::int64_t e2 = row[2];
        for (unsigned i = 0; i < 4; ++i) {
            inside |= static_cast<unsigned>((e0 | e1 | e2) >= 0) << i;
            e0 += stepA0;
            e1 += stepA1;
            e2 += stepA2;
        }
        mask |= kSlabs[static_cast<std::size_t>(axisA)][inside] & kSlabs[static_cast<std::size_t>(axisB)][1U << j];
        for (std::size_t i = 0; i < 3; ++i) {
            row[i] += edges[i].b * width;
        }
    }
    return mask;
}

template <typename Value>
std::uint64_t TriangleCoverage::planeMask(std::uint64_t candidates, const CellCube& cube, Value atOrigin) const {
    std::array<std::array<Value, 4>, 3> steps{};
    Value lowest = normalSign_ > 0 ? 1 : 0;
    Value highest = normalSign_ < 0 ? -1 : 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Value step = static_cast<Value>(normal_[axis]) * (Value{1} << cube.shift);
        steps[axis] = {0, step, 2 * step, 3 * step};
        (step > 0 ? lowest : highest) -= step;
    }
    std::uint64_t mask = 0;
    for (std::uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
        const glm::uvec3 cell = shared::bitCell(bit);
        const Value value = atOrigin + steps[0][cell.x] + steps[1][cell.y] + steps[2][cell.z];
        mask |= std::uint64_t{value >= lowest && value <= highest} << bit;
    }
    return mask;
}

/// The plane's function at a point: 0 on it.
Int128 TriangleCoverage::planeAt(const glm::ivec3& point) const {
    Int128 value = 0;
    for (int axis = 0; axis < 3; ++axis) {
        value += Int128{normal_[static_cast<std::size_t>(axis)]} * (point[axis] - vertex_[axis]);
    }
    return value;
}

/// The candidates with an axis segment through their middle that the triangle crosses.
std::uint64_t TriangleCoverage::crossedMask(std::uint64_t candidates, const CellCube& cube) const {
    std::uint64_t crossed = 0;
    for (int projection = 0; projection < 3; ++projection) {
        const int axis = 2 - projection; // the one that the projection drops
        const std::int64_t along = normal_[static_cast<std::size_t>(axis)];
        std::uint64_t columns = along != 0 ? candidates & projectionMask(projection, cube, true) : 0;
        for (; columns != 0; columns &= columns - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(columns));
            glm::ivec3 point = cube.origin + (glm::ivec3(shared::bitCell(bit)) << cube.shift);
            point += glm::ivec3(1 << (cube.shift - 1));
            point[axis] -= 1 << (cube.shift - 1);
            // The moved plane's function is never 0.
            const Int128 low = planeAt(point) - (normalSign_ > 0 ? 1 : 0);
            const Int128 high = low + Int128{along} * (1 << cube.shift);
            crossed |= std::uint64_t{(low >= 0) != (high >= 0) ? 1U : 0U} << bit;
        }
    }
    return crossed;
}

std::uint64_t TriangleCoverage::mask(const CellCube& cube) const {
    const std::uint64_t touched = touchedMask(cube);
    return thin_ && cube.shift == kSnapBits ? crossedMask(touched, cube) : touched;
}

std::uint64_t TriangleCoverage::touchedMask(const CellCube& cube) const {
    const glm::ivec3 low = (low_ - cube.origin) >> cube.shift;
    const glm::ivec3 high = (high_ - cube.origin) >> cube.shift;
    std::uint64_t mask = cellRangeMask(low, high);
    // Whatever reaches from end to end of a single row of cells touches each of them.
    const auto isLong = [&](glm::length_t axis) { return low[axis] != high[axis] ? 1 : 0; };
    if (isLong(0) + isLong(1) + isLong(2) <= 1) {
        return mask;
    }
    for (int i = 0; i < 3 && mask != 0; ++i) {
        mask &= projectionMask(i, cube, false);
    }
    if (mask == 0 || normalSign_ == 0) {
        return mask;
    }
    const Int128 atOrigin = planeAt(cube.origin);
    // A component of the normal has at most 45 bits. In cubes of up to 2^14 units the plane's function varies by less
    // than 2^61, so where it is larger at the origin the plane is elsewhere, and else 64 bits do.
    constexpr int kNarrowShift = 12;
    constexpr Int128 kNarrowLimit = Int128{1} << 61;
    if (cube.shift > kNarrowShift) {
        return planeMask<Int128>(mask, cube, atOrigin);
    }
    if (atOrigin > kNarrowLimit || atOrigin < -kNarrowLimit) {
        return 0;
    }
    return planeMask<std::int64_t>(mask, cube, static_cast<std::int64_t>(atOrigin));
}

/// Whether a line along x through (y, z) meets the triangle.
bool TriangleCoverage::insideSilhouette(int y, int z) const {
    return std::all_of(projections_[2].begin(), projections_[2].end(),
                       [&](const Edge& edge) { return edge.a * y + edge.b * z + edge.c >= 0; });
}

void TriangleCoverage::crossRows(const glm::ivec3& corner, int side, RowPoints points,
                                 std::vector<RowCrossing>& crossings) const {
    const std::int64_t along = normal_[0];
    if (along == 0) {
        return;
    }
    const int count = side + (points == RowPoints::Corners ? 1 : 0);
    const int first = points == RowPoints::Corners ? 0 : kSnapUnits / 2;
    const glm::ivec3 low = glm::max(((low_ - corner) >> kSnapBits) - 1, glm::ivec3(0));
    const glm::ivec3 high = glm::min((high_ - corner) >> kSnapBits, glm::ivec3(count - 1));
    for (int z = low.z; z <= high.z; ++z) {
        for (int y = low.y; y <= high.y; ++y) {
            const glm::ivec3 start = corner + glm::ivec3(0, y, z) * kSnapUnits + glm::ivec3(0, first, first);
            if (!insideSilhouette(start.y, start.z)) {
                continue;
            }
            // The moved plane's function is never 0, and changes its sign once along the row.
            const Int128 atStart = planeAt(start) - (normalSign_ > 0 ? 1 : 0);
            const auto crossedBefore = [&](int units) {
                return (atStart + Int128{along} * units >= 0) != (atStart >= 0);
            };
            if (!crossedBefore(side * kSnapUnits)) {
                continue;
            }
            int x = 0;
            for (int step = side; step > 0; step /= 2) {
                x += x + step <= count && !crossedBefore((x + step - 1) * kSnapUnits + first) ? step : 0;
            }
            crossings.push_back({static_cast<std::uint16_t>(z * count + y), static_cast<std::uint8_t>(x),
                                 static_cast<std::int8_t>(along < 0 ? 1 : -1)});
        }
    }
}

} // namespace aureole
