#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/math.h"

namespace aureole::test {

/// A .nvdb file that is not packed, of a level set, or fog, named "ball" with voxels of half a metre: its head, its
/// grid's, its tree's and root's, and leaves at these corners, but none of the nodes above leaves, which point from the
/// root to them.
std::string makeNvdb(const std::vector<glm::ivec3>& leaves, const std::function<double(const glm::dvec3&)>& distance,
                     bool isFog = false);

/// Where in such a file its grid starts.
inline constexpr std::size_t kNvdbGrid = 16 + 176 + 5;

} // namespace aureole::test
