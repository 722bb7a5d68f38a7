#include "model/pattern.h"

#include <algorithm>
#include <cmath>

namespace aureole {

namespace {

/// The cell that a coordinate lies in. Far from the origin doubles are sparse, but never beyond the range.
std::int64_t cellOf(double coordinate) {
    return static_cast<std::int64_t>(std::clamp(std::floor(coordinate), -9e18, 9e18));
}

std::uint32_t mix(std::uint32_t x) {
    // The finaliser of MurmurHash3.
    x ^= x >> 16U;
    x *= 0x85ebca6bU;
    x ^= x >> 13U;
    x *= 0xc2b2ae35U;
    return x ^ (x >> 16U);
}

/// The twelve directions to the middles of a cube's edges. A table, as the processor cannot predict branches by a hash.
constexpr std::array<std::array<double, 3>, 12> kDirections = {{{1, 1, 0},
                                                                {-1, 1, 0},
                                                                {1, -1, 0},
                                                                {-1, -1, 0},
                                                                {1, 0, 1},
                                                                {-1, 0, 1},
                                                                {1, 0, -1},
                                                                {-1, 0, -1},
                                                                {0, 1, 1},
                                                                {0, -1, 1},
                                                                {0, 1, -1},
                                                                {0, -1, -1}}};

std::uint32_t hashWith(std::uint32_t hash, std::int64_t coordinate) {
    const auto bits = static_cast<std::uint64_t>(coordinate);
    hash = mix(hash ^ static_cast<std::uint32_t>(bits)) + static_cast<std::uint32_t>(bits >> 32U);
    return mix(hash + 0x9e3779b9U);
}

using Cell = std::array<std::int64_t, 3>;

/// The directions of the slopes at a cell's eight corners, as indices of kDirections; bit i of a corner's number is its
/// step along axis i. Corners share the steps of their first coordinates: 14 for 24.
std::array<std::uint32_t, 8> cornerSlopes(const Cell& cell, std::uint32_t seed) {
    std::array<std::uint32_t, 8> hashes{mix(seed + 0x9e3779b9U)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t known = std::size_t{1} << axis;
        for (std::size_t i = 0; i < known; ++i) {
            hashes[known + i] = hashWith(hashes[i], cell[axis] + 1);
            hashes[i] = hashWith(hashes[i], cell[axis]);
        }
    }
    for (std::uint32_t& hash : hashes) {
        hash %= static_cast<std::uint32_t>(kDirections.size());
    }
    return hashes;
}

/// As cornerSlopes. Samples of a surface mostly lie in the cell of the sample before, so each thread remembers a cell
/// for each of sixteen seeds: octaves have seeds that follow each other.
const std::array<std::uint32_t, 8>& rememberedSlopes(const Cell& cell, std::uint32_t seed) {
    struct Slot {
        Cell cell{};
        std::uint32_t seed = 0;
        std::array<std::uint32_t, 8> slopes = cornerSlopes({0, 0, 0}, 0);
    };
    thread_local std::array<Slot, 16> slots;
    Slot& slot = slots[seed % slots.size()];
    if (slot.seed != seed || slot.cell != cell) {
        slot = {cell, seed, cornerSlopes(cell, seed)};
    }
    return slot.slopes;
}

double fade(double t) {
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

double checker(const Pattern& pattern, const glm::dvec3& position, const glm::dvec3& normal) {
    const glm::dvec3 place = position / pattern.size - 1e-3 * normal;
    const std::int64_t parity = cellOf(place.x) ^ cellOf(place.y) ^ cellOf(place.z);
    return (parity & 1) != 0 ? 1.0 : 0.0;
}

double noise(const Pattern& pattern, const glm::dvec3& position) {
    double sum = 0.0;
    double strength = 1.0;
    double strengths = 0.0;
    glm::dvec3 place = position / pattern.size;
    for (std::uint32_t i = 0; i < pattern.octaves; ++i) {
        sum += strength * gradientNoise(place, pattern.seed + i);
        strengths += strength;
        strength *= 0.5;
        place *= 2.0;
    }
    return std::clamp(0.5 + 0.5 * sum / strengths, 0.0, 1.0);
}

} // namespace

double gradientNoise(const glm::dvec3& position, std::uint32_t seed) {
    const std::array<std::uint32_t, 8>& slopes =
        rememberedSlopes({cellOf(position.x), cellOf(position.y), cellOf(position.z)}, seed);
    const glm::dvec3 offset = position - glm::floor(position);
    const glm::dvec3 weight(fade(offset.x), fade(offset.y), fade(offset.z));
    const std::array<glm::dvec3, 2> offsets = {offset, offset - 1.0};
    const std::array<glm::dvec3, 2> shares = {glm::abs(1.0 - weight), weight};
    double sum = 0.0;
    for (std::size_t corner = 0; corner < 8; ++corner) {
        const std::array<std::size_t, 3> step = {corner & 1U, (corner >> 1U) & 1U, corner >> 2U};
        const std::array<double, 3>& direction = kDirections[slopes[corner]];
        sum +=
            shares[step[0]].x * shares[step[1]].y * shares[step[2]].z *
            (direction[0] * offsets[step[0]].x + direction[1] * offsets[step[1]].y + direction[2] * offsets[step[2]].z);
    }
    return std::clamp(sum, -1.0, 1.0);
}

glm::vec3 patternColour(const Pattern& pattern, const glm::dvec3& position, const glm::dvec3& normal) {
    const double share =
        pattern.kind == PatternKind::Checker ? checker(pattern, position, normal) : noise(pattern, position);
    return glm::mix(pattern.colours[0], pattern.colours[1], static_cast<float>(share));
}

} // namespace aureole
