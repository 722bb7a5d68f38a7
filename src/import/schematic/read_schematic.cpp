// Sponge's .schem, whose palette gives names numbers and whose blocks are numbers of seven bits a byte, least first;
// and MCEdit's .schematic, with a byte and four bits of data for each block. In both x runs fastest, then z, then y.

#include <map>
#include <utility>

#include "core/printable.h"
#include "import/schematic/block_ids.h"
#include "import/schematic/region.h"

namespace aureole::schematic {

namespace {

using Bytes = std::vector<std::uint8_t>;

struct SchematicParts {
    Numbers size;
    std::optional<std::int64_t> version; ///< of Sponge's format
    std::optional<std::map<std::string, std::int64_t>> palette;
    std::optional<Bytes> data;   ///< of Sponge's
    std::optional<Bytes> blocks; ///< of MCEdit's
    std::optional<Bytes> add;
    std::optional<Bytes> values;
    bool isLate = false; ///< whether blocks came before the size, and were passed over
};

/// An array of blocks, if it is known how many there are: short files may stand for long arrays.
std::optional<Bytes> readArray(NbtReader& in, Tag tag, SchematicParts& parts) {
    if (!isWhole(parts.size)) {
        parts.isLate = true;
        in.skip(tag);
        return std::nullopt;
    }
    constexpr std::size_t kMostBytes = 5; // of the number of a block
    return in.bytes(tag, kMostBytes * blocksOf(checkedSize(in, parts.size)));
}

std::map<std::string, std::int64_t> readNumbers(NbtReader& in, Tag tag) {
    std::map<std::string, std::int64_t> palette;
    in.compound(tag, [&](const std::string& key, Tag type) {
        checkState(in, key);
        palette[key] = in.whole(type);
        checkPalette(in, palette.size());
    });
    return palette;
}

/// Version 3 has them in a compound of their own.
void readBlocks(NbtReader& in, Tag tag, SchematicParts& parts) {
    in.compound(tag, [&](const std::string& key, Tag type) {
        if (key == "Palette") {
            parts.palette = readNumbers(in, type);
        } else if (key == "Data") {
            parts.data = readArray(in, type, parts);
        } else {
            in.skip(type);
        }
    });
}

void readSchematicEntry(NbtReader& in, const std::string& key, Tag type, SchematicParts& parts) {
    // Shorts of sizes have no sign.
    const auto side = [&] { return type == Tag::Short ? in.whole(type) & 0xffff : in.whole(type); };
    if (key == "Width") {
        parts.size[0] = side();
    } else if (key == "Height") {
        parts.size[1] = side();
    } else if (key == "Length") {
        parts.size[2] = side();
    } else if (key == "Version") {
        parts.version = in.whole(type);
    } else if (key == "Palette") {
        parts.palette = readNumbers(in, type);
    } else if (key == "BlockData") {
        parts.data = readArray(in, type, parts);
    } else if (key == "Blocks" && type == Tag::Compound) {
        readBlocks(in, type, parts);
    } else if (key == "Blocks") {
        parts.blocks = readArray(in, type, parts);
    } else if (key == "AddBlocks") {
        parts.add = readArray(in, type, parts);
    } else if (key == "Data") {
        parts.values = readArray(in, type, parts);
    } else if (key == "Schematic" && type == Tag::Compound) { // which version 3 puts into a root without a name
        in.compound(type,
                    [&](const std::string& inner, Tag innerType) { readSchematicEntry(in, inner, innerType, parts); });
    } else {
        in.skip(type);
    }
}

void decodeSponge(const NbtReader& in, const SchematicParts& parts, Region& region) {
    std::map<std::int64_t, std::uint16_t> places; // in the region's palette, by the file's numbers
    for (const auto& [state, number] : *parts.palette) {
        const auto [place, isNew] = places.emplace(number, static_cast<std::uint16_t>(region.palette.size()));
        if (!isNew) {
            in.refuse("found '{}' and '{}' in the palette, both of the number {}, expected a number for each",
                      onOneLine(region.palette[place->second]), onOneLine(state), number);
        }
        region.palette.push_back(state);
    }
    std::size_t at = 0;
    std::pair<std::int64_t, std::uint16_t> last{-1, 0}; // most blocks are as the one before
    for (std::uint16_t& block : region.blocks) {
        std::int64_t number = 0;
        unsigned shift = 0;
        std::uint8_t byte = 0;
        do {
            constexpr unsigned kMostBits = 28;
            if (at == parts.data->size() || shift > kMostBits) {
                in.refuse("found {} bytes of blocks that end within block {}, expected {} blocks", parts.data->size(),
                          &block - region.blocks.data(), region.blocks.size());
            }
            byte = (*parts.data)[at++];
            number |= std::int64_t{byte & 0x7fU} << shift;
            shift += 7;
        } while ((byte & 0x80U) != 0);
        if (number != last.first) {
            const auto found = places.find(number);
            if (found == places.end()) {
                in.refuse("found a block of the number {} at {}, expected one of the {} that the palette has", number,
                          placeOf(region.size, static_cast<std::size_t>(&block - region.blocks.data())), places.size());
            }
            last = *found;
        }
        block = last.second;
    }
    if (at != parts.data->size()) {
        in.refuse("found {} bytes of blocks, expected {}", parts.data->size(), at);
    }
}

/// Each number with its data is a name.
void decodeNumbers(const NbtReader& in, const SchematicParts& parts, Region& region) {
    const std::size_t count = region.blocks.size();
    const Bytes values = parts.values.value_or(Bytes());
    const Bytes adds = parts.add.value_or(Bytes());
    if (parts.blocks->size() != count || (!values.empty() && values.size() != count)) {
        in.refuse("found {} blocks and {} values of data, expected {} of each", parts.blocks->size(), values.size(),
                  count);
    }
    std::map<unsigned, std::uint16_t> places;
    for (std::size_t i = 0; i < count; ++i) {
        // Two blocks share a byte, the first of them its lower half, as MCEdit writes it.
        const unsigned add = i / 2 < adds.size() ? adds[i / 2] >> (i % 2 == 0 ? 0U : 4U) & 0xfU : 0U;
        const unsigned id = (*parts.blocks)[i] | add << 8U;
        const unsigned data = values.empty() ? 0U : values[i] & 0xfU;
        const auto [place, isNew] = places.try_emplace(id << 4U | data, region.palette.size());
        if (isNew) {
            region.palette.push_back(nameOfId(id, data));
        }
        region.blocks[i] = place->second;
    }
}

/// The parts of a file whose size is known, if it is.
SchematicParts readParts(NbtReader& in, const Numbers& size) {
    SchematicParts parts;
    parts.size = size;
    in.root([&](const std::string& key, Tag type) { readSchematicEntry(in, key, type, parts); });
    return parts;
}

} // namespace

std::optional<std::vector<Region>> readSchematic(std::span<const std::byte> bytes, const std::string& name) {
    NbtReader in(bytes, name);
    SchematicParts parts = readParts(in, {});
    const bool hasSize = parts.size[0] || parts.size[1] || parts.size[2];
    if (!hasSize && !parts.palette && !parts.isLate) {
        return std::nullopt;
    }
    constexpr std::int64_t kNewest = 3;
    if (parts.version && (*parts.version < 1 || *parts.version > kNewest)) {
        in.refuse("found version {} of Sponge's format, expected 1 to {}", *parts.version, kNewest);
    }
    Region region;
    region.name = "build";
    region.size = checkedSize(in, parts.size);
    if (parts.isLate) {
        NbtReader again(bytes, name);
        parts = readParts(again, parts.size);
    }
    const bool isSponge = parts.palette && parts.data;
    if (!isSponge && !parts.blocks) {
        in.refuse("found no blocks, expected Palette with BlockData or Data, or Blocks");
    }
    // A block takes a byte at least, so that no room is made for blocks that are not there.
    if ((isSponge ? parts.data->size() : parts.blocks->size()) < blocksOf(region.size)) {
        in.refuse("found {} bytes of blocks, expected {} blocks", isSponge ? parts.data->size() : parts.blocks->size(),
                  blocksOf(region.size));
    }
    region.blocks.resize(blocksOf(region.size));
    isSponge ? decodeSponge(in, parts, region) : decodeNumbers(in, parts, region);
    return std::vector{std::move(region)};
}

} // namespace aureole::schematic
