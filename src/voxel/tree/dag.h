#pragma once

#include <cstdint>
#include <span>

#include "voxel/tree/octree.h"

namespace aureole {

/// Merges the equal subtrees of a finished tree: the same voxels, with the same attributes under the same indices, in
/// the encoding that shared/octree/octree.h describes. Attributes and averages stay as they are, in the tree's order.
/// Bottom up, after Kaempe, Sintorn and Assarsson, "High Resolution Sparse Voxel DAGs" (2013); attributes found by
/// counting after Dado et al., "Geometry and Attribute Compression for Voxel Scenes" (2016). Takes memory for what is
/// left after merging, and 16 bytes for each node of the tree's fullest level. The result does not depend on threads.
/// Throws Error: OutOfMemory for more than a DAG can count, Interrupted.
Octree toDag(Octree&& octree);

/// Where the parts of a DAG lie in DagEncoding::words: a head of four words, the entries, the leaf references, and the
/// counts of the entries above the lowest inner level, the lower half of each first.
struct DagLayout {
    std::uint32_t entries = 0;
    std::uint32_t references = 0; ///< to leaves; the first is not used
    std::uint32_t upper = 0;      ///< entries above the lowest inner level, the first ones
    std::uint32_t bits = 0;       ///< as OctreeView::dagBits
    std::uint32_t numberBits() const { return bits & 255U; }
    std::uint32_t firstBits() const { return (bits >> 8U) & 255U; }
    std::uint32_t entryBits() const { return (bits >> 16U) & 255U; }
    std::uint32_t countBits() const { return entryBits() - numberBits() - firstBits(); }
    std::uint64_t entryWords() const;     ///< behind the head
    std::uint64_t referenceWords() const; ///< behind those
    std::uint64_t countWords() const { return 2 * std::uint64_t{upper}; }
    std::uint64_t totalWords() const;
    /// Words of a chunk of a view.
    std::uint64_t entryChunkWords() const;
    std::uint64_t referenceChunkWords() const;
};

inline constexpr std::uint64_t kDagHeadWords = 4;

/// The layout by the head.
DagLayout dagLayout(const DagEncoding& dag);

/// Reads a DAG in host memory.
class DagReader {
public:
    /// `dag` outlives this.
    explicit DagReader(const DagEncoding& dag);

    /// The number of an entry's mask, and the index of its first child; 0 of a full node.
    std::uint32_t number(std::uint64_t entry) const;
    std::uint32_t first(std::uint64_t entry) const;
    /// The attributes of an entry's siblings before it.
    std::uint64_t count(std::uint64_t entry) const;
    /// The number of the mask of a leaf.
    std::uint32_t leaf(std::uint64_t reference) const;

    const DagLayout& layout() const { return layout_; }
    /// The parts, for uploading. Entries and references of a chunk are a whole number of words.
    std::span<const std::uint32_t> entryPart() const { return entries_; }
    std::span<const std::uint32_t> referencePart() const { return references_; }
    std::span<const std::uint32_t> countPart() const { return counts_; }

private:
    DagLayout layout_;
    std::span<const std::uint32_t> entries_;
    std::span<const std::uint32_t> references_;
    std::span<const std::uint32_t> counts_;
};

} // namespace aureole
