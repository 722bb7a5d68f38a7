#pragma once

#include <filesystem>

#include "import/octree_header.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Whether a file is named as octree files are.
bool isOctreeFile(const std::filesystem::path& file);

/// Writes an octree to a file (.avo; import/octree_header.h has the format): whole or not at all. Throws Error:
/// CannotWrite, Interrupted.
void writeOctree(const std::filesystem::path& file, const Octree& octree);

/// As above for a cache, beside other work: without a bar of progress, and the disk is not waited for (FileSync::No).
/// `lamps`, where they are valid, are those of an octree that has none of its own.
void writeCachedOctree(const std::filesystem::path& file, const Octree& octree, const ComingLamps& lamps);

/// Maps an octree file into memory. All of it is checked before it is used: sizes, checksums, and that every index
/// leads into the array it is for. What is changed in the octree afterwards does not reach the file. Throws
/// Error: BadInput, Interrupted.
/// The octree stays with the file as it was opened, whatever takes its name later: writeOctree never changes a file in
/// place. One that another program truncates while it is mapped raises SIGBUS, which is left to end the program: a
/// handler could only invent voxels, and a copy would cost the memory that mapping saves.
Octree loadOctree(const std::filesystem::path& file);

} // namespace aureole
