// What is written is said in import/vdb/vdb_file.cpp, which reads it.

#include "voxel/export/vdb_tree.h"

#include <algorithm>
#include <bit>
#include <limits>

#include <zlib.h>

#include "import/vdb/vdb_format.h"

namespace aureole {

namespace {

/// Bits of a point's coordinates below those that tell the leaf, and the node, that it is in.
constexpr int kLeafShift = vdb::kLeafBits;
constexpr int kLowerShift = kLeafShift + vdb::kLowerBits;
constexpr int kUpperShift = kLowerShift + vdb::kUpperBits;

void writeText(ExportStream& out, std::string_view text) {
    out.number(static_cast<std::uint32_t>(text.size()));
    out.text(text);
}

void writeMetadata(ExportStream& out, const std::vector<std::pair<std::string, std::string>>& entries) {
    out.number(static_cast<std::uint32_t>(entries.size()));
    for (const auto& [key, value] : entries) {
        writeText(out, key);
        writeText(out, "string");
        writeText(out, value);
    }
}

/// Scale and translation, and what OpenVDB has beside them.
void writeTransform(ExportStream& out, const VdbGrid& grid) {
    writeText(out, "UniformScaleTranslateMap");
    out.number(grid.origin);
    const double s = grid.spacing;
    for (const double value : {s, s, 1.0 / s, 1.0 / (s * s), 0.5 / s}) {
        out.number(glm::dvec3(value));
    }
}

/// One of a node's children, by its number in the node.
std::uint32_t placeIn(const glm::ivec3& point, int shift, unsigned bits) {
    const glm::ivec3 at = (point >> shift) & ((1 << bits) - 1);
    return static_cast<std::uint32_t>((at.x << (2 * bits)) | (at.y << bits) | at.z);
}

glm::ivec3 cornerOf(const glm::ivec3& node, std::uint32_t place, int shift, unsigned bits) {
    return node + (vdb::childAt(place, bits) << shift);
}

/// A leaf, or a full one, in the order of the file.
struct VdbEntry {
    std::uint64_t key;
    glm::ivec3 origin;
    std::size_t leaf; ///< kFull for a full one
};
constexpr std::size_t kFull = std::numeric_limits<std::size_t>::max();

std::vector<VdbEntry> sortedEntries(const VdbGrid& grid) {
    std::vector<VdbEntry> entries;
    const auto add = [&](const glm::ivec3& origin, std::size_t leaf) {
        const std::uint64_t root = placeIn(origin, kUpperShift, 10);
        const std::uint64_t key = (root << 27U) |
                                  (std::uint64_t{placeIn(origin, kLowerShift, vdb::kUpperBits)} << 12U) |
                                  placeIn(origin, kLeafShift, vdb::kLowerBits);
        entries.push_back({key, origin, leaf});
    };
    for (std::size_t i = 0; i < grid.leaves.size(); ++i) {
        add(grid.leaves[i].origin, i);
    }
    for (const glm::ivec3& origin : grid.full) {
        add(origin, kFull);
    }
    std::sort(entries.begin(), entries.end(), [](const VdbEntry& a, const VdbEntry& b) { return a.key < b.key; });
    return entries;
}

using EntryRange = std::span<const VdbEntry>;

/// Calls visit(entries) for the runs of entries that have one key but for its low bits.
template <typename Visit>
void forEachNode(EntryRange entries, unsigned lowBits, const Visit& visit) {
    for (std::size_t first = 0, end = 0; first < entries.size(); first = end) {
        while (end < entries.size() && entries[end].key >> lowBits == entries[first].key >> lowBits) {
            ++end;
        }
        visit(entries.subspan(first, end - first));
    }
}

/// Writes one tree.
class VdbTreeWriter {
public:
    VdbTreeWriter(ExportStream& out, const VdbGrid& grid)
        : out_(out)
        , grid_(grid)
        , entries_(sortedEntries(grid)) {}

    void writeTopology() {
        out_.number(std::uint32_t{1}); // buffers
        writeValue(grid_.background);
        std::uint32_t roots = 0;
        forEachNode(entries_, 27, [&](EntryRange) { ++roots; });
        out_.number(std::uint32_t{0}); // tiles
        out_.number(roots);
        forEachNode(entries_, 27, [&](EntryRange upper) {
            const glm::ivec3 origin = upper.front().origin & -(1 << kUpperShift);
            out_.number(origin);
            writeUpper(origin, upper);
        });
    }

    void writeBuffers() {
        std::vector<float> values;
        for (const VdbEntry& entry : entries_) {
            if (entry.leaf == kFull) {
                continue;
            }
            const VdbLeaf& leaf = grid_.leaves[entry.leaf];
            out_.number(leaf.active);
            writeInactive(512, [&](std::uint32_t place) { return cornerOf(leaf.origin, place, 0, 3); });
            values.clear();
            grid_.values(entry.leaf, values);
            writePacked(values);
        }
    }

private:
    void writeValue(float value) {
        for (int i = 0; i < (grid_.isVector ? 3 : 1); ++i) {
            out_.number(value);
        }
    }

