#include "import/extreme_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>

namespace aureole {

namespace {

constexpr std::size_t kDirections = 128;
constexpr double kUnreached = -std::numeric_limits<double>::infinity();

/// Coordinates by themselves, so that the compiler tries a point along several directions at once.
struct Directions {
    std::array<double, kDirections> x{};
    std::array<double, kDirections> y{};
    std::array<double, kDirections> z{};
};

/// Both ways along the axes, then a spiral around the sphere whose turns lie as far apart as its points.
Directions directionsAround() {
    constexpr std::size_t kAxes = 6;
    const double goldenAngle = kPi * (3.0 - std::sqrt(5.0));
    Directions all;
    all.x[0] = all.y[2] = all.z[4] = 1.0;
    all.x[1] = all.y[3] = all.z[5] = -1.0;
    for (std::size_t i = kAxes; i < kDirections; ++i) {
        const auto step = static_cast<double>(i - kAxes);
        all.y[i] = 1.0 - (2.0 * step + 1.0) / (kDirections - kAxes);
        const double radius = std::sqrt(1.0 - all.y[i] * all.y[i]);
        all.x[i] = radius * std::cos(goldenAngle * step);
        all.z[i] = radius * std::sin(goldenAngle * step);
    }
    return all;
}

const Directions& directions() {
    static const Directions all = directionsAround();
    return all;
}

} // namespace

ExtremePoints::ExtremePoints()
    : farthest_(kDirections)
    , reach_(kDirections, kUnreached) {}

void ExtremePoints::add(const glm::dvec3& point) {
    const Directions& along = directions();
    std::array<double, kDirections> reach{};
    for (std::size_t i = 0; i < kDirections; ++i) {
        reach[i] = point.x * along.x[i] + point.y * along.y[i] + point.z * along.z[i];
    }
    for (std::size_t i = 0; i < kDirections; ++i) {
        if (reach[i] > reach_[i]) {
            reach_[i] = reach[i];
            farthest_[i] = point;
        }
    }
}

void ExtremePoints::add(const Bounds& box) {
    if (hold(box)) {
        return; // most of many boxes lie within others
    }
    for (unsigned number = 0; number < 8; ++number) {
        add(box.corner(number));
    }
}

bool ExtremePoints::hold(const Bounds& box) const {
    if (box.empty()) {
        return true;
    }
    const Directions& along = directions();
    const glm::dvec3 middle = box.centre();
    const glm::dvec3 half = 0.5 * box.extent();
    bool all = true;
    for (std::size_t i = 0; i < kDirections; ++i) {
        const double reach = middle.x * along.x[i] + middle.y * along.y[i] + middle.z * along.z[i] +
                             half.x * std::abs(along.x[i]) + half.y * std::abs(along.y[i]) +
                             half.z * std::abs(along.z[i]);
        all = all && reach <= reach_[i];
    }
    return all;
}

std::vector<glm::dvec3> ExtremePoints::points() const {
    std::vector<glm::dvec3> points;
    for (std::size_t i = 0; i < kDirections; ++i) {
        if (reach_[i] > kUnreached) {
            points.push_back(farthest_[i]);
        }
    }
    const auto key = [](const glm::dvec3& point) { return std::tuple(point.x, point.y, point.z); };
    std::sort(points.begin(), points.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
}

} // namespace aureole
