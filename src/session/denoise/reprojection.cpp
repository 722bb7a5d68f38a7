#include "session/denoise/reprojection.h"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

#include <fmt/format.h>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "denoise/holes.h"
#include "image/attributes.h"

namespace aureole {

namespace {

/// Depths of one point, seen from two places, differ by less: a pixel of a slope has several.
constexpr double kSameDepth = 0.05;

/// All points have a w of 1 then.
bool isOrthographic(const glm::dmat4& matrix) {
    return matrix[0][3] == 0.0 && matrix[1][3] == 0.0 && matrix[2][3] == 0.0;
}

glm::dmat4 ofRows(const glm::dvec4& x, const glm::dvec4& y, const glm::dvec4& z, const glm::dvec4& w) {
    return glm::transpose(glm::dmat4(x, y, z, w));
}

/// The dot product with a direction, of a point beside the camera.
glm::dvec4 along(const glm::dvec3& direction, const glm::dvec3& position) {
    return {direction, -glm::dot(direction, position)};
}

/// What a picture's pixels are in another one.
class Reprojection {
public:
    Reprojection(const glm::dmat4& from, const glm::dmat4& to)
        : change_(to * glm::inverse(from))
        , fromDepth_(isOrthographic(from))
        , toDepth_(isOrthographic(to)) {}

    /// Pixels and depth of a pixel's middle; none where it is behind the camera, or at no known place. A depth of 0 is
    /// that of the sky.
    std::optional<glm::dvec3> operator()(std::uint32_t x, std::uint32_t y, float depth) const {
        if (fromDepth_ && depth <= 0.0F) {
            return std::nullopt;
        }
        const double distance = depth;
        const double z = fromDepth_ ? distance : (depth > 0.0F ? 1.0 / distance : 0.0);
        const glm::dvec4 there = change_ * glm::dvec4(x + 0.5, y + 0.5, z, 1.0);
        if (!(there.w > 0.0)) {
            return std::nullopt;
        }
        const glm::dvec3 found = glm::dvec3(there) / there.w;
        const double seen = toDepth_ ? found.z : (found.z > kSky ? 1.0 / found.z : 0.0);
        return glm::dvec3(found.x, found.y, seen);
    }

private:
    /// Inverses of depths below are those of the sky, but for rounding.
    static constexpr double kSky = 1e-12;

    glm::dmat4 change_;
    bool fromDepth_;
    bool toDepth_;
};

bool areKnown(const Sight& here, const Sight& there) {
    return here.worldToPixel && there.worldToPixel && !here.depth.empty() && !there.depth.empty();
}

} // namespace

std::optional<glm::dmat4> worldToPixel(const Camera& camera, const View& view) {
    if (camera.projection == Projection::Equirectangular) {
        return std::nullopt;
    }
    const glm::dvec3 forward = glm::normalize(camera.target - camera.position);
    const glm::dvec3 right = glm::normalize(glm::cross(forward, camera.up));
    const glm::dvec3 up = glm::cross(right, forward);
    const glm::dvec2 size(view.size);
    const bool perspective = camera.projection == Projection::Perspective;
    const double halfHeight = perspective ? std::tan(glm::radians(camera.verticalFov) / 2.0) : 0.5 * camera.height;
    const double pixels = 0.5 * size.y / halfHeight; // along an axis for a unit at distance 1
    const glm::dvec4 one(0.0, 0.0, 0.0, 1.0);
    const glm::dvec4 depth = along(forward, camera.position);
    const glm::dvec4 w = perspective ? depth : one;
    const glm::dvec2 middle = 0.5 * size - glm::dvec2(view.cropOrigin);
    return ofRows(pixels * along(right, camera.position) + middle.x * w,
                  -pixels * along(up, camera.position) + middle.y * w, perspective ? one : depth, w);
}

std::string worldToPixelText(const glm::dmat4& matrix) {
    std::string text;
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
            text += fmt::format("{}{}", text.empty() ? "" : " ", matrix[column][row]);
        }
    }
    return text;
}

Sight sightOf(const Image& image, const std::string& file) {
    Sight sight{std::nullopt, {}, image.width, image.height};
    if (const Channel* const depth = image.find("depth.Z")) {
        sight.depth = depth->values;
        zeroHoles(sight.depth);
    }
    const std::string text = attributeOf(image, kWorldToPixelAttribute);
    if (text.empty()) {
        return sight;
    }
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    glm::dmat4 matrix(0.0);
    bool isMatrix = true;
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
            isMatrix = isMatrix && static_cast<bool>(stream >> matrix[column][row]);
        }
    }
    if (!isMatrix || !std::isnormal(glm::determinant(matrix))) {
        fail(ExitCode::BadInput,
             "{}: found the attribute {} \"{}\", expected the 16 numbers of a matrix with an inverse", file,
             kWorldToPixelAttribute, text);
    }
    sight.worldToPixel = matrix;
    return sight;
}

std::vector<SeenPoint> pointsOf(const Sight& here, const Sight& there) {
    std::vector<SeenPoint> points(std::size_t{here.width} * here.height);
    std::optional<Reprojection> reproject;
    if (areKnown(here, there)) {
        reproject.emplace(*here.worldToPixel, *there.worldToPixel);
    }
    forEachIndex(points.size(), [&](std::size_t i) {
        const auto x = static_cast<std::uint32_t>(i % here.width);
        const auto y = static_cast<std::uint32_t>(i / here.width);
        if (!reproject) {
            points[i] = {{x + 0.5, y + 0.5}, there.depth.empty() ? 0.0 : static_cast<double>(there.depth[i])};
            return;
        }
        const std::optional<glm::dvec3> seen = (*reproject)(x, y, here.depth[i]);
        if (seen && seen->x >= 0.0 && seen->y >= 0.0 && seen->x < here.width && seen->y < here.height) {
            points[i] = {glm::dvec2(*seen), seen->z};
        }
    });
    return points;
}

bool isSameDepth(double expected, double found) {
    return expected <= 0.0 || found <= 0.0 ? expected <= 0.0 && found <= 0.0
                                           : std::abs(found - expected) <= kSameDepth * expected;
}

} // namespace aureole