    void writeUpper(const glm::ivec3& origin, EntryRange entries) {
        std::vector<std::uint64_t> children(512, 0);
        forEachNode(entries, 12, [&](EntryRange lower) {
            setBit(children, placeIn(lower.front().origin, kLowerShift, vdb::kUpperBits));
        });
        writeNode(children, std::vector<std::uint64_t>(512, 0),
                  [&](std::uint32_t place) { return cornerOf(origin, place, kLowerShift, vdb::kUpperBits); });
        forEachNode(entries, 12, [&](EntryRange lower) { writeLower(lower); });
    }

    void writeLower(EntryRange entries) {
        std::vector<std::uint64_t> children(64, 0);
        std::vector<std::uint64_t> active(64, 0);
        for (const VdbEntry& entry : entries) {
            setBit(entry.leaf == kFull ? active : children, placeIn(entry.origin, kLeafShift, vdb::kLowerBits));
        }
        const glm::ivec3 origin = entries.front().origin & -(1 << kLowerShift);
        writeNode(children, active,
                  [&](std::uint32_t place) { return cornerOf(origin, place, kLeafShift, vdb::kLowerBits); });
        for (const VdbEntry& entry : entries) {
            if (entry.leaf != kFull) {
                out_.number(grid_.leaves[entry.leaf].active);
            }
        }
    }

    static void setBit(std::vector<std::uint64_t>& mask, std::uint32_t bit) {
        mask[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }

    /// An inner node's masks and the values of its places, which are 1 where they are active.
    template <typename PointAt>
    void writeNode(const std::vector<std::uint64_t>& children, const std::vector<std::uint64_t>& active,
                   const PointAt& pointAt) {
        out_.write(std::as_bytes(std::span(children)));
        out_.write(std::as_bytes(std::span(active)));
        writeInactive(static_cast<std::uint32_t>(64 * children.size()), pointAt);
        std::size_t count = 0;
        for (const std::uint64_t word : active) {
            count += static_cast<std::size_t>(std::popcount(word));
        }
        writePacked(std::vector<float>(count * (grid_.isVector ? 3 : 1), 1.0F));
    }

    /// How places are told that are not active.
    template <typename PointAt>
    void writeInactive(std::uint32_t places, const PointAt& pointAt) {
        out_.number(
            static_cast<std::int8_t>(grid_.isMinus ? vdb::Inactive::MaskOfBackgrounds : vdb::Inactive::Background));
        if (!grid_.isMinus) {
            return;
        }
        std::vector<std::uint64_t> plus(places / 64, 0);
        for (std::uint32_t place = 0; place < places; ++place) {
            if (!grid_.isMinus(pointAt(place))) {
                setBit(plus, place);
            }
        }
        out_.write(std::as_bytes(std::span(plus)));
    }

    void writePacked(const std::vector<float>& values) {
        const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
        packed_.resize(compressBound(bytes.size()));
        uLongf size = packed_.size();
        constexpr int kFast = 1;
        const bool isPacked = compress2(packed_.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                                        bytes.size(), kFast) == Z_OK &&
                              size < bytes.size();
        if (isPacked) {
            out_.number(static_cast<std::int64_t>(size));
            out_.write(std::as_bytes(std::span(packed_)).first(size));
        } else {
            out_.number(-static_cast<std::int64_t>(bytes.size()));
            out_.write(bytes);
        }
    }

    ExportStream& out_;
    const VdbGrid& grid_;
    std::vector<VdbEntry> entries_;
    std::vector<Bytef> packed_;
};

void writeGrid(ExportStream& out, const VdbGrid& grid) {
    writeText(out, grid.name);
    writeText(out, grid.isVector ? "Tree_vec3s_5_4_3" : "Tree_float_5_4_3");
    writeText(out, ""); // of no other's tree
    const std::uint64_t places = out.size();
    std::array<std::uint64_t, 3> positions{places + sizeof(positions), 0,
                                           0}; // of the grid, its leaves' values, its end
    out.number(positions);
    out.number(vdb::kZip | vdb::kActiveOnly);
    std::vector<std::pair<std::string, std::string>> metadata = {{"name", grid.name}};
    if (!grid.kind.empty()) {
        metadata.emplace_back("class", grid.kind);
    }
    writeMetadata(out, metadata);
    writeTransform(out, grid);
    VdbTreeWriter tree(out, grid);
    tree.writeTopology();
    positions[1] = out.size();
    tree.writeBuffers();
    positions[2] = out.size();
    out.rewrite(places, std::as_bytes(std::span(positions)));
}

} // namespace

void writeVdb(ExportStream& out, const std::vector<VdbGrid>& grids) {
    out.number(vdb::kMagic);
    out.number(vdb::kNewestVersion);
    out.number(std::array<std::uint32_t, 2>{10, 0}); // the library whose files are so
    out.number(std::uint8_t{1});                     // grids say where they are
    out.text("00000000-0000-0000-0000-000000000000");
    writeMetadata(out, {{"creator", "aureole"}});
    out.number(static_cast<std::uint32_t>(grids.size()));
    for (const VdbGrid& grid : grids) {
        writeGrid(out, grid);
    }
}

} // namespace aureole
