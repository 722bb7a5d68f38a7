#pragma once

#include <cstdint>

#include "voxel/tree/octree.h"

namespace aureole {

constexpr std::uint32_t kSmallestGyroid = 64;
constexpr std::uint32_t kLargestGyroid = 16384;

/// Whether a gyroid has that side: a power of two from kSmallestGyroid to kLargestGyroid.
bool isGyroidSide(std::uint32_t side);

/// A number of voxels that a gyroid of that side has at least, from 256 on short by 3 % at most: for what wants to know
/// before it is made.
std::uint64_t leastGyroidVoxels(std::uint32_t side);

/// The surface voxels of a gyroid shell on a grid of side^3, which fills the unit cube of the world: much surface, in
/// every direction, to measure traversal and compression on. With g = sin kx cos ky + sin ky cos kz + sin kz cos kx,
/// k = 2 pi / (side / 4) and r the distance from the centre over 0.48 side, a voxel is solid where
/// max(|g| - 0.12, 12 (r - 1)) changes sign among its eight corners. The same voxels on every machine and for any
/// number of threads. Grey, with the normals of the surface.
/// Throws Error: Internal for another side, OutOfMemory where an octree's indices could not count the voxels.
Octree makeGyroid(std::uint32_t side);

} // namespace aureole
