#include "denoise/denoise_planes.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/parallel.h"

namespace aureole {
namespace {

/// Pixels to each side of the window in which the noise is averaged: two halves alone tell little of it.
constexpr int kNoiseWindow = 2;
/// Squares of brighter colours would not be finite.
constexpr float kBrightest = 1e15F;
/// Added to the albedo that colours are divided by.
constexpr float kLeastAlbedo = 0.05F;

/// What `body` makes of each run of pixels, from a first to an end, in the order of the runs.
template <typename Body>
auto ofRuns(std::size_t pixels, const Body& body) {
    constexpr auto kRun = static_cast<std::size_t>(kPixelsAtOnce);
    std::vector<decltype(body(pixels, pixels))> results(divideUp(pixels, kRun));
    parallelFor(static_cast<std::int64_t>(results.size()), 1, [&](std::int64_t number) {
        const std::size_t first = static_cast<std::size_t>(number) * kRun;
        results[static_cast<std::size_t>(number)] = body(first, std::min(first + kRun, pixels));
    });
    return results;
}

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

float finiteOr0(float value) {
    return std::abs(value) < kBrightest ? value : 0.0F;
}

bool usable(glm::vec3 colour) {
    // A NaN is below nothing.
    return std::abs(colour.x) < kBrightest && std::abs(colour.y) < kBrightest && std::abs(colour.z) < kBrightest;
}

/// Fills pixels that are not usable, ring by ring, with the mean of their usable neighbours.
void fillHoles(DenoisePlanes& planes, std::vector<std::size_t> holes) {
    const std::size_t pixels = planes.pixelCount();
    if (holes.size() == pixels) {
        std::fill(planes.colour.begin(), planes.colour.end(), glm::vec3(0.0F));
        std::fill(planes.halves.begin(), planes.halves.end(), glm::vec3(0.0F));
        return;
    }
    std::vector<std::uint8_t> isHole(pixels, 0);
    for (const std::size_t hole : holes) {
        isHole[hole] = 1;
    }
    const auto width = static_cast<std::int64_t>(planes.width);
    const auto height = static_cast<std::int64_t>(planes.height);
    while (!holes.empty()) {
        std::vector<std::size_t> filled;
        std::vector<std::size_t> left;
        for (const std::size_t hole : holes) {
            const std::int64_t x = static_cast<std::int64_t>(hole) % width;
            const std::int64_t y = static_cast<std::int64_t>(hole) / width;
            glm::vec3 sums[3] = {};
            float count = 0.0F;
            for (std::int64_t v = std::max<std::int64_t>(y - 1, 0); v <= std::min(y + 1, height - 1); ++v) {
                for (std::int64_t u = std::max<std::int64_t>(x - 1, 0); u <= std::min(x + 1, width - 1); ++u) {
                    const auto neighbour = static_cast<std::size_t>(v * width + u);
                    if (isHole[neighbour] == 0) {
                        sums[0] += planes.colour[neighbour];
                        sums[1] += planes.halves[neighbour];
                        sums[2] += planes.halves[pixels + neighbour];
                        count += 1.0F;
                    }
                }
            }
            if (count == 0.0F) {
                left.push_back(hole);
                continue;
            }
            planes.colour[hole] = sums[0] / count;
            planes.halves[hole] = sums[1] / count;
            planes.halves[pixels + hole] = sums[2] / count;
            filled.push_back(hole);
        }
        for (const std::size_t hole : filled) {
            isHole[hole] = 0;
        }
        holes = std::move(left);
    }
}

void takeColours(DenoisePlanes& planes, const DenoiseInput& input) {
    const std::size_t pixels = planes.pixelCount();
    planes.colour.resize(pixels);
    planes.halves.resize(2 * pixels);
    const auto holesOfRuns = ofRuns(pixels, [&](std::size_t first, std::size_t end) {
        std::vector<std::size_t> holes;
        for (std::size_t i = first; i < end; ++i) {
            planes.colour[i] = tripleAt(input.colour, i);
            planes.halves[i] = tripleAt(input.half, i);
            planes.halves[pixels + i] = tripleAt(input.otherHalf, i);
            if (!usable(planes.colour[i]) || !usable(planes.halves[i]) || !usable(planes.halves[pixels + i])) {
                holes.push_back(i);
            }
        }
        return holes;
    });
    std::vector<std::size_t> holes;
    for (const std::vector<std::size_t>& ofRun : holesOfRuns) {
        holes.insert(holes.end(), ofRun.begin(), ofRun.end());
    }
    fillHoles(planes, std::move(holes));
}

void divideByAlbedo(DenoisePlanes& planes, const DenoiseInput& input) {
    const std::size_t pixels = planes.pixelCount();
    planes.divisors.resize(pixels);
    forEachPixel(planes, [&](std::size_t i) {
        if (input.albedo.empty()) {
            planes.divisors[i] = glm::vec3(1.0F);
            return;
        }
        for (int c = 0; c < 3; ++c) {
            planes.divisors[i][c] = std::max(finiteOr0(tripleAt(input.albedo, i)[c]), 0.0F) + kLeastAlbedo;
        }
        planes.colour[i] /= planes.divisors[i];
        planes.halves[i] /= planes.divisors[i];
        planes.halves[pixels + i] /= planes.divisors[i];
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
                const glm::vec3 gap = planes.halves[pixel] - planes.halves[pixels + pixel];
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

/// Depth counts as its logarithm, so that no unit matters; the sky is as far as what is farthest.
void takeFeatures(DenoisePlanes& planes, const DenoiseInput& input) {
    float farthest = 0.0F;
    for (const float ofRun : ofRuns(input.depth.size(), [&](std::size_t first, std::size_t end) {
             float most = 0.0F;
             for (std::size_t i = first; i < end; ++i) {
                 most = std::max(most, finiteOr0(input.depth[i]));
             }
             return most;
         })) {
        farthest = std::max(farthest, ofRun);
    }
    planes.features.resize(planes.pixelCount());
    forEachPixel(planes, [&](std::size_t i) {
        shared::DenoiseFeatures& features = planes.features[i];
        features = {};
        for (std::size_t c = 0; c < 3; ++c) {
            features.at[c] = input.albedo.empty() ? 0.0F : finiteOr0(input.albedo[3 * i + c]);
            features.at[3 + c] = input.normal.empty() ? 0.0F : finiteOr0(input.normal[3 * i + c]);
        }
        const float depth = input.depth.empty() ? 0.0F : finiteOr0(input.depth[i]);
        // Their quotient may be too small for a float.
        features.at[6] = depth > 0.0F ? std::log(depth) - std::log(farthest) : 0.0F;
    });
}

/// How much of a filtered value may be off: the standard error of the noisy one, the mean of two halves, or all of it.
double doubtfulPart(const DenoisePlanes& planes, std::size_t pixel, int channel, float value) {
    const double noise = std::sqrt(0.5 * static_cast<double>(planes.variances[pixel][channel]));
    return std::min(noise * static_cast<double>(planes.divisors[pixel][channel]), std::abs(static_cast<double>(value)));
}

/// Gives the picture the mean of the noisy one, which is right on average: a filter loses some of rare bright light.
/// Each value gets back in proportion to its doubtful part, most often a few hundredths of that; more than a tenth
/// would show.
void keepMean(std::vector<float>& picture, const DenoisePlanes& planes) {
    constexpr double kMostGiven = 0.1;
    const auto sumsOfRuns = ofRuns(planes.pixelCount(), [&](std::size_t first, std::size_t end) {
        double missing = 0.0;
        double doubtful = 0.0;
        for (std::size_t i = first; i < end; ++i) {
            for (int c = 0; c < 3; ++c) {
                const float value = picture[3 * i + static_cast<std::size_t>(c)];
                missing +=
                    static_cast<double>(planes.colour[i][c] * planes.divisors[i][c]) - static_cast<double>(value);
                doubtful += doubtfulPart(planes, i, c, value);
            }
        }
        return std::pair(missing, doubtful);
    });
    double missing = 0.0;
    double doubtful = 0.0;
    for (const auto& [missingOfRun, doubtfulOfRun] : sumsOfRuns) {
        missing += missingOfRun;
        doubtful += doubtfulOfRun;
    }
    if (doubtful <= 0.0) {
        return;
    }
    const double share = std::clamp(missing / doubtful, -kMostGiven, kMostGiven);
    forEachPixel(planes, [&](std::size_t i) {
        for (int c = 0; c < 3; ++c) {
            float& value = picture[3 * i + static_cast<std::size_t>(c)];
            value += static_cast<float>(share * doubtfulPart(planes, i, c, value));
        }
    });
}

} // namespace

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
    takeVariances(planes);
    takeFeatures(planes, input);
    return planes;
}

std::vector<float> denoisedPicture(const DenoisePlanes& planes, std::span<const glm::vec3> colours) {
    std::vector<float> picture(3 * colours.size());
    forEachPixel(planes, [&](std::size_t i) {
        const glm::vec3 colour = colours[i] * planes.divisors[i];
        for (int c = 0; c < 3; ++c) {
            picture[3 * i + static_cast<std::size_t>(c)] = colour[c];
        }
    });
    keepMean(picture, planes);
    return picture;
}

} // namespace aureole
