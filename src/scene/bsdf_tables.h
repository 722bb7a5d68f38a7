#pragma once

#include <span>
#include <vector>

#include "core/math.h"
#include "scene/scene.h"

namespace aureole {

/// The tables behind PathParams::bsdfTables (shared/bsdf_tables.h), as far as the materials need them; empty where they
/// need none. Integrated once in a process for all scenes: for metallic-roughness in about 40 ms on two cores, for
/// every index of refraction that a rough dielectric has in about 200 ms. Entries are good to 0.3 %, at the most
/// grazing angles of the roughest surfaces to 1 %.
std::vector<glm::vec2> makeBsdfTables(std::span<const Material> materials);

/// Which of these tables each material has: 0 for all that is no rough dielectric.
std::vector<std::uint32_t> bsdfTablesOf(std::span<const Material> materials);

} // namespace aureole
