// Octree files, with checksums that fit. What is accepted can be used without leaving its arrays, and is the same when
// written and read again.

#include <algorithm>
#include <random>
#include <vector>

#include "avo_mutator.h"
#include "mutator.h"
#include "octree_copy.h"
#include "octree_use.h"
#include "voxel/file/octree_file.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    const std::filesystem::path file = written("model.avo", input);
    goesThrough(file.string(), [&] {
        const Octree octree = test::copyOf(loadOctree(file)); // in memory of its own: a mapping has no guarded end
        std::mt19937_64 random(input.size());
        test::useOctree(octree, random);
        const std::filesystem::path copy = folder() / "copy.avo";
        writeOctree(copy, octree);
        require(test::identical(loadOctree(copy), octree), "an octree is the same when written and read");
    });
}

namespace {

/// Whether the file is of the newest version and its table leads to sections, so that it can be taken apart. Elements
/// are small: else one more would not fit an input.
bool isWhole(const std::vector<std::byte>& file) {
    constexpr std::uint32_t kMostElementBytes = 256;
    try {
        const std::span<const std::byte> page = std::span(file).first(std::min(file.size(), kOctreeFilePage));
        const OctreeFileHeader header = checkOctreeHeader("model.avo", page, file.size());
        return header.version == kOctreeFileVersions.newest &&
               std::all_of(header.sections.begin(), header.sections.begin() + header.sectionCount,
                           [](const OctreeFileSection& s) { return s.elementBytes - 1 < kMostElementBytes; });
    } catch (const Error&) {
        return false;
    }
}

/// libFuzzer's mutations, on the bytes of one section.
void mutateSection(test::AvoParts& parts, std::mt19937_64& random) {
    test::AvoParts::Section& section = parts.sections[random() % parts.sections.size()];
    constexpr std::size_t kRoom = 64;
    section.bytes = mutateBytes(section.bytes, section.bytes.size() + kRoom);
    section.bytes.resize(section.bytes.size() / section.elementBytes * section.elementBytes);
}

} // namespace

std::vector<std::byte> mutateInput(Bytes input, std::size_t maximumSize, unsigned seed) {
    std::vector<std::byte> file(input.begin(), input.end());
    if (!isWhole(file)) {
        file = mutateBytes(input, maximumSize);
        test::seal(file);
        return file;
    }
    std::mt19937_64 random(seed);
    test::AvoParts parts = test::takeApart(file);
    if (seed % 2 == 0 || parts.sections.empty()) {
        return test::mutated(parts, random);
    }
    mutateSection(parts, random);
    return test::putTogether(parts);
}

} // namespace aureole::fuzz
