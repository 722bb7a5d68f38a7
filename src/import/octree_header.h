#pragma once

// The first page of an octree file (.avo): what it holds and where. The octree's module reads and writes the rest
// (voxel/file/octree_file.h); a scene needs to know where the model stands.
//
// All numbers are little-endian. Behind the header stands a table of sections, each with a number and a name, and with
// a flag that says whether a reader that does not know it may leave it out. So what is new comes as a new section: a
// program that does not know it either reads the rest, or refuses the file with the section's name. The version goes up
// only where the header or the meaning of a section changes.
//
// Sections start at multiples of kOctreeFilePage and are padded with zeros to the next. The header's checksum covers
// the first page, with its own field as 0. A section's is that of the checksums of its pieces of kChecksumPiece bytes,
// so that pieces can be checked in parallel. Sections without a byte are left out.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "core/format_version.h"
#include "core/math.h"

namespace aureole {

inline constexpr std::size_t kOctreeFilePage = 4096;
inline constexpr std::array<char, 8> kOctreeFileMagic = {'\x89', 'A', 'V', 'O', '\r', '\n', '\x1a', '\n'};
inline constexpr std::uint32_t kOctreeFileEndian = 0x01020304;
/// Version 6, in which sections had neither flags nor names, is read as well.
inline constexpr FormatVersions kOctreeFileVersions = {"octree files", 6, 7,
                                                       "make the octree anew with 'aureole voxelize'"};
inline constexpr std::size_t kOctreeFileSections = 62; ///< at most

/// What a section holds; numbers in files never change their meaning. Which sections a file has follows from its
/// encoding (voxel/tree/octree.h). A DAG has its masks as leaves and their surfaces.
///
/// These numbers are kept for sections to come. No program writes them yet, and each comes with the first that reads
/// it.
///
///     18  opacity         optional  for each leaf or mask, the voxels that let light through: only these need to look
///                                   their material up before a ray goes on
///     19  slab nodes      required  of planes, in place of nodes and slabs: each node with its slab beside it
///     21  node slabs      optional  of planes: a slab for each node, which is its level of detail
///     22  leaf distances  optional  of fields: the corner distances of each leaf as one voxel of a coarser level
///     23  node distances  optional  the same of each node
///     24  instances       required  octrees in other files: which file, which level of it, and a transform
///     25  instance files  required  their paths, a line for each, relative to this file
enum class OctreeSection : std::uint32_t {
    Nodes = 1,
    Leaves = 2,
    LeafOffsets = 3,
    LeafGroups = 4,
    Attributes = 5,
    Palette = 6, ///< what voxels are made of and emit
    MaterialRuns = 7,
    Surfaces = 8, ///< of solids only: which voxels of a leaf have attributes
    LeafAverages = 9,
    NodeAverages = 10,
    LeafMaterials = 11,
    NodeMaterials = 12,
    Metadata = 13,  ///< text, a line "key=value" for each entry
    Dag = 14,       ///< of DAGs only: what stands in place of nodes, leaf offsets and leaf groups
    Slabs = 15,     ///< of planes only
    Distances = 16, ///< of fields only
    Materials = 17, ///< models and their constants
    Shape = 20,     ///< in place of attributes: those that all voxels have; there are no averages then
    // Lamps of what emits (voxel/tree/emitter_arrays.h), all four or none; optional, as they can be made anew.
    LampBoxes = 26,
    LampFacings = 27,
    LampSlices = 28,
    LampRows = 29,
};

/// The name of a section; null of a number that this program does not know.
const char* octreeSectionName(std::uint32_t kind);

/// A reader that does not know the section must refuse the file. The other bits of flags are 0.
inline constexpr std::uint32_t kOctreeSectionRequired = 1;

struct OctreeFileSection {
    std::uint32_t kind = 0;
    std::uint32_t flags = 0;
    std::uint32_t elementBytes = 0;
    std::uint32_t padding = 0;
    std::uint64_t offset = 0; ///< in the file
    std::uint64_t count = 0;  ///< of elements
    std::uint64_t checksum = 0;
    std::array<char, 24> name{}; ///< for programs that do not know the number; zeros behind
};
static_assert(sizeof(OctreeFileSection) == 64);

/// Magic, endian mark, version, file size and checksum keep their places and their meaning in every version.
struct OctreeFileHeader {
    std::array<char, 8> magic = kOctreeFileMagic;
    std::uint32_t endian = kOctreeFileEndian;
    std::uint32_t version = kOctreeFileVersions.newest;
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
static_assert(sizeof(OctreeFileHeader) == 104 + 64 * kOctreeFileSections);
static_assert(sizeof(OctreeFileHeader) <= kOctreeFilePage);

/// The header of a file whose first page and `fileBytes` these are: whole, with a sensible grid and sections that lie
/// within the file. One of version 6 comes as version 7 would have it, but for its number. Throws Error (BadInput).
OctreeFileHeader checkOctreeHeader(const std::filesystem::path& file, std::span<const std::byte> page,
                                   std::uint64_t fileBytes);

/// Reads and checks the header of a file.
OctreeFileHeader readOctreeHeader(const std::filesystem::path& file);

/// The checksum that belongs in a header of the newest version.
std::uint64_t octreeHeaderChecksum(const OctreeFileHeader& header);

/// The world bounds of the grid.
Bounds octreeBounds(const OctreeFileHeader& header);

/// The coarsest level of detail of a grid, where a single voxel of 2^level is left.
std::uint32_t largestLevel(const glm::uvec3& size);

} // namespace aureole
