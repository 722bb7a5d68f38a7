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

std::uint32_t hashOf(const std::array<std::int64_t, 3>& cell, std::uint32_t seed) {
    std::uint32_t hash = mix(seed + 0x9e3779b9U);
    for (const std::int64_t coordinate : cell) {
        const auto bits = static_cast<std::uint64_t>(coordinate);
        hash = mix(hash ^ static_cast<std::uint32_t>(bits)) + static_cast<std::uint32_t>(bits >> 32U);
        hash = mix(hash + 0x9e3779b9U);
    }
    return hash;
}

/// The offset from a corner along one of the twelve directions to the middles of a cube's edges.
double slope(std::uint32_t hash, const glm::dvec3& offset) {
    const std::uint32_t edge = hash % 12;
    const double first = edge < 8 ? offset.x : offset.y;
    const double second = edge < 4 ? offset.y : offset.z;
    return ((edge & 1U) != 0 ? -first : first) + ((edge & 2U) != 0 ? -second : second);
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
    const std::array<std::int64_t, 3> cell = {cellOf(position.x), cellOf(position.y), cellOf(position.z)};
    const glm::dvec3 offset = position - glm::floor(position);
    const glm::dvec3 weight(fade(offset.x), fade(offset.y), fade(offset.z));
    double sum = 0.0;
    for (unsigned corner = 0; corner < 8; ++corner) {
        const std::array<unsigned, 3> step = {corner & 1U, (corner >> 1U) & 1U, corner >> 2U};
        const glm::dvec3 from(step[0], step[1], step[2]);
        const glm::dvec3 share = glm::abs(1.0 - from - weight);
        const std::uint32_t hash = hashOf({cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]}, seed);
        sum += share.x * share.y * share.z * slope(hash, offset - from);
    }
    return std::clamp(sum, -1.0, 1.0);
}

glm::vec3 patternColour(const Pattern& pattern, const glm::dvec3& position, const glm::dvec3& normal) {
    const double share =
        pattern.kind == PatternKind::Checker ? checker(pattern, position, normal) : noise(pattern, position);
    return glm::mix(pattern.colours[0], pattern.colours[1], static_cast<float>(share));
}

} // namespace aureole
