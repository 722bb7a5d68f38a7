#pragma once

// The numbers that the film's layers have for instances and assets, and the names of these.

#include <cstdint>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace aureole {

/// Numbers count from 1, so that 0 is nothing. All that is in the scene's own octree is one instance of one asset, both
/// named "scene".
struct InstanceNumbers {
    std::vector<std::string> instances; ///< the name of each: of Scene::gridPlacements, where there are any
    std::vector<std::uint32_t> assetOf; ///< the number of each one's asset
    std::vector<std::string> assets;    ///< the name of each
};

InstanceNumbers instanceNumbers(const Scene& scene);

/// The names with their numbers, a line "number name" each; of neighbours with one name, "first-last name".
std::string numberedNames(const std::vector<std::string>& names);

} // namespace aureole
