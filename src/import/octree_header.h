#pragma once

// The first page of an octree file (.avo): what it holds and where. The octree's module reads and writes the rest
// (voxel/file/octree_file.h); a scene needs to know where the model stands.
//
// All numbers are little-endian. Sections start at multiples of kOctreeFilePage and are padded with zeros to the next.
// The header's checksum covers the first page, with its own field as 0. A section's is that of the checksums of its
// pieces of kChecksumPiece bytes, so that pieces can be checked in parallel.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "core/math.h"

namespace aureole {

inline constexpr std::size_t kOctreeFilePage = 4096;
inline constexpr std::array<char, 8> kOctreeFileMagic = {'\x89', 'A', 'V', 'O', '\r', '\n', '\x1a', '\n'};
inline constexpr std::uint32_t kOctreeFileEndian = 0x01020304;
inline constexpr std::uint32_t kOctreeFileVersion = 6;
inline constexpr std::size_t kOctreeFileSections = 17; ///< at most

/// What a section holds; numbers in files never change their meaning.
enum class OctreeSection : std::uint32_t {
    Nodes = 1,
    Leaves = 2,
    LeafOffsets = 3,
    LeafGroups = 4,
    Attributes = 5,
    Palette = 6, ///< what voxels are made of and emit
    MaterialRuns = 7,
    Surfaces = 8,
    LeafAverages = 9,
    NodeAverages = 10,
    LeafMaterials = 11,
    NodeMaterials = 12,
    Metadata = 13,  ///< text, a line "key=value" for each entry
    Dag = 14,       ///< of DAGs only: what stands in place of nodes, leaf offsets and leaf groups
    Slabs = 15,     ///< of planes only
    Distances = 16, ///< of fields only
    Materials = 17, ///< models and their constants
};

struct OctreeFileSection {
    std::uint32_t kind = 0;
    std::uint32_t elementBytes = 0;
    std::uint64_t offset = 0; ///< in the file
    std::uint64_t count = 0;  ///< of elements
    std::uint64_t checksum = 0;
};

/// Magic, endian mark, version and file size keep their places in every version.
struct OctreeFileHeader {
    std::array<char, 8> magic = kOctreeFileMagic;
    std::uint32_t endian = kOctreeFileEndian;
    std::uint32_t version = kOctreeFileVersion;
    std::uint64_t fileBytes = 0;
    std::uint64_t checksum = 0;
    std::uint32_t levels = 0;
    std::uint32_t coverage = 0; ///< 0 conservative, 1 thin, 2 solid
    std::array<std::uint32_t, 3> size{};
    std::uint32_t sectionCount = 0;
    std::uint32_t encoding = 0; ///< 0 tree, 1 dag, 2 planes, 3 field
    std::uint32_t padding = 0;
    std::array<double, 3> origin{};
    double voxelSize = 0.0;
    std::uint64_t voxels = 0;
    std::array<OctreeFileSection, kOctreeFileSections> sections{};
};
static_assert(sizeof(OctreeFileHeader) == 104 + 32 * kOctreeFileSections);

/// The header of a file whose first page and `fileBytes` these are: one of this version that is whole, with a sensible
/// grid and sections that lie within the file. Throws Error (BadInput).
OctreeFileHeader checkOctreeHeader(const std::filesystem::path& file, std::span<const std::byte> page,
                                   std::uint64_t fileBytes);

/// Reads and checks the header of a file.
OctreeFileHeader readOctreeHeader(const std::filesystem::path& file);

/// The checksum that belongs in a header.
std::uint64_t octreeHeaderChecksum(OctreeFileHeader header);

/// The world bounds of the grid.
Bounds octreeBounds(const OctreeFileHeader& header);

/// The coarsest level of detail of a grid, where a single voxel of 2^level is left.
std::uint32_t largestLevel(const glm::uvec3& size);

} // namespace aureole
