#include "denoise/holes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/threads/parallel.h"

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

/// What is known of a pixel.
enum class State : std::uint8_t {
    Known,
    Hole,
    AtEdge, ///< a hole beside a known pixel, which is to be filled
};

/// Those of the 8 pixels around one that are of a state.
std::vector<std::size_t> around(std::size_t pixel, std::size_t width, const std::vector<State>& states, State wanted) {
    std::vector<std::size_t> found;
    const std::size_t x = pixel % width;
    const std::size_t y = pixel / width;
    for (std::size_t v = y - std::min<std::size_t>(y, 1); v < std::min(y + 2, states.size() / width); ++v) {
        for (std::size_t u = x - std::min<std::size_t>(x, 1); u < std::min(x + 2, width); ++u) {
            if (v * width + u != pixel && states[v * width + u] == wanted) {
                found.push_back(v * width + u);
            }
        }
    }
    return found;
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
    const std::vector<std::size_t> holes = holesOf(planes, pixels);
    if (holes.size() == pixels) {
        for (const std::span<float> plane : planes) {
            std::fill(plane.begin(), plane.end(), 0.0F);
        }
        return pixels;
    }
    std::vector<State> states(holes.empty() ? 0 : pixels, State::Known);
    for (const std::size_t hole : holes) {
        states[hole] = State::Hole;
    }
    std::vector<std::size_t> ring;
    for (const std::size_t hole : holes) {
        if (!around(hole, width, states, State::Known).empty()) {
            ring.push_back(hole);
        }
    }
    while (!ring.empty()) {
        for (const std::size_t hole : ring) {
            states[hole] = State::AtEdge;
            const std::vector<std::size_t> known = around(hole, width, states, State::Known);
            for (const std::span<float> plane : planes) {
                fill(plane, hole, known);
            }
        }
        // Each hole is looked at from those that were filled beside it, so that a large one takes no longer for each
        // pixel.
        std::vector<std::size_t> next;
        for (const std::size_t filled : ring) {
            states[filled] = State::Known;
            for (const std::size_t hole : around(filled, width, states, State::Hole)) {
                states[hole] = State::AtEdge;
                next.push_back(hole);
            }
        }
        ring = std::move(next);
    }
    return holes.size();
}

void zeroHoles(std::span<float> values) {
    forEachIndex(values.size(), [&](std::size_t i) {
        float& value = values[i];
        value = isKnown(value) ? value : 0.0F;
    });
}

} // namespace aureole
