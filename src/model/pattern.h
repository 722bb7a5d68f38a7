#pragma once

#include <array>
#include <cstdint>

#include "core/math.h"

namespace aureole {

enum class PatternKind { Checker, Noise };

/// Two colours over the space that surfaces lie in: what a material's albedo is at a place in the world.
struct Pattern {
    PatternKind kind = PatternKind::Checker;
    double size = 1.0;         ///< metres: side of a checker's cubes, of the cells of noise's first octave
    std::uint32_t octaves = 1; ///< of noise: each of half the cells' size and half the strength of the one before
    std::uint32_t seed = 0;    ///< of noise
    std::array<glm::vec3, 2> colours{glm::vec3(0.0F), glm::vec3(0.8F)}; ///< linear; components in [0, 1]
};

/// The pattern's colour at a place, on a surface that faces `normal` (unit length). A checker is looked up a thousandth
/// of its cubes' side below the surface, so that planes between cubes, such as a floor at height 0, show one layer.
glm::vec3 patternColour(const Pattern& pattern, const glm::dvec3& position, const glm::dvec3& normal);

/// Gradient noise in [-1, 1] that is 0 at whole coordinates; Perlin, "Improving Noise" (SIGGRAPH 2002), with an integer
/// hash in place of the permutation table.
double gradientNoise(const glm::dvec3& position, std::uint32_t seed);

} // namespace aureole
