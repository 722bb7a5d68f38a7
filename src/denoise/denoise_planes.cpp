#include "denoise/denoise_planes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "core/error.h"
#include "core/log.h"
#include "core/threads/parallel.h"
#include "shared/denoise/regression.h"

namespace aureole {
namespace {

/// Pixels to each side of the window in which the noise is averaged: two halves alone tell little of it.
constexpr int kNoiseWindow = 2;
/// What depth counts beside the other features: its logarithm changes by some hundredths in a window, and slopes pay
/// for their squares (DENOISE_RIDGE).
constexpr float kDepth = 10.0F;
/// Features are no larger: fits lose all digits to what other programs may have in such layers, and become no numbers.
constexpr float kLargestFeature = 1e3F;
/// How far beyond what is about it a half of a pixel may be.
constexpr float kMostBeyond = 2.0F;

void checkSize(const DenoiseInput& input, std::string_view name, const std::vector<float>& plane,
               std::size_t components, bool mayBeEmpty) {
    const std::size_t expected = std::size_t{input.width} * input.height * components;
    if (plane.size() != expected && !(mayBeEmpty && plane.empty())) {
        fail(ExitCode::Internal, "denoise: the plane of {} has {} floats, a picture of {}x{} has {}", name,
             plane.size(), input.width, input.height, expected);
    }
}

glm::vec3 tripleAt(const std::vector<float>& plane, std::size_t pixel) {
    return {plane[3 * pixel], plane[3 * pixel + 1], plane[3 * pixel + 2]};
}

/// The sum of what body(i) is for each i below `count`.
template <typename Body>
double sumOf(std::size_t count, const Body& body) {
    const std::vector<double> sums = ofRuns(count, [&](std::size_t first, std::size_t end) {
        double sum = 0.0;
        for (std::size_t i = first; i < end; ++i) {
            sum += static_cast<double>(body(i));
        }
        return sum;
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void takeColours(DenoisePlanes& planes, const DenoiseInput& input) {
    const std::size_t pixels = planes.pixelCount();
    planes.light = sumOf(input.colour.size(), [&](std::size_t i) { return input.colour[i]; });
    planes.colour.resize(pixels);
    planes.halves.resize(2 * pixels);
    forEachIndex(planes.pixelCount(), [&](std::size_t i) {
        planes.colour[i] = tripleAt(input.colour, i);
        planes.halves[i] = tripleAt(input.half, i);
        planes.halves[pixels + i] = tripleAt(input.otherHalf, i);
    });
}

void divideByAlbedo(DenoisePlanes& planes, const DenoiseInput& input) {
    const std::size_t pixels = planes.pixelCount();
    planes.divisors.resize(pixels);
    forEachIndex(planes.pixelCount(), [&](std::size_t i) {
        if (input.albedo.empty()) {
            planes.divisors[i] = glm::vec3(1.0F);
            return;
        }
        for (int c = 0; c < 3; ++c) {
            planes.divisors[i][c] = std::max(tripleAt(input.albedo, i)[c], 0.0F) + kLeastAlbedo;
        }
        planes.colour[i] /= planes.divisors[i];
        planes.halves[i] /= planes.divisors[i];
        planes.halves[pixels + i] /= planes.divisors[i];
    });
}

/// Bounds each half of a pixel, by its brightness, to kMostBeyond times the brightest of the 8 pixels around it, in
/// either half, and of the pixel's other half. A rare bright sample beyond that would be spread over all pixels that
/// are alike. What it loses comes back with the mean.
void boundOutliers(DenoisePlanes& planes) {
    if (planes.pixelCount() < 2) {
        return; // there is nothing about it
    }
    const auto width = static_cast<int>(planes.width);
    const auto height = static_cast<int>(planes.height);
    glm::vec3* const halves[] = {planes.halves.data(), planes.halves.data() + planes.pixelCount()};
    RawVector<glm::vec2> brightness(planes.pixelCount());
    forEachIndex(planes.pixelCount(), [&](std::size_t i) {
        brightness[i] = glm::vec2(glm::dot(halves[0][i], glm::vec3(1.0F)), glm::dot(halves[1][i], glm::vec3(1.0F)));
    });
    forEachIndex(planes.pixelCount(), [&](std::size_t i) {
        const int column = static_cast<int>(i % planes.width);
        const int row = static_cast<int>(i / planes.width);
        float around = 0.0F;
        for (int y = std::max(row - 1, 0); y <= std::min(row + 1, height - 1); ++y) {
            const glm::vec2* const line = brightness.data() + static_cast<std::size_t>(y) * planes.width;
            for (int x = std::max(column - 1, 0); x <= std::min(column + 1, width - 1); ++x) {
                const glm::vec2 there = line[x];
                around = x == column && y == row ? around : std::max({around, there.x, there.y});
            }
        }
        for (int half = 0; half < 2; ++half) {
            const float most = kMostBeyond * std::max(around, brightness[i][1 - half]);
            if (brightness[i][half] > most) {
                const float left = most / brightness[i][half];
                // The mean of both loses as much: where the filter leaves it a share, that would be a speck.
                planes.colour[i] = glm::max(planes.colour[i] - 0.5F * (1.0F - left) * halves[half][i], 0.0F);
                halves[half][i] *= left;
            }
        }
    });
}

/// The variance of two halves that differ by d is d^2 / 2 each; averaged over a window.
void takeVariances(DenoisePlanes& planes) {
    const auto width = static_cast<int>(planes.width);
    const auto height = static_cast<int>(planes.height);
    const std::size_t pixels = planes.pixelCount();
    RawVector<glm::vec3> alongRows(pixels);
    parallelFor(height, 16, [&](std::int64_t y) {
        const std::size_t row = static_cast<std::size_t>(y) * planes.width;
        for (int x = 0; x < width; ++x) {
            glm::vec3 sum(0.0F);
            for (int i = std::max(x - kNoiseWindow, 0); i <= std::min(x + kNoiseWindow, width - 1); ++i) {
                const std::size_t pixel = row + static_cast<std::size_t>(i);
                const glm::vec3 gap = planes.halves[pixel] - planes.otherHalf(pixel);
                sum += 0.5F * gap * gap;
            }
            alongRows[row + static_cast<std::size_t>(x)] = sum;
        }
    });
    planes.variances.resize(pixels);
    parallelFor(height, 16, [&](std::int64_t y) {
        const int first = std::max(static_cast<int>(y) - kNoiseWindow, 0);
        const int last = std::min(static_cast<int>(y) + kNoiseWindow, height - 1);
        for (int x = 0; x < width; ++x) {
            glm::vec3 sum(0.0F);
            for (int i = first; i <= last; ++i) {
                sum += alongRows[static_cast<std::size_t>(i) * planes.width + static_cast<std::size_t>(x)];
            }
            const int columns = std::min(x + kNoiseWindow, width - 1) - std::max(x - kNoiseWindow, 0) + 1;
            planes.variances[static_cast<std::size_t>(y) * planes.width + static_cast<std::size_t>(x)] =
                sum / static_cast<float>(columns * (last - first + 1));
        }
    });
}

float farthestOf(const std::vector<float>& depths) {
    float farthest = 0.0F;
    for (const float ofRun : ofRuns(depths.size(), [&](std::size_t first, std::size_t end) {
             return *std::max_element(depths.data() + first, depths.data() + end);
         })) {
        farthest = std::max(farthest, ofRun);
    }
    return farthest;
}

/// Depth counts as its logarithm, so that no unit matters; the sky is as far as what is farthest.
void takeFeatures(DenoisePlanes& planes, const DenoiseInput& input) {
    const float farthest = farthestOf(input.depth);
    planes.features.resize(planes.pixelCount());
    forEachIndex(planes.pixelCount(), [&](std::size_t i) {
        shared::DenoiseFeatures& features = planes.features[i];
        features = {};
        for (std::size_t c = 0; c < 3; ++c) {
            const float albedo = input.albedo.empty() ? 0.0F : input.albedo[3 * i + c];
            const float normal = input.normal.empty() ? 0.0F : input.normal[3 * i + c];
            features.at[c] = std::clamp(albedo, -kLargestFeature, kLargestFeature);
            features.at[3 + c] = std::clamp(normal, -kLargestFeature, kLargestFeature);
        }
        const float depth = input.depth.empty() ? 0.0F : input.depth[i];
        // Their quotient may be too small for a float.
        features.at[6] = depth > 0.0F && farthest > 0.0F ? kDepth * (std::log(depth) - std::log(farthest)) : 0.0F;
    });
}

/// How much of a filtered value may be off: the standard error of the noisy one, the mean of two halves, or all of it.
double doubtfulPart(const DenoisePlanes& planes, std::size_t pixel, int channel, float value) {
    const double noise = std::sqrt(0.5 * static_cast<double>(planes.variances[pixel][channel]));
    return std::min(noise * static_cast<double>(planes.divisors[pixel][channel]), std::abs(static_cast<double>(value)));
}

/// Tells of light that a picture has lost for good, beyond a hundredth of it.
void warnOfLostLight(double light, double before) {
    if (before > 0.0 && light < 0.99 * before) {
        logWarning("denoising left out {:.0f} % of the light, which few samples have: more of them bring it back",
                   100.0 * (1.0 - light / before));
    }
}

/// Gives the picture the mean of the noisy one, which is right on average: a filter loses some of rare bright light.
/// Each value gets back in proportion to its doubtful part, most often a few hundredths of that; more than a tenth
/// would show.
void keepMean(std::vector<float>& picture, const DenoisePlanes& planes) {
    constexpr double kMostGiven = 0.1;
    const double light = sumOf(picture.size(), [&](std::size_t i) { return picture[i]; });
    const double doubtful = sumOf(picture.size(), [&](std::size_t i) {
        return doubtfulPart(planes, i / 3, static_cast<int>(i % 3), picture[i]);
    });
    const double share = doubtful > 0.0 ? std::clamp((planes.light - light) / doubtful, -kMostGiven, kMostGiven) : 0.0;
    warnOfLostLight(light + share * doubtful, planes.light);
    if (share == 0.0) {
        return;
    }
    forEachIndex(planes.pixelCount(), [&](std::size_t i) {
        for (int c = 0; c < 3; ++c) {
            float& value = picture[3 * i + static_cast<std::size_t>(c)];
            value += static_cast<float>(share * doubtfulPart(planes, i, c, value));
        }
    });
}

} // namespace

shared::DenoisePicture sharedPicture(const DenoisePlanes& planes) {
    const auto address = [](const auto& values) { return reinterpret_cast<std::uint64_t>(values.data()); };
    shared::DenoisePicture picture{};
    picture.halves = address(planes.halves);
    picture.variances = address(planes.variances);
    picture.features = address(planes.features);
    picture.width = static_cast<int>(planes.width);
    picture.height = static_cast<int>(planes.height);
    return picture;
}

DenoisePlanes denoisePlanes(const DenoiseInput& input, DenoisePlanes planes) {
    checkSize(input, "colour", input.colour, 3, false);
    checkSize(input, "the first half", input.half, 3, false);
    checkSize(input, "the other half", input.otherHalf, 3, false);
    checkSize(input, "albedo", input.albedo, 3, true);
    checkSize(input, "normals", input.normal, 3, true);
    checkSize(input, "depth", input.depth, 1, true);
    planes.width = input.width;
    planes.height = input.height;
    takeColours(planes, input);
    divideByAlbedo(planes, input);
    boundOutliers(planes);
    takeVariances(planes);
    takeFeatures(planes, input);
    return planes;
}

std::vector<float> denoisedPicture(const DenoisePlanes& planes, std::span<const glm::vec3> colours) {
    std::vector<float> picture(3 * colours.size());
    forEachIndex(planes.pixelCount(), [&](std::size_t i) {
        const glm::vec3 colour = colours[i] * planes.divisors[i];
        for (int c = 0; c < 3; ++c) {
            picture[3 * i + static_cast<std::size_t>(c)] = colour[c];
        }
    });
    keepMean(picture, planes);
    return picture;
}

} // namespace aureole
