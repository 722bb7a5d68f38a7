#include "coverage_oracle.h"

#include <cstddef>

namespace aureole::test {

namespace {

__extension__ using Wide = __int128;

/// c[0] + c[1] e + c[2] e^2 + c[3] e^3.
struct Series {
    std::array<Wide, 4> c{};

    int sign() const {
        for (const Wide term : c) {
            if (term != 0) {
                return term > 0 ? 1 : -1;
            }
        }
        return 0;
    }
};

Series operator+(const Series& a, const Series& b) {
    return {{a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2], a.c[3] + b.c[3]}};
}
Series operator*(const Series& a, Wide k) {
    return {{a.c[0] * k, a.c[1] * k, a.c[2] * k, a.c[3] * k}};
}
Series operator-(const Series& a, const Series& b) {
    return a + b * Wide{-1};
}
Series constant(Wide value) {
    return {{value, 0, 0, 0}};
}

/// Coordinate `axis` of a vertex after the movement.
Series moved(const glm::ivec3& vertex, int axis) {
    Series series = constant(vertex[axis]);
    series.c[static_cast<std::size_t>(axis) + 1] = 1;
    return series;
}

struct Cube {
    glm::ivec3 low;
    glm::ivec3 high;
};

/// Whether low <= value / scale <= high on an axis of the cube.
bool between(const Series& value, Wide scale, const Cube& cube, int axis) {
    const int turn = scale > 0 ? 1 : -1;
    return turn * (value - constant(cube.low[axis] * scale)).sign() >= 0 &&
           turn * (value - constant(cube.high[axis] * scale)).sign() <= 0;
}

bool vertexInside(const glm::ivec3& vertex, const Cube& cube) {
    return between(moved(vertex, 0), 1, cube, 0) && between(moved(vertex, 1), 1, cube, 1) &&
           between(moved(vertex, 2), 1, cube, 2);
}

/// Whether the segment pq passes through the cube's face at coordinate `plane` of `axis`.
bool segmentPiercesFace(const glm::ivec3& p, const glm::ivec3& q, const Cube& cube, int axis, int plane) {
    const Series toPlane = constant(plane) - moved(p, axis);
    if (toPlane.sign() == (constant(plane) - moved(q, axis)).sign()) {
        return false;
    }
    const Wide along = q[axis] - p[axis];
    for (int other = 0; other < 3; ++other) {
        const Wide across = q[other] - p[other];
        if (other != axis && !between(moved(p, other) * along + toPlane * across, along, cube, other)) {
            return false;
        }
    }
    return true;
}

/// Whether the cube's edge parallel to `axis` at (b, c) on the two other axes passes through the triangle.
bool edgePiercesTriangle(const LatticeTriangle& t, const Cube& cube, int axis, int b, int c) {
    const int axisB = (axis + 1) % 3;
    const int axisC = (axis + 2) % 3;
    int turn = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::ivec3& p = t[i];
        const glm::ivec3 d = t[(i + 1) % 3] - p;
        const int side =
            ((constant(c) - moved(p, axisC)) * Wide{d[axisB]} - (constant(b) - moved(p, axisB)) * Wide{d[axisC]})
                .sign();
        if (side == 0 || side == -turn) {
            return false;
        }
        turn = side;
    }
    const glm::ivec3 e = t[1] - t[0];
    const glm::ivec3 f = t[2] - t[0];
    const auto normal = [&](int j, int k) { return Wide{e[j]} * f[k] - Wide{e[k]} * f[j]; };
    const Wide normalA = normal(axisB, axisC);
    const Series height = moved(t[0], axis) * normalA - (constant(b) - moved(t[0], axisB)) * normal(axisC, axis) -
                          (constant(c) - moved(t[0], axisC)) * normal(axis, axisB);
    return between(height, normalA, cube, axis);
}

} // namespace

bool touches(const LatticeTriangle& triangle, const glm::ivec3& voxel) {
    const Cube cube = {voxel * 256, voxel * 256 + 256};
    for (std::size_t i = 0; i < 3; ++i) {
        if (vertexInside(triangle[i], cube)) {
            return true;
        }
        for (int axis = 0; axis < 3; ++axis) {
            const glm::ivec3& next = triangle[(i + 1) % 3];
            if (segmentPiercesFace(triangle[i], next, cube, axis, cube.low[axis]) ||
                segmentPiercesFace(triangle[i], next, cube, axis, cube.high[axis])) {
                return true;
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        for (const int b : {cube.low[(axis + 1) % 3], cube.high[(axis + 1) % 3]}) {
            for (const int c : {cube.low[(axis + 2) % 3], cube.high[(axis + 2) % 3]}) {
                if (edgePiercesTriangle(triangle, cube, axis, b, c)) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool crosses(const LatticeTriangle& triangle, const glm::ivec3& voxel) {
    const Cube cube = {voxel * 256, voxel * 256 + 256};
    const glm::ivec3 middle = voxel * 256 + 128;
    for (int axis = 0; axis < 3; ++axis) {
        if (edgePiercesTriangle(triangle, cube, axis, middle[(axis + 1) % 3], middle[(axis + 2) % 3])) {
            return true;
        }
    }
    return false;
}

VoxelSet bruteForce(const std::vector<LatticeTriangle>& triangles, const glm::ivec3& gridSize,
                    const std::function<bool(const LatticeTriangle&, const glm::ivec3&)>& covers) {
    VoxelSet solid;
    for (const LatticeTriangle& t : triangles) {
        // One voxel more on each side than the triangle's bounds.
        const glm::ivec3 low = glm::max(glm::min(t[0], glm::min(t[1], t[2])) / 256 - 1, glm::ivec3(0));
        const glm::ivec3 high = glm::min(glm::max(t[0], glm::max(t[1], t[2])) / 256 + 1, gridSize - 1);
        for (int x = low.x; x <= high.x; ++x) {
            for (int y = low.y; y <= high.y; ++y) {
                for (int z = low.z; z <= high.z; ++z) {
                    if (!solid.contains({x, y, z}) && covers(t, {x, y, z})) {
                        solid.insert({x, y, z});
                    }
                }
            }
        }
    }
    return solid;
}

} // namespace aureole::test
