#pragma once

#include <span>
#include <vector>

#include "core/math.h"
#include "scene/scene.h"

namespace aureole {

/// The tables behind PathParams::bsdfTables (shared/bsdf/bsdf_tables.h), as far as the materials need them; empty where
/// they need none. 107 kB each, integrated once in a process for all scenes: for metallic-roughness in 50 ms of a core,
/// for every index of refraction that a rough dielectric has in 200 to 300 ms of a core, on all cores together. For
/// cosines from 1e-4 they are at most 0.12 % more than is scattered once and nowhere 0.03 % less, so that compensation
/// loses rather than wins light; from inside, of index 1.1, 0.19 % and 0.04 %, of 1.02, 0.7 % and 0.16 %.
std::vector<glm::vec2> makeBsdfTables(std::span<const Material> materials);

/// Which of these tables each material has: 0 for all that is no rough dielectric.
std::vector<std::uint32_t> bsdfTablesOf(std::span<const Material> materials);

} // namespace aureole
