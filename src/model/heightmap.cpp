#include "model/heightmap.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace aureole {

namespace {

constexpr std::uint64_t kVertexBytes = 2 * sizeof(glm::vec3) + sizeof(glm::vec2);

std::uint64_t edgeSteps(std::uint32_t width, std::uint32_t depth) {
    return 2 * (std::uint64_t{width} - 1) + 2 * (std::uint64_t{depth} - 1);
}

class HeightmapMesh {
public:
    explicit HeightmapMesh(const Heightmap& map)
        : map_(map)
        , step_(map.size / glm::dvec2(map.width - 1, map.depth - 1)) {}

    Mesh make() {
        addSurface();
        if (map_.base) {
            addSides();
        }
        return std::move(mesh_);
    }

private:
    double height(std::uint32_t x, std::uint32_t z) const { return map_.heights[x + std::size_t{map_.width} * z]; }

    glm::dvec3 place(std::uint32_t x, std::uint32_t z) const {
        return {x * step_.x - 0.5 * map_.size.x, height(x, z), z * step_.y - 0.5 * map_.size.y};
    }

    glm::dvec2 uv(std::uint32_t x, std::uint32_t z) const {
        return (glm::dvec2(x, z) + 0.5) / glm::dvec2(map_.width, map_.depth);
    }

    /// By the slopes towards both neighbours, or the one that there is.
    glm::dvec3 normal(std::uint32_t x, std::uint32_t z) const {
        const std::uint32_t left = x > 0 ? x - 1 : 0;
        const std::uint32_t right = std::min(x + 1, map_.width - 1);
        const std::uint32_t back = z > 0 ? z - 1 : 0;
        const std::uint32_t front = std::min(z + 1, map_.depth - 1);
        return glm::normalize(glm::dvec3((height(left, z) - height(right, z)) / ((right - left) * step_.x), 1.0,
                                         (height(x, back) - height(x, front)) / ((front - back) * step_.y)));
    }

    std::uint32_t add(const glm::dvec3& position, const glm::dvec3& normal, const glm::dvec2& uv) {
        mesh_.positions.emplace_back(position);
        mesh_.normals.emplace_back(normal);
        mesh_.uvs[0].emplace_back(uv);
        return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
    }

    void addSurface() {
        for (std::uint32_t z = 0; z < map_.depth; ++z) {
            for (std::uint32_t x = 0; x < map_.width; ++x) {
                add(place(x, z), normal(x, z), uv(x, z));
            }
        }
        for (std::uint32_t z = 0; z + 1 < map_.depth; ++z) {
            for (std::uint32_t x = 0; x + 1 < map_.width; ++x) {
                const std::uint32_t a = x + map_.width * z; // the corners, counter-clockwise seen from above
                const std::uint32_t b = a + map_.width;
                const std::uint32_t c = b + 1;
                const std::uint32_t d = a + 1;
                // Along the diagonal that is less steep, ridges and valleys stay whole.
                if (std::abs(height(x, z) - height(x + 1, z + 1)) <= std::abs(height(x + 1, z) - height(x, z + 1))) {
                    mesh_.triangles.emplace_back(a, b, c);
                    mesh_.triangles.emplace_back(a, c, d);
                } else {
                    mesh_.triangles.emplace_back(a, b, d);
                    mesh_.triangles.emplace_back(b, c, d);
                }
            }
        }
    }

    /// Walls below the four edges, and an underside that is a fan of what these end with.
    void addSides() {
        const std::uint32_t middle = add({0.0, *map_.base, 0.0}, {0.0, -1.0, 0.0}, glm::dvec2(0.5));
        const std::uint32_t right = map_.width - 1;
        const std::uint32_t front = map_.depth - 1;
        addSide({0, front}, {1, 0}, right, {0.0, 0.0, 1.0}, middle);
        addSide({right, front}, {0, -1}, front, {1.0, 0.0, 0.0}, middle);
        addSide({right, 0}, {-1, 0}, right, {0.0, 0.0, -1.0}, middle);
        addSide({0, 0}, {0, 1}, front, {-1.0, 0.0, 0.0}, middle);
    }

    /// From the place `at`, counter-clockwise seen from above.
    void addSide(const glm::ivec2& at, const glm::ivec2& way, std::uint32_t steps, const glm::dvec3& out,
                 std::uint32_t middle) {
        std::uint32_t last = 0;
        for (std::uint32_t i = 0; i <= steps; ++i) {
            const glm::uvec2 here(at + way * static_cast<int>(i));
            const glm::dvec3 top = place(here.x, here.y);
            const glm::dvec3 foot(top.x, *map_.base, top.z);
            const std::uint32_t first = add(top, out, uv(here.x, here.y));
            add(foot, out, uv(here.x, here.y));
            add(foot, {0.0, -1.0, 0.0}, uv(here.x, here.y));
            if (i > 0) {
                mesh_.triangles.emplace_back(last, last + 1, first + 1);
                mesh_.triangles.emplace_back(last, first + 1, first);
                mesh_.triangles.emplace_back(last + 2, middle, first + 2);
            }
            last = first;
        }
    }

    const Heightmap& map_;
    glm::dvec2 step_; ///< between heights
    Mesh mesh_;
};

} // namespace

Mesh makeHeightmap(const Heightmap& map) {
    return HeightmapMesh(map).make();
}

std::uint64_t heightmapBytes(std::uint32_t width, std::uint32_t depth, bool closed) {
    constexpr std::uint64_t kSides = 4;
    const std::uint64_t steps = closed ? edgeSteps(width, depth) : 0;
    const std::uint64_t vertices = std::uint64_t{width} * depth + (closed ? 3 * (steps + kSides) + 1 : 0);
    const std::uint64_t triangles = 2 * (std::uint64_t{width} - 1) * (std::uint64_t{depth} - 1) + 3 * steps;
    return vertices * kVertexBytes + triangles * sizeof(glm::uvec3);
}

} // namespace aureole
