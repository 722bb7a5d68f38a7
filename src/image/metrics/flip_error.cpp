#include "image/metrics/flip_error.h"

#include <algorithm>
#include <cmath>

#include "core/threads/parallel.h"

namespace aureole {

namespace {

// Andersson et al. 2020, section 4.
constexpr float kColourExponent = 0.7F;
constexpr float kCorner = 0.4F;       ///< the part of the largest colour difference at which the scale has its corner
constexpr float kCornerScore = 0.95F; ///< what that scores

/// Linear Rec. 709 to XYZ over that of white, by columns. XYZ is that of sRGB's primaries under D65 with white at
/// (0.950428545, 1, 1.088900371).
glm::dmat3 relativeXyzFromRgb() {
    const glm::dmat3 xyz = {
        {10135552.0 / 24577794.0, 2613072.0 / 12288897.0, 1425312.0 / 73733382.0},
        {8788810.0 / 24577794.0, 8788810.0 / 12288897.0, 8788810.0 / 73733382.0},
        {4435075.0 / 24577794.0, 887015.0 / 12288897.0, 70074185.0 / 73733382.0},
    };
    const glm::dvec3 white = xyz * glm::dvec3(1.0);
    return {xyz[0] / white, xyz[1] / white, xyz[2] / white};
}

const glm::mat3& fromRgb() {
    static const glm::mat3 matrix(relativeXyzFromRgb());
    return matrix;
}

const glm::mat3& toRgb() {
    static const glm::mat3 matrix(glm::inverse(relativeXyzFromRgb()));
    return matrix;
}

float labCurve(float t) {
    constexpr float kDelta = 6.0F / 29.0F;
    return t > kDelta * kDelta * kDelta ? std::cbrt(t) : t / (3.0F * kDelta * kDelta) + 4.0F / 29.0F;
}

/// CIELAB with a and b scaled by lightness: Hunt's effect, that colours look the more colourful the brighter they are.
glm::vec3 huntLab(const glm::vec3& rgb) {
    const glm::vec3 xyz = fromRgb() * rgb;
    const glm::vec3 f = {labCurve(xyz.x), labCurve(xyz.y), labCurve(xyz.z)};
    const float lightness = 116.0F * f.y - 16.0F;
    return {lightness, 0.01F * lightness * 500.0F * (f.x - f.y), 0.01F * lightness * 200.0F * (f.y - f.z)};
}

float length(float x, float y) {
    return std::sqrt(x * x + y * y);
}

/// The distance HyAB, for large differences: of lightness plus of colour.
float hyab(const glm::vec3& a, const glm::vec3& b) {
    return std::abs(a.x - b.x) + length(a.y - b.y, a.z - b.z);
}

/// The difference between green and blue, which is the largest of any two colours.
float largestColourDifference() {
    static const float difference =
        std::pow(hyab(huntLab({0.0F, 1.0F, 0.0F}), huntLab({0.0F, 0.0F, 1.0F})), kColourExponent);
    return difference;
}

/// The error of one colour against another, in [0, 1]. Small differences take most of the scale.
float colourError(const glm::vec3& a, const glm::vec3& b) {
    const float largest = largestColourDifference();
    const float corner = kCorner * largest;
    const float difference = std::pow(hyab(a, b), kColourExponent);
    if (difference < corner) {
        return difference * (kCornerScore / corner);
    }
    return kCornerScore + (1.0F - kCornerScore) * (difference - corner) / (largest - corner);
}

/// One row of an image as the eye filters it, and the features in it.
struct Row {
    std::vector<float> luminance, redGreen, blueYellowNarrow, blueYellowWide;
    std::vector<float> edgeX, edgeY, pointX, pointY;
};

Row filteredRow(const OpponentImage& image, const FlipFilters& filters, std::size_t y) {
    const auto down = [&](const FlipKernel& kernel, std::size_t plane) {
        return flipFilterDown(kernel, {image.planes[plane].data(), image.width, image.height}, y);
    };
    const auto both = [&](const FlipKernel& kernel, std::size_t plane) {
        return flipFilterAlong(kernel, down(kernel, plane));
    };
    const std::vector<float> smooth = down(filters.smooth, 0);
    return {
        .luminance = both(filters.luminance, 0),
        .redGreen = both(filters.redGreen, 1),
        .blueYellowNarrow = both(filters.blueYellowNarrow, 2),
        .blueYellowWide = both(filters.blueYellowWide, 2),
        .edgeX = flipFilterAlong(filters.edge, smooth),
        .edgeY = flipFilterAlong(filters.smooth, down(filters.edge, 0)),
        .pointX = flipFilterAlong(filters.point, smooth),
        .pointY = flipFilterAlong(filters.smooth, down(filters.point, 0)),
    };
}

glm::vec3 seenColour(const Row& row, float blueYellowShare, std::size_t x) {
    const float luminance = row.luminance[x];
    const float blueYellow =
        blueYellowShare * row.blueYellowNarrow[x] + (1.0F - blueYellowShare) * row.blueYellowWide[x];
    const glm::vec3 rgb = toRgb() * glm::vec3(luminance + row.redGreen[x], luminance, luminance - blueYellow);
    return huntLab(glm::clamp(rgb, 0.0F, 1.0F));
}

/// In [0, 1]: how much clearer edges or points are in one image than in the other.
float featureError(const Row& a, const Row& b, std::size_t x) {
    const float edge = std::abs(length(a.edgeX[x], a.edgeY[x]) - length(b.edgeX[x], b.edgeY[x]));
    const float point = std::abs(length(a.pointX[x], a.pointY[x]) - length(b.pointX[x], b.pointY[x]));
    const float error = std::sqrt(std::max(edge, point) / std::sqrt(2.0F)); // to the power of 1/2
    return std::min(error, 1.0F);                                           // but for rounding it is
}

} // namespace

OpponentImage opponentImage(std::size_t width, std::size_t height, const std::function<glm::vec3(std::size_t)>& pixel) {
    OpponentImage result{width, height, {}};
    for (std::vector<float>& plane : result.planes) {
        plane.resize(width * height);
    }
    parallelFor(static_cast<std::int64_t>(height), 16, [&](std::int64_t y) {
        const std::size_t first = static_cast<std::size_t>(y) * width;
        for (std::size_t i = first; i < first + width; ++i) {
            const glm::vec3 xyz = fromRgb() * pixel(i);
            result.planes[0][i] = xyz.y;
            result.planes[1][i] = xyz.x - xyz.y;
            result.planes[2][i] = xyz.y - xyz.z;
        }
    });
    return result;
}

std::vector<float> flipErrors(const OpponentImage& image, const OpponentImage& reference, const FlipFilters& filters) {
    std::vector<float> errors(image.width * image.height);
    parallelFor(static_cast<std::int64_t>(image.height), 4, [&](std::int64_t line) {
        const auto y = static_cast<std::size_t>(line);
        const Row a = filteredRow(image, filters, y);
        const Row b = filteredRow(reference, filters, y);
        for (std::size_t x = 0; x < image.width; ++x) {
            const float colour =
                colourError(seenColour(a, filters.blueYellowShare, x), seenColour(b, filters.blueYellowShare, x));
            const float error = std::pow(colour, 1.0F - featureError(a, b, x));
            errors[y * image.width + x] = std::min(error, 1.0F);
        }
    });
    return errors;
}

} // namespace aureole
