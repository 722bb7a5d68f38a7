// The game's .nbt of structures: a palette, and a compound for each block with its place and its number.

#include <algorithm>
#include <utility>

#include "import/schematic/region.h"

namespace aureole::schematic {

namespace {

struct PlacedBlock {
    glm::i64vec3 place{0};
    std::int64_t state = 0;
};

struct StructureParts {
    Numbers size;
    std::vector<std::string> palette;
    std::vector<PlacedBlock> blocks;
    bool hasPalette = false;
};

void readStates(NbtReader& in, Tag tag, StructureParts& parts) {
    parts.palette.clear();
    parts.hasPalette = true;
    in.list(tag, [&](Tag element) {
        parts.palette.push_back(readState(in, element));
        checkPalette(in, parts.palette.size());
    });
}

PlacedBlock readPlacedBlock(NbtReader& in, Tag tag) {
    PlacedBlock block;
    Numbers place;
    in.compound(tag, [&](const std::string& key, Tag type) {
        if (key == "pos") {
            place = readTriple(in, type);
        } else if (key == "state") {
            block.state = in.whole(type);
        } else {
            in.skip(type);
        }
    });
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
        if (!place.at(axis)) {
            in.refuse("found a block without a place, expected 'pos', a list of 3 numbers");
        }
        block.place[static_cast<glm::length_t>(axis)] = *place.at(axis);
    }
    return block;
}

void readStructureEntry(NbtReader& in, const std::string& key, Tag type, StructureParts& parts) {
    if (key == "size") {
        parts.size = readTriple(in, type);
    } else if (key == "palette") {
        readStates(in, type, parts);
    } else if (key == "palettes") { // the game takes one at random; the first will do
        in.list(type, [&](Tag element) { parts.hasPalette ? in.skip(element) : readStates(in, element, parts); });
    } else if (key == "blocks") {
        in.list(type, [&](Tag element) { parts.blocks.push_back(readPlacedBlock(in, element)); });
    } else {
        in.skip(type);
    }
}

} // namespace

std::optional<std::vector<Region>> readStructure(std::span<const std::byte> bytes, const std::string& name) {
    NbtReader in(bytes, name);
    StructureParts parts;
    in.root([&](const std::string& key, Tag type) { readStructureEntry(in, key, type, parts); });
    if (!parts.hasPalette) {
        return std::nullopt;
    }
    Region region;
    region.name = "structure";
    region.size = checkedSize(in, parts.size);
    constexpr std::size_t kSmall = std::size_t{1} << 20U;
    constexpr std::size_t kSparsest = 4096;
    if (const std::size_t places = blocksOf(region.size); places > std::max(kSmall, kSparsest * parts.blocks.size())) {
        in.refuse("found {} blocks in {} places, expected at least one in {}", parts.blocks.size(), places, kSparsest);
    }
    region.palette = std::move(parts.palette);
    region.blocks.resize(blocksOf(region.size), Region::kNoBlock);
    for (const PlacedBlock& block : parts.blocks) {
        const glm::i64vec3& at = block.place;
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            if (at[axis] < 0 || at[axis] >= region.size[axis]) {
                in.refuse("found a block at ({}, {}, {}), expected less than ({}, {}, {})", at.x, at.y, at.z,
                          region.size.x, region.size.y, region.size.z);
            }
        }
        if (block.state < 0 || block.state >= static_cast<std::int64_t>(region.palette.size())) {
            in.refuse("found a block of the number {} at ({}, {}, {}), expected less than {}", block.state, at.x, at.y,
                      at.z, region.palette.size());
        }
        region.blocks[static_cast<std::size_t>(at.x + region.size.x * (at.z + std::int64_t{region.size.z} * at.y))] =
            static_cast<std::uint16_t>(block.state);
    }
    return std::vector{std::move(region)};
}

} // namespace aureole::schematic
