#include "denoise/holes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/parallel.h"

namespace aureole {

namespace {

bool isKnown(float value) {
    return std::abs(value) < kBrightest; // a NaN is below nothing
}

bool isHole(const std::vector<std::span<float>>& planes, std::size_t pixel) {
    return std::any_of(planes.begin(), planes.end(), [&](const std::span<float> plane) {
        return !isKnown(plane[3 * pixel]) || !isKnown(plane[3 * pixel + 1]) || !isKnown(plane[3 * pixel + 2]);
    });
}

std::vector<std::size_t> holesOf(const std::vector<std::span<float>>& planes, std::size_t pixels) {
    std::vector<std::size_t> holes;
    for (const std::vector<std::size_t>&ofRun : ofRuns(pixels, [&](std::size_t first, std::size_t end) {
             std::vector<std::size_t> found;
             for (std::size_t i = first; i < end; ++i) {
                 if (isHole(planes, i)) {
                     found.push_back(i);
                 }
             }
             return found;
         })) {
        holes.insert(holes.end(), ofRun.begin(), ofRun.end());
    }
    return holes;
}

/// The pixels around one that are no holes.
std::vector<std::size_t> knownAround(std::size_t pixel, std::size_t width, const std::vector<std::uint8_t>& unknown) {
    std::vector<std::size_t> known;
    const std::size_t x = pixel % width;
    const std::size_t y = pixel / width;
    for (std::size_t v = y - std::min<std::size_t>(y, 1); v < std::min(y + 2, unknown.size() / width); ++v) {
        for (std::size_t u = x - std::min<std::size_t>(x, 1); u < std::min(x + 2, width); ++u) {
            if (unknown[v * width + u] == 0) {
                known.push_back(v * width + u);
            }
        }
    }
    return known;
}

void fill(std::span<float> plane, std::size_t pixel, const std::vector<std::size_t>& from) {
    for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0.0;
        for (const std::size_t neighbour : from) {
            sum += plane[3 * neighbour + c];
        }
        plane[3 * pixel + c] = static_cast<float>(sum / static_cast<double>(from.size()));
    }
}

} // namespace

std::size_t fillHoles(std::uint32_t width, const std::vector<std::span<float>>& planes) {
    const std::size_t pixels = planes.front().size() / 3;
    std::vector<std::size_t> holes = holesOf(planes, pixels);
    const std::size_t count = holes.size();
    if (count == pixels) {
        for (const std::span<float> plane : planes) {
            std::fill(plane.begin(), plane.end(), 0.0F);
        }
        return count;
    }
    std::vector<std::uint8_t> unknown(count == 0 ? 0 : pixels, 0);
    for (const std::size_t hole : holes) {
        unknown[hole] = 1;
    }
    while (!holes.empty()) {
        std::vector<std::size_t> filled;
        std::vector<std::size_t> left;
        for (const std::size_t hole : holes) {
            const std::vector<std::size_t> known = knownAround(hole, width, unknown);
            for (const std::span<float> plane : planes) {
                if (!known.empty()) {
                    fill(plane, hole, known);
                }
            }
            (known.empty() ? left : filled).push_back(hole);
        }
        for (const std::size_t hole : filled) {
            unknown[hole] = 0;
        }
        holes = std::move(left);
    }
    return count;
}

void zeroHoles(std::span<float> values) {
    parallelFor(static_cast<std::int64_t>(values.size()), kPixelsAtOnce, [&](std::int64_t i) {
        float& value = values[static_cast<std::size_t>(i)];
        value = isKnown(value) ? value : 0.0F;
    });
}

} // namespace aureole
