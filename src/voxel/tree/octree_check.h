#pragma once

#include <filesystem>

#include "voxel/tree/octree.h"

namespace aureole {

/// Checks an octree that came from outside: that every index leads into the array it is for, every level follows the
/// one above as the builder leaves them, and the attribute bases count the masks. Throws Error (BadInput) naming
/// `file`.
void checkOctree(const std::filesystem::path& file, const Octree& octree);

} // namespace aureole
