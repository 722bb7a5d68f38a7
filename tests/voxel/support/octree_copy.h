#pragma once

#include <cstring>

#include "voxel/tree/octree.h"

namespace aureole::test {

template <typename T>
bool sameBytes(const Array<T>& a, const Array<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// A copy in memory of its own.
Octree copyOf(const Octree& octree);

/// Whether two octrees are the same byte for byte.
bool identical(const Octree& a, const Octree& b);
bool identical(const EmitterArrays& a, const EmitterArrays& b);

} // namespace aureole::test
