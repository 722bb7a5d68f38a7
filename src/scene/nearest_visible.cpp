#include "scene/nearest_visible.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace aureole {

namespace {

/// The corners of a box's faces, in their order around each.
constexpr std::array<std::array<unsigned, 4>, 6> kFaces = {
    {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}}};

using BoxCorners = std::array<glm::dvec3, 8>;

/// The corners with the camera at the origin: x to the right, y up, z along the view axis.
BoxCorners cornersBefore(const Camera& camera, const PlacedBox& box) {
    const glm::dvec3 forward = glm::normalize(camera.target - camera.position);
    const glm::dvec3 right = glm::normalize(glm::cross(forward, camera.up));
    const glm::dvec3 up = glm::cross(right, forward);
    BoxCorners corners;
    for (unsigned i = 0; i < 8; ++i) {
        const glm::dvec3 corner((i & 1U) != 0 ? box.bounds.max.x : box.bounds.min.x,
                                (i & 2U) != 0 ? box.bounds.max.y : box.bounds.min.y,
                                (i & 4U) != 0 ? box.bounds.max.z : box.bounds.min.z);
        const glm::dvec3 at = glm::dvec3(box.worldFromBox * glm::dvec4(corner, 1.0)) - camera.position;
        corners[i] = {glm::dot(at, right), glm::dot(at, up), glm::dot(at, forward)};
    }
    return corners;
}

/// A half space: dot(normal, p) + offset >= 0.
struct HalfSpace {
    glm::dvec3 normal{0.0};
    double offset = 0.0;
};

/// The part of a polygon in a half space (Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974).
std::vector<glm::dvec3> clipped(const std::vector<glm::dvec3>& polygon, const HalfSpace& half) {
    std::vector<glm::dvec3> part;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const glm::dvec3& a = polygon[i];
        const glm::dvec3& b = polygon[(i + 1) % polygon.size()];
        const double over = glm::dot(half.normal, a) + half.offset;
        const double next = glm::dot(half.normal, b) + half.offset;
        if (over >= 0.0) {
            part.push_back(a);
        }
        if ((over < 0.0) != (next < 0.0)) {
            part.push_back(glm::mix(a, b, over / (over - next)));
        }
    }
    return part;
}

/// What a camera of a flat picture sees of the world: a point at depth z is in the picture from some point of the lens
/// where |x| <= width(z) and |y| <= height(z), which the lens widens by r |1 - z / f|. In front of the plane in focus
/// and behind it that is convex.
class Frustum {
public:
    Frustum(const Camera& camera, const glm::uvec2& size)
        : pixels_(size.y)
        , lens_(camera.apertureRadius)
        , focus_(camera.focusDistance > 0.0 ? camera.focusDistance : glm::length(camera.target - camera.position)) {
        const double aspect = static_cast<double>(size.x) / size.y;
        if (camera.projection == Projection::Orthographic) {
            height_ = 0.5 * camera.height;
        } else {
            slope_ = std::tan(glm::radians(camera.verticalFov) / 2.0);
        }
        aspect_ = aspect;
    }

    /// How wide a pixel is at a depth.
    double pixelAt(double depth) const { return 2.0 * (height_ + slope_ * depth) / pixels_; }

    /// The least depth of a polygon's part in it.
    std::optional<double> nearest(const std::vector<glm::dvec3>& polygon) const {
        std::optional<double> least;
        for (const double side : {1.0, -1.0}) { // before the plane in focus, and behind it
            std::vector<glm::dvec3> part = polygon;
            for (const HalfSpace& half : halfSpaces(side)) {
                part = part.empty() ? part : clipped(part, half);
            }
            for (const glm::dvec3& corner : part) {
                least = std::min(least.value_or(corner.z), corner.z);
            }
            if (lens_ == 0.0) {
                break;
            }
        }
        return least;
    }

private:
    std::vector<HalfSpace> halfSpaces(double side) const {
        const double widened = side * lens_;
        const double slope = -widened / focus_;
        std::vector<HalfSpace> halves = {{{0.0, 0.0, 1.0}, 0.0}};
        for (const double sign : {1.0, -1.0}) {
            halves.push_back({{sign, 0.0, slope_ * aspect_ + slope}, height_ * aspect_ + widened});
            halves.push_back({{0.0, sign, slope_ + slope}, height_ + widened});
        }
        if (lens_ > 0.0) {
            halves.push_back({{0.0, 0.0, -side}, side * focus_});
        }
        return halves;
    }

    double pixels_;
    double lens_;
    double focus_;
    double height_ = 0.0; ///< half of it: constant, of parallel rays, and by depth
    double slope_ = 0.0;
    double aspect_ = 1.0;
};

double distanceToSegment(const glm::dvec3& a, const glm::dvec3& b) {
    const glm::dvec3 along = b - a;
    const double square = glm::dot(along, along);
    const double t = square > 0.0 ? std::clamp(-glm::dot(a, along) / square, 0.0, 1.0) : 0.0;
    return glm::length(a + t * along);
}

/// The distance of the origin from a parallelogram.
double distanceToFace(const BoxCorners& corners, const std::array<unsigned, 4>& face) {
    const glm::dvec3& corner = corners[face[0]];
    const glm::dvec3 u = corners[face[1]] - corner;
    const glm::dvec3 v = corners[face[3]] - corner;
    const glm::dvec3 normal = glm::cross(u, v);
    const double square = glm::dot(normal, normal);
    if (square > 0.0) {
        const double s = glm::dot(glm::cross(-corner, v), normal) / square;
        const double t = glm::dot(glm::cross(u, -corner), normal) / square;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
            return std::abs(glm::dot(corner, normal)) / std::sqrt(square);
        }
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 4; ++i) {
        least = std::min(least, distanceToSegment(corners[face[i]], corners[face[(i + 1) % 4]]));
    }
    return least;
}

double distanceTo(const BoxCorners& corners) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& face : kFaces) {
        least = std::min(least, distanceToFace(corners, face));
    }
    return least;
}

/// At a distance from a camera that looks there.
double pixelAround(const Camera& camera, const glm::uvec2& size, double distance) {
    if (camera.projection == Projection::Equirectangular) {
        return distance * kPi / size.y;
    }
    return Frustum(camera, size).pixelAt(distance);
}

} // namespace

std::optional<NearestPlace> nearestVisible(const Camera& camera, const glm::uvec2& size, const PlacedBox& box) {
    const BoxCorners corners = cornersBefore(camera, box);
    if (camera.projection == Projection::Equirectangular) {
        const double distance = distanceTo(corners);
        return NearestPlace{distance, pixelAround(camera, size, distance)};
    }
    const Frustum frustum(camera, size);
    std::optional<double> least;
    for (const auto& face : kFaces) {
        const std::optional<double> depth =
            frustum.nearest({corners[face[0]], corners[face[1]], corners[face[2]], corners[face[3]]});
        if (depth) {
            least = std::min(least.value_or(*depth), *depth);
        }
    }
    return least ? std::optional(NearestPlace{*least, frustum.pixelAt(*least)}) : std::nullopt;
}

NearestPlace nearestAnywhere(const Camera& camera, const glm::uvec2& size, const PlacedBox& box) {
    const double distance = distanceTo(cornersBefore(camera, box));
    return {distance, pixelAround(camera, size, distance)};
}

} // namespace aureole
