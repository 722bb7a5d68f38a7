// Litematica's .litematic: regions, each with a palette and with blocks of as many bits as its palette needs, packed
// into longs without gaps, least bits first.

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "core/printable.h"
#include "import/schematic/region.h"

namespace aureole::schematic {

namespace {

constexpr std::int64_t kFarthest = 30'000'000; ///< as far as the game's worlds reach

struct LitematicParts {
    Numbers size; ///< below 0 where the region goes from its position to the other side
    Numbers position;
    std::vector<std::uint64_t> states;
};

/// The sizes of regions by their names, as far as they were found.
struct KnownSizes {
    std::map<std::string, Numbers> sizes;
    bool isLate = false; ///< whether blocks came before their size, and were passed over
};

glm::uvec3 sizeOf(const NbtReader& in, const LitematicParts& parts) {
    Numbers sides = parts.size;
    for (std::optional<std::int64_t>& side : sides) {
        if (side && *side < 0) {
            side = *side < -kFarthest ? kFarthest : -*side;
        }
    }
    return checkedSize(in, sides);
}

void decode(const NbtReader& in, const LitematicParts& parts, Region& region) {
    const std::size_t kinds = std::max<std::size_t>(region.palette.size(), 1);
    const unsigned bits = std::max(2U, static_cast<unsigned>(std::bit_width(kinds - 1)));
    const std::size_t blocks = blocksOf(region.size);
    const std::size_t expected = (blocks * bits + 63) / 64;
    if (parts.states.size() != expected) {
        in.refuse("region '{}': found {} longs of blocks, expected {}, for {} blocks of {} bits", region.name,
                  parts.states.size(), expected, blocks, bits);
    }
    region.blocks.resize(blocks);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    for (std::size_t i = 0; i < blocks; ++i) {
        const std::size_t word = i * bits / 64;
        const auto shift = static_cast<unsigned>(i * bits % 64);
        std::uint64_t value = parts.states[word] >> shift;
        if (shift + bits > 64) {
            value |= parts.states[word + 1] << (64U - shift);
        }
        value &= mask;
        if (value >= region.palette.size()) {
            in.refuse("region '{}': found a block of the number {} at {}, expected less than {}", region.name, value,
                      placeOf(region.size, i), region.palette.size());
        }
        region.blocks[i] = static_cast<std::uint16_t>(value);
    }
}

/// From one corner of a region, which may be any, to its size and its least corner.
void place(const NbtReader& in, const LitematicParts& parts, Region& region) {
    region.size = sizeOf(in, parts);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto component = static_cast<glm::length_t>(axis);
        std::int64_t at = parts.position.at(axis).value_or(0);
        if (at < -kFarthest || at > kFarthest) {
            in.refuse("region '{}': found a position of {}, expected {} to {}", region.name, at, -kFarthest, kFarthest);
        }
        if (*parts.size.at(axis) < 0) {
            at -= std::int64_t{region.size[component]} - 1;
        }
        region.origin[component] = static_cast<int>(at);
    }
}

/// Without blocks where their size comes behind them and is not known yet: short files may stand for long arrays.
Region readRegion(NbtReader& in, const std::string& name, Tag tag, KnownSizes& known) {
    Region region;
    region.name = onOneLine(name);
    LitematicParts parts;
    parts.size = known.sizes[name];
    bool isLate = false;
    in.compound(tag, [&](const std::string& key, Tag type) {
        if (key == "Size") {
            parts.size = known.sizes[name] = readXyz(in, type);
        } else if (key == "Position") {
            parts.position = readXyz(in, type);
        } else if (key == "BlockStatePalette") {
            in.list(type, [&](Tag element) {
                region.palette.push_back(readState(in, element));
                checkPalette(in, region.palette.size());
            });
        } else if (key == "BlockStates") {
            isLate = !isWhole(parts.size);
            if (isLate) {
                in.skip(type);
            } else {
                constexpr std::size_t kFewest = 4; // of blocks in a long
                parts.states = in.longs(type, blocksOf(sizeOf(in, parts)) / kFewest + 1);
            }
        } else {
            in.skip(type);
        }
    });
    place(in, parts, region);
    known.isLate = known.isLate || isLate;
    if (!isLate) {
        decode(in, parts, region);
    }
    return region;
}

std::optional<std::vector<Region>> readRegions(NbtReader& in, KnownSizes& known) {
    std::optional<std::vector<Region>> regions;
    std::size_t blocks = 0;
    in.root([&](const std::string& key, Tag type) {
        if (key != "Regions") {
            in.skip(type);
            return;
        }
        regions.emplace();
        in.compound(type, [&](const std::string& region, Tag regionType) {
            regions->push_back(readRegion(in, region, regionType, known));
            blocks += regions->back().blocks.size();
            if (blocks > kMostBlocks) {
                in.refuse("found more than {} blocks in all regions, expected at most that", kMostBlocks);
            }
        });
    });
    return regions;
}

} // namespace

std::optional<std::vector<Region>> readLitematic(std::span<const std::byte> bytes, const std::string& name) {
    NbtReader in(bytes, name);
    KnownSizes known;
    std::optional<std::vector<Region>> regions = readRegions(in, known);
    if (known.isLate) {
        known.isLate = false;
        NbtReader again(bytes, name);
        regions = readRegions(again, known);
    }
    if (regions && regions->empty()) {
        in.refuse("found no entry in Regions, expected at least one");
    }
    return regions;
}

} // namespace aureole::schematic
