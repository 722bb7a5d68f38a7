#pragma once

// Octree files with something wrong in them, under checksums that fit: what a loader gets to see from whoever means it
// harm, or from a writer with a bug.

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "import/octree_header.h"

namespace aureole::test {

/// An octree file of the newest version taken apart. Written again, it has the header's fields as they stand, but for
/// offsets, counts, sizes and checksums, which follow from the sections.
struct AvoParts {
    struct Section {
        std::uint32_t kind = 0;
        std::uint32_t flags = kOctreeSectionRequired;
        std::uint32_t elementBytes = 0;
        std::vector<std::byte> bytes; ///< of whole elements
        std::string name = {};
    };
    OctreeFileHeader header;
    std::vector<Section> sections;
};

AvoParts takeApart(const std::vector<std::byte>& file);
std::vector<std::byte> putTogether(const AvoParts& parts);

/// Makes the checksums of a file right again, as far as its header still leads to its sections.
void seal(std::vector<std::byte>& file);

/// A file with one to three faults, of a kind that the numbers choose: changed bits, words, counts, lengths and header
/// fields, sections swapped, doubled, dropped or moved, a file cut short or drawn out.
std::vector<std::byte> mutated(const AvoParts& whole, std::mt19937_64& random);

} // namespace aureole::test
