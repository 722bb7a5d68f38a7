#include "image/finish/warp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

/// Where the ideal picture's distance r from the middle is shown.
double distorted(const LensDistortion& lens, double r) {
    const double square = r * r;
    return r * (1.0 + square * (lens.k1 + square * lens.k2));
}

/// The distance, up to the corner's, that is shown at `shown`: Newton's method, held within a bracket.
double undistorted(const LensDistortion& lens, double shown) {
    double low = 0.0;
    double high = 1.0;
    double r = std::min(shown, 1.0);
    for (int i = 0; i < 60; ++i) {
        const double error = distorted(lens, r) - shown;
        if (std::abs(error) < 1e-14) {
            break;
        }
        (error > 0.0 ? high : low) = r;
        const double next = r - error / lens.slope(r);
        r = next > low && next < high ? next : 0.5 * (low + high);
    }
    return r;
}

/// How much the distorted picture must grow to fill a frame whose border lies from `nearest` to 1 from its middle: of
/// all places of the border, none may show more than the ideal picture has in its direction.
double fillingScale(const LensDistortion& lens, double nearest) {
    constexpr int kSteps = 256;
    double scale = distorted(lens, 1.0);
    for (int i = 0; i < kSteps; ++i) {
        const double r = glm::mix(nearest, 1.0, static_cast<double>(i) / kSteps);
        scale = std::min(scale, distorted(lens, r) / r);
    }
    return scale;
}

/// Weights of four pixels, the place `t` of the way from the second to the third.
std::array<double, 4> cubicWeights(double t) {
    return {0.5 * t * (t * (2.0 - t) - 1.0), 0.5 * (t * t * (3.0 * t - 5.0) + 2.0),
            0.5 * t * (t * (4.0 - 3.0 * t) + 1.0), 0.5 * t * t * (t - 1.0)};
}

glm::vec4 interpolated(const FinishPixels& pixels, const glm::dvec2& place) {
    const glm::dvec2 inside = glm::clamp(place - 0.5, glm::dvec2(0.0), pixels.size() - 1.0);
    const glm::dvec2 floor = glm::floor(inside);
    const std::array<double, 4> across = cubicWeights(inside.x - floor.x);
    const std::array<double, 4> down = cubicWeights(inside.y - floor.y);
    const auto clamped = [](double at, std::size_t offset, std::uint32_t count) {
        const auto moved = static_cast<std::int64_t>(at) + static_cast<std::int64_t>(offset) - 1;
        return static_cast<std::size_t>(std::clamp<std::int64_t>(moved, 0, std::int64_t{count} - 1));
    };
    glm::dvec4 sum(0.0);
    glm::vec4 least(std::numeric_limits<float>::infinity());
    glm::vec4 most(-std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < 4; ++j) {
        for (std::size_t i = 0; i < 4; ++i) {
            if (across.at(i) == 0.0 || down.at(j) == 0.0) {
                continue; // a light without bounds beside the place is none of its own
            }
            const glm::vec4& value = pixels.at(clamped(floor.x, i, pixels.width), clamped(floor.y, j, pixels.height));
            sum += across.at(i) * down.at(j) * glm::dvec4(value);
            if (i % 3 != 0 && j % 3 != 0) {
                least = glm::min(least, value);
                most = glm::max(most, value);
            }
        }
    }
    return glm::clamp(glm::vec4(sum), least, most);
}

} // namespace

Warp::Warp(const glm::dvec2& size, const std::optional<Bulge>& bulge, const std::optional<LensDistortion>& distortion)
    : size_(size)
    , bulge_(bulge)
    , distortion_(distortion) {
    if (!distortion_) {
        return;
    }
    if (distortion_->folds()) {
        fail(ExitCode::Usage, "a lens distortion of k1 = {:g} and k2 = {:g} shows some places twice", distortion_->k1,
             distortion_->k2);
    }
    scale_ = fillingScale(*distortion_, std::min(size.x, size.y) / glm::length(size));
}

glm::dvec2 Warp::source(const glm::dvec2& place) const {
    return throughBulge(throughLens(place));
}

glm::dvec2 Warp::throughLens(const glm::dvec2& place) const {
    const glm::dvec2 from = fromMiddle(place, size_);
    const double shown = glm::length(from);
    if (!distortion_ || shown == 0.0) {
        return place;
    }
    return 0.5 * size_ + undistorted(*distortion_, scale_ * shown) / shown * (place - 0.5 * size_);
}

/// Within the radius R, the place at r shows that at r (1 - amount (1 - (r/R)^2)^2): smooth at R, and never twice.
glm::dvec2 Warp::throughBulge(const glm::dvec2& place) const {
    if (!bulge_) {
        return place;
    }
    const glm::dvec2 centre = bulge_->centre * size_;
    const double part = glm::length(place - centre) / (bulge_->radius * std::min(size_.x, size_.y));
    const double within = std::max(1.0 - part * part, 0.0);
    return centre + (1.0 - bulge_->amount * within * within) * (place - centre);
}

FinishPixels warped(const FinishPixels& pixels, const Warp& warp) {
    FinishPixels result{pixels.width, pixels.height, std::vector<glm::vec4>(pixels.values.size())};
    parallelFor(pixels.height, 1, [&](std::int64_t y) {
        for (std::uint32_t x = 0; x < pixels.width; ++x) {
            const glm::dvec2 place = warp.source({x + 0.5, static_cast<double>(y) + 0.5});
            result.values[static_cast<std::size_t>(y) * pixels.width + x] = interpolated(pixels, place);
        }
    });
    return result;
}

} // namespace aureole
