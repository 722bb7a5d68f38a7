#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/math.h"

namespace aureole::test {

/// A node above leaves that has one value in place of a child.
struct NvdbTile {
    bool isUpper;      ///< of children that are 128 voxels wide, else 8
    glm::ivec3 corner; ///< of the node
    std::uint32_t child;
    float value;
};

/// A .nvdb file that is not packed, of a level set, or fog, named "ball" with voxels of half a metre: its head, its
/// grid's, its tree's and root's, leaves at these corners, and nodes with tiles, to which the root does not point.
std::string makeNvdb(const std::vector<glm::ivec3>& leaves, const std::function<double(const glm::dvec3&)>& distance,
                     bool isFog = false, const std::vector<NvdbTile>& tiles = {});

/// As makeNvdb, of colours (vec3f) named `name`; those whose red is below 0 are not active. Behind another such file it
/// is a second grid of that.
std::string makeNvdbColours(const std::string& name, const std::vector<glm::ivec3>& leaves,
                            const std::function<glm::vec3(const glm::dvec3&)>& colour);

/// Where in such a file its grid starts.
inline constexpr std::size_t kNvdbGrid = 16 + 176 + 5;

} // namespace aureole::test
