#pragma once

// Brute force for coverage: does a triangle, moved by (e, e^2, e^3) with e infinitely small, meet the closed cube of a
// voxel? Decided by where edges pierce faces, with every number carried as a polynomial in e.

#include <array>
#include <functional>
#include <set>
#include <tuple>
#include <vector>

#include "core/math.h"

namespace aureole::test {

/// Vertices in units of 1/256 voxel.
using LatticeTriangle = std::array<glm::ivec3, 3>;

bool touches(const LatticeTriangle& triangle, const glm::ivec3& voxel);

/// Whether the triangle crosses one of the three axis segments through the voxel's centre, from face to face.
bool crosses(const LatticeTriangle& triangle, const glm::ivec3& voxel);

using VoxelSet = std::set<std::tuple<int, int, int>>;

/// All voxels of a grid that the triangles touch.
VoxelSet bruteForce(const std::vector<LatticeTriangle>& triangles, const glm::ivec3& gridSize,
                    const std::function<bool(const LatticeTriangle&, const glm::ivec3&)>& covers = touches);

} // namespace aureole::test
