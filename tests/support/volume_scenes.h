#pragma once

// Volumes for tests: densities by a function.

#include <functional>

#include "model/density_grid.h"
#include "scene/scene.h"

namespace aureole::test {

/// Points from `low` to before `high` with the densities of a function of the place.
DensityGrid densityOf(const glm::ivec3& low, const glm::ivec3& high, double cell,
                      const std::function<double(const glm::dvec3&)>& density);

/// Places a volume of such densities in a scene.
void addVolume(Scene& scene, const DensityGrid& grid, const glm::vec3& scattering, const glm::vec3& absorption,
               float anisotropy);

} // namespace aureole::test
