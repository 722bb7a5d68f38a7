#include "session/denoise/steady_frames.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/math.h"
#include "core/threads/parallel.h"
#include "denoise/window_sums.h"

namespace aureole {

namespace {

/// Lights of one point that differ by such a part, or by such a part of the noise before it was taken out (their
/// squares), may be equal.
constexpr double kLightTolerance = 0.1;
constexpr double kNoiseTolerance = 0.1;
/// Albedos that differ by so much may be equal, and lights seen directly that differ by such a part.
constexpr double kAlbedoTolerance = 0.2;
constexpr double kDirectTolerance = 0.5;
/// Normals of one surface are no farther apart.
constexpr float kSameNormal = 0.2F;
/// A point lies no farther from the middle of a pixel that shows the same texture, along x and y. From 0.15 on, means
/// blurred more than the noise of albedos that camera rays tell.
constexpr double kOffMiddle = 0.03;
/// What noise is averaged over, to each side.
constexpr int kNoiseWindow = 2;

glm::vec3 tripleAt(const std::vector<float>& plane, std::size_t pixel) {
    return {plane[3 * pixel], plane[3 * pixel + 1], plane[3 * pixel + 2]};
}

double brightness(const glm::vec3& colour) {
    return static_cast<double>(colour.x + colour.y + colour.z) / 3.0;
}

/// What a filtered light is multiplied by.
glm::vec3 divisorAt(const DenoiseInput& features, std::size_t pixel) {
    return features.albedo.empty() ? glm::vec3(1.0F)
                                   : glm::max(tripleAt(features.albedo, pixel), glm::vec3(0.0F)) + kLeastAlbedo;
}

bool isNearMiddle(const glm::dvec2& place) {
    const glm::dvec2 off = glm::abs(place - glm::floor(place) - 0.5);
    return std::max(off.x, off.y) <= kOffMiddle;
}

/// A frame's colour under way.
class SteadyMean {
public:
    explicit SteadyMean(const FrameView& frame)
        : frame_(frame)
        , width_(static_cast<int>(frame.sight.width))
        , height_(static_cast<int>(frame.sight.height))
        , lights_(frame.lights)
        , lightSums_(lights_.size())
        , lookSums_(lights_.size()) {
        forEachIndex(lights_.size(), [&](std::size_t i) {
            lightSums_[i] = glm::vec4(lights_[i], 1.0F);
            lookSums_[i] = lookOf(frame, i, 1.0F);
        });
    }

    void add(const FrameView& other) {
        const std::vector<SeenPoint> points = pointsOf(frame_.sight, other.sight);
        std::vector<glm::vec4> seen(points.size());
        forEachIndex(points.size(), [&](std::size_t i) { seen[i] = lightSeen(other, points[i], i); });
        forEachIndex(points.size(), [&](std::size_t i) {
            if (seen[i].w == 0.0F) {
                return;
            }
            const auto weight = static_cast<float>(likeness(seen, i));
            lightSums_[i] += weight * seen[i];
            if (isNearMiddle(points[i].place)) {
                const std::size_t there = pixelIndex(glm::ivec2(points[i].place), width_);
                const Look look = lookOf(other, there, static_cast<float>(weight * lookLikeness(other, there, i)));
                lookSums_[i].divisor += look.divisor;
                lookSums_[i].direct += look.direct;
                lookSums_[i].weight += look.weight;
            }
        });
    }

    std::vector<float> colour() const {
        std::vector<float> result(3 * lights_.size());
        forEachIndex(lights_.size(), [&](std::size_t i) {
            const Look& look = lookSums_[i];
            const glm::vec3 light = glm::vec3(lightSums_[i]) / lightSums_[i].w;
            const glm::vec3 colour = (light * look.divisor + look.direct) / look.weight;
            for (int c = 0; c < 3; ++c) {
                result[3 * i + static_cast<std::size_t>(c)] = colour[c];
            }
        });
        return result;
    }

private:
    /// What light is multiplied by, and what is added to it, times a weight.
    struct Look {
        glm::vec3 divisor{};
        glm::vec3 direct{};
        float weight = 0.0F;
    };

    static glm::vec3 directAt(const FrameView& frame, std::size_t pixel) {
        return frame.direct.empty() ? glm::vec3(0.0F) : tripleAt(frame.direct, pixel);
    }

    static Look lookOf(const FrameView& frame, std::size_t pixel, float weight) {
        return {weight * divisorAt(frame.features, pixel), weight * directAt(frame, pixel), weight};
    }

