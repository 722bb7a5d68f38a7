#pragma once

#include <span>
#include <vector>

#include "core/math.h"
#include "scene/scene.h"

namespace aureole {

/// The tables behind PathParams::bsdfTables (shared/bsdf_tables.h), as far as the materials need them; empty where they
/// need none. 107 kB each, integrated once in a process for all scenes: for metallic-roughness in 50 ms of a core, for
/// every index of refraction that a rough dielectric has in 200 to 300 ms of a core, on all cores together. What they
/// say is reflected is at most 0.1 % too much (at indices from 1.5, for cosines from 1e-4; near the angle of total
/// reflection of lower ones 0.2 %), and nowhere too little.
std::vector<glm::vec2> makeBsdfTables(std::span<const Material> materials);

/// Which of these tables each material has: 0 for all that is no rough dielectric.
std::vector<std::uint32_t> bsdfTablesOf(std::span<const Material> materials);

} // namespace aureole
