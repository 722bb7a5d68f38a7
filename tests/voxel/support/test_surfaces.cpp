#include "test_surfaces.h"

#include <cmath>
#include <deque>

namespace aureole::test {

std::vector<LatticeTriangle> boxSurface(const glm::ivec3& low, const glm::ivec3& high) {
    std::vector<LatticeTriangle> triangles;
    for (int axis = 0; axis < 3; ++axis) {
        for (const int side : {low[axis], high[axis]}) {
            std::array<glm::ivec3, 4> corners{};
            for (int i = 0; i < 4; ++i) {
                glm::ivec3& corner = corners[static_cast<std::size_t>(i)];
                corner[axis] = side;
                corner[(axis + 1) % 3] = (i & 1) != 0 ? high[(axis + 1) % 3] : low[(axis + 1) % 3];
                corner[(axis + 2) % 3] = (i & 2) != 0 ? high[(axis + 2) % 3] : low[(axis + 2) % 3];
            }
            triangles.push_back({corners[0], corners[1], corners[3]});
            triangles.push_back({corners[0], corners[3], corners[2]});
        }
    }
    return triangles;
}

std::vector<LatticeTriangle> octahedron(const glm::ivec3& centre, int radius) {
    std::vector<LatticeTriangle> triangles;
    for (int i = 0; i < 8; ++i) {
        const glm::ivec3 sign((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
        triangles.push_back({centre + glm::ivec3(sign.x * radius, 0, 0), centre + glm::ivec3(0, sign.y * radius, 0),
                             centre + glm::ivec3(0, 0, sign.z * radius)});
    }
    return triangles;
}

double bumps(const glm::dvec3& d) {
    return 20.0 + 3.0 * std::sin(7.0 * d.x) * std::sin(9.0 * d.y + 1.0) + 2.0 * std::sin(11.0 * d.z + 2.0 * d.x);
}

bool leaks(Steps steps, const Octree& octree, const glm::ivec3& target) {
    const glm::ivec3 size = glm::ivec3(octree.grid.size) + 2;
    const auto index = [&](const glm::ivec3& c) {
        return static_cast<std::size_t>((c.z * size.y + c.y) * size.x + c.x);
    };
    std::vector<bool> reached(index(size - 1) + 1);
    std::deque<glm::ivec3> queue = {glm::ivec3(0)};
    reached[0] = true;
    while (!queue.empty()) {
        const glm::ivec3 cell = queue.front();
        queue.pop_front();
        for (int n = 0; n < 27; ++n) {
            const glm::ivec3 step(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
            const glm::ivec3 next = cell + step;
            if (steps == Steps::Faces && step.x * step.x + step.y * step.y + step.z * step.z > 1) {
                continue;
            }
            if (glm::any(glm::lessThan(next, glm::ivec3(0))) || glm::any(glm::greaterThanEqual(next, size)) ||
                reached[index(next)] || isSolid(octree, next - 1)) {
                continue;
            }
            reached[index(next)] = true;
            queue.push_back(next);
        }
    }
    return reached[index(target + 1)];
}

} // namespace aureole::test