    /// The light at a point of another frame, from the pixels about it that show its surface, and 1; or 0, where most
    /// show another.
    glm::vec4 lightSeen(const FrameView& other, const SeenPoint& point, std::size_t here) const {
        glm::vec4 sum(0.0F);
        if (point.place.x < 0.0) {
            return sum;
        }
        const glm::dvec2 corner = glm::floor(point.place - 0.5);
        const glm::dvec2 share = point.place - 0.5 - corner;
        for (int k = 0; k < 4; ++k) {
            const glm::ivec2 place = glm::ivec2(corner) + glm::ivec2(k % 2, k / 2);
            const double weight = (k % 2 == 0 ? 1.0 - share.x : share.x) * (k / 2 == 0 ? 1.0 - share.y : share.y);
            if (place.x < 0 || place.y < 0 || place.x >= width_ || place.y >= height_) {
                continue;
            }
            const std::size_t there = pixelIndex(place, width_);
            if (isSameSurface(other, there, point.depth, here)) {
                sum += static_cast<float>(weight) * glm::vec4(other.lights[there], 1.0F);
            }
        }
        return sum.w >= 0.5F ? sum / sum.w : glm::vec4(0.0F);
    }

    bool isSameSurface(const FrameView& other, std::size_t there, double depth, std::size_t here) const {
        const std::vector<float>& depths = other.sight.depth;
        const std::vector<float>& normals = frame_.features.normal;
        const std::vector<float>& otherNormals = other.features.normal;
        return (depths.empty() || isSameDepth(depth, static_cast<double>(depths[there]))) &&
               (normals.empty() || otherNormals.empty() ||
                glm::distance(tripleAt(normals, here), tripleAt(otherNormals, there)) <= kSameNormal);
    }

    /// How alike what was seen is to what this frame has about a pixel, 1 at most: over 3x3 pixels, so that little
    /// noise is left in the difference.
    double likeness(const std::vector<glm::vec4>& seen, std::size_t pixel) const {
        const int column = static_cast<int>(pixel) % width_;
        const int row = static_cast<int>(pixel) / width_;
        double difference = 0.0;
        double light = 0.0;
        double count = 0.0;
        for (int y = std::max(row - 1, 0); y <= std::min(row + 1, height_ - 1); ++y) {
            for (int x = std::max(column - 1, 0); x <= std::min(column + 1, width_ - 1); ++x) {
                const std::size_t i = pixelIndex({x, y}, width_);
                if (seen[i].w > 0.0F) {
                    difference += brightness(glm::vec3(seen[i]) - lights_[i]);
                    light += brightness(lights_[i]);
                    count += 1.0;
                }
            }
        }
        const double tolerance = kLightTolerance * light / count;
        const auto noise = static_cast<double>(frame_.noise[pixel]);
        difference /= count;
        return std::exp(-difference * difference / (tolerance * tolerance + kNoiseTolerance * noise + 1e-30));
    }

    double lookLikeness(const FrameView& other, std::size_t there, std::size_t here) const {
        const glm::vec3 albedoGap = divisorAt(other.features, there) - divisorAt(frame_.features, here);
        const glm::vec3 before = directAt(frame_, here);
        const glm::vec3 after = directAt(other, there);
        double unlike = static_cast<double>(glm::dot(albedoGap, albedoGap)) / (kAlbedoTolerance * kAlbedoTolerance);
        const double gap = brightness(after - before);
        const double most = kDirectTolerance * std::max(brightness(before), brightness(after));
        unlike += gap * gap / (most * most + 1e-30);
        return std::exp(-unlike);
    }

    const FrameView& frame_;
    int width_;
    int height_;
    const std::vector<glm::vec3>& lights_;
    std::vector<glm::vec4> lightSums_; ///< with the weights' sum
    std::vector<Look> lookSums_;
};

} // namespace

std::vector<glm::vec3> lightsOf(const DenoiseInput& features, const std::vector<float>& light) {
    std::vector<glm::vec3> lights(light.size() / 3);
    forEachIndex(lights.size(), [&](std::size_t i) { lights[i] = tripleAt(light, i) / divisorAt(features, i); });
    return lights;
}

std::vector<float> noiseOf(const DenoiseInput& features, const std::vector<float>& half,
                           const std::vector<float>& otherHalf) {
    std::vector<glm::dvec2> ofPixels(half.size() / 3); // and 1, whose sums are the pixels of the windows
    forEachIndex(ofPixels.size(), [&](std::size_t i) {
        const double gap = 0.5 * brightness((tripleAt(half, i) - tripleAt(otherHalf, i)) / divisorAt(features, i));
        ofPixels[i] = {gap * gap, 1.0};
    });
    const std::vector<glm::dvec2> sums =
        windowSums(std::move(ofPixels), glm::ivec2(features.width, features.height), kNoiseWindow);
    std::vector<float> noise(sums.size());
    forEachIndex(noise.size(), [&](std::size_t i) { noise[i] = static_cast<float>(sums[i].x / sums[i].y); });
    return noise;
}

std::vector<float> steadyColour(const FrameView& frame, const std::vector<FrameView>& others) {
    SteadyMean mean(frame);
    for (const FrameView& other : others) {
        mean.add(other);
    }
    return mean.colour();
}

} // namespace aureole
