#include "voxel/tree/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "shared/normal_frame.h"
#include "voxel/tree/voxel_shape.h"

namespace aureole {

namespace {

constexpr float kFinest = 0.25F; ///< between points, in voxels
constexpr float kMostAcross = 256.0F;

/// Twice the area of a triangle, above 0 where its corners turn to the left.
float turn(const glm::vec2& a, const glm::vec2& b, const glm::vec2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Points in a plane, and the corners of their hull, which turns to the left (Andrew 1979).
class Hull {
public:
    explicit Hull(std::span<glm::vec2> points) {
        std::sort(points.begin(), points.end(),
                  [](const glm::vec2& a, const glm::vec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
        const auto add = [&](const glm::vec2& point, std::size_t first) {
            while (count_ >= first + 2 && turn(corners_[count_ - 2], corners_[count_ - 1], point) <= 0.0F) {
                --count_;
            }
            corners_[count_++] = point;
        };
        std::for_each(points.begin(), points.end(), [&](const glm::vec2& point) { add(point, 0); });
        const std::size_t upper = count_ - 1;
        std::for_each(points.rbegin() + 1, points.rend(), [&](const glm::vec2& point) { add(point, upper); });
        --count_; // the first one again
    }
    bool contains(const glm::vec2& point) const {
        for (std::size_t i = 0; i < count_; ++i) {
            if (turn(corners_[i], corners_[(i + 1) % count_], point) < 0.0F) {
                return false;
            }
        }
        return count_ > 2;
    }

private:
    std::array<glm::vec2, 65> corners_;
    std::size_t count_ = 0;
};

} // namespace

double outlineArea(const Octree& octree, std::span<const EmissiveVoxel> voxels, const glm::vec3& way) {
    if (voxels.empty()) {
        return 0.0;
    }
    glm::vec3 u;
    glm::vec3 v;
    shared::normalFrame(way, u, v);
    const auto project = [&](const glm::vec3& point) { return glm::vec2(glm::dot(point, u), glm::dot(point, v)); };
    glm::vec2 low(std::numeric_limits<float>::max());
    glm::vec2 high(std::numeric_limits<float>::lowest());
    for (const EmissiveVoxel& voxel : voxels) {
        const glm::vec2 middle = project(glm::vec3(voxel.voxel) + 0.5F);
        low = glm::min(low, middle - 1.0F);
        high = glm::max(high, middle + 1.0F);
    }
    const float step = std::max(kFinest, std::max(high.x - low.x, high.y - low.y) / kMostAcross);
    const glm::ivec2 size(glm::ceil((high - low) / step));
    std::vector<std::uint8_t> covered(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
    for (const EmissiveVoxel& voxel : voxels) {
        const VoxelShape shape = shapeOf(octree, voxel);
        std::array<glm::vec2, 32> points;
        glm::vec2 from(std::numeric_limits<float>::max());
        glm::vec2 to(std::numeric_limits<float>::lowest());
        for (std::uint32_t i = 0; i < shape.count; ++i) {
            points[i] = (project(shape.points[i]) - low) / step; // a point of the grid is at each whole number
            from = glm::min(from, points[i]);
            to = glm::max(to, points[i]);
        }
        const Hull hull(std::span<glm::vec2>(points).first(shape.count));
        for (auto y = static_cast<int>(std::ceil(from.y)); y <= static_cast<int>(to.y); ++y) {
            for (auto x = static_cast<int>(std::ceil(from.x)); x <= static_cast<int>(to.x); ++x) {
                std::uint8_t& cell = covered[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.x) +
                                             static_cast<std::size_t>(x)];
                cell |= static_cast<std::uint8_t>(cell == 0 && hull.contains(glm::vec2(x, y)));
            }
        }
    }
    const auto points = static_cast<double>(std::count(covered.begin(), covered.end(), 1));
    return points * double{step} * double{step};
}

} // namespace aureole
