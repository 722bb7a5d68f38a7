// A file is one segment after another: a head, what it says of each of its grids, and these grids. A grid is one piece
// of memory, packed or not: its head, that of its tree and all nodes of each kind. Leaves say themselves where they
// stand, and are all that is read of the nodes. The headers of NanoVDB are the only description of the format.

#include "import/vdb/nvdb_file.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "core/printable.h"
#include "image/byte_reader.h"
#include "import/vdb/unpack_bytes.h"
#include "import/vdb/vdb_format.h"
#include "model/colour_grid.h"

namespace aureole::vdb {

namespace {

constexpr std::uint64_t kNanoMagic = 0x304244566f6e614e; ///< "NanoVDB0"
constexpr std::uint64_t kFileMagic = 0x324244566f6e614e; ///< "NanoVDB2", of files since version 32.6
constexpr std::uint32_t kNanoVersion = 32;

constexpr std::size_t kLeafValues = 512;

/// Types of values, by their numbers in the file.
enum class ValueType : std::uint32_t { Float = 1, Fp4 = 13, Fp8 = 14, Fp16 = 15, FpN = 16 };

constexpr std::array<const char*, 20> kTypes = {"unknown", "float", "double", "int16",  "int32", "int64", "vec3f",
                                                "vec3d",   "mask",  "half16", "uint32", "bool",  "rgba8", "float",
                                                "float",   "float", "float",  "vec4f",  "vec4d", "index"};
constexpr std::array<const char*, 9> kKinds = {
    "",           kLevelSetKind, kFogKind,       "staggered grid", "point index",
    "point data", "topology",    "voxel volume", "index grid"};

enum class Codec : std::uint16_t { None, Zip, Blosc };

struct SegmentHead {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint16_t grids;
    std::uint16_t codec;
};
static_assert(sizeof(SegmentHead) == 16);

/// What a segment says of a grid; its name follows.
struct GridNote {
    std::uint64_t bytes; ///< in memory
    std::uint64_t fileBytes;
    std::array<std::uint64_t, 2> unused;
    std::uint32_t type;
    std::uint32_t kind;
    std::array<std::byte, 96> bounds;
    std::uint32_t nameBytes;
    std::array<std::byte, 28> counts;
    std::uint16_t codec;
    std::uint16_t padding;
    std::uint32_t version;
};
static_assert(sizeof(GridNote) == 176);

/// Where things are in a grid.
constexpr std::size_t kLinearMap = 296 + 88; ///< the doubles of Map: a matrix, its inverse, a translation
constexpr std::size_t kTranslation = kLinearMap + 2 * sizeof(glm::dmat3);
constexpr std::size_t kTree = 672;
constexpr std::size_t kLeafCount = kTree + 32;
constexpr std::size_t kRootOffset = kTree + 24;
constexpr std::size_t kRootTiles = 24; ///< a number of them, which stand behind the root
constexpr std::size_t kRootBackground = 28;
template <typename T>
constexpr bool kOfColours = std::is_same_v<T, glm::vec3>;
template <typename T>
constexpr std::size_t kRootBytes = kOfColours<T> ? 96 : 64;

/// What a root has of each of its parts.
struct RootTile {
    std::uint64_t key;
    std::int64_t child; ///< 0: the tile has a value in place of one
    std::uint32_t active;
    glm::vec3 value; ///< of a number x alone
};
static_assert(sizeof(RootTile) == 32);

/// Nodes above leaves: where the tree has their place and number, and where each has its table of values and children.
struct NodeKind {
    std::size_t place;
    std::size_t count;
    unsigned bits;
    unsigned childBits;
    std::size_t table;
};
constexpr NodeKind kLower = {8, 36, kLowerBits, kLeafBits, 1088};
constexpr NodeKind kUpper = {16, 40, kUpperBits, kLowerBits + kLeafBits, 8256};
constexpr std::size_t kNodeMasks = 32; ///< behind a node's bounds and flags
template <typename T>
constexpr std::size_t kTableEntry = kOfColours<T> ? 16 : 8;

/// A leaf's head; of packed values, `minimum` and `step` give a code's meaning.
struct LeafHead {
    glm::ivec3 boundsMin;
    std::array<std::uint8_t, 3> boundsSize;
    std::uint8_t flags;
    std::array<std::uint64_t, 8> active;
    float minimum;
    float step;
    std::array<std::byte, 8> statistics;
};
static_assert(sizeof(LeafHead) == 96);

struct NanoEntry {
    GridNote note{};
    std::size_t position = 0;
};

class NvdbReader {
public:
    NvdbReader(std::span<const std::byte> bytes, const std::string& name)
        : in_(bytes, name)
        , size_(bytes.size()) {}

    FileGrids read(const GridChoice& wanted) {
        do {
            readSegment();
        } while (in_.offset() < size_);
        tellApart(titles_);
        const ChosenGrids chosen = chooseGrids(titles_, wanted, in_.file());
        FileGrids grids{readGrid<float>(chosen.grid, "grid"), {}};
        if (chosen.colours) {
            grids.colours = readGrid<glm::vec3>(*chosen.colours, "colour grid");
        }
        return grids;
    }

private:
    void readSegment() {
        const auto head = in_.read<SegmentHead>("the head of a file of NanoVDB");
        if (head.magic != kNanoMagic && head.magic != kFileMagic) {
            in_.refuse("found other bytes before it than a file of NanoVDB starts with, expected such a file");
        }
        if (const std::uint32_t version = head.version >> 21U; version != kNanoVersion) {
            in_.refuse("found version {} of the format of NanoVDB, expected {}", version, kNanoVersion);
        }
        const std::size_t first = entries_.size();
        for (std::uint32_t i = 0; i < head.grids; ++i) {
            NanoEntry& entry = entries_.emplace_back();
            entry.note = in_.read<GridNote>("what is said of a grid");
            const std::span<const std::byte> name = in_.take(entry.note.nameBytes, "a grid's name");
            const auto end = std::find(name.begin(), name.end(), std::byte{0});
            const GridNote& note = entry.note;
            titles_.push_back(
                {std::string(reinterpret_cast<const char*>(name.data()), static_cast<std::size_t>(end - name.begin())),
                 note.type < kTypes.size() ? kTypes[note.type] : "unknown",
                 note.kind < kKinds.size() ? kKinds[note.kind] : ""});
        }
        for (std::size_t i = first; i < entries_.size(); ++i) {
            entries_[i].position = in_.offset();
            in_.take(entries_[i].note.fileBytes, "a grid");
        }
    }

    /// The grid as it is in memory: in `unpacked`, or in the file where it is not packed.
    std::span<const std::byte> unpack(const NanoEntry& entry, std::vector<std::byte>& unpacked) {
        in_.seek(entry.position, "a grid");
        const GridNote& note = entry.note;
        const auto codec = static_cast<Codec>(note.codec);
        if (codec == Codec::None) {
            return in_.take(note.bytes, "a grid");
        }
        if (codec != Codec::Zip && codec != Codec::Blosc) {
            in_.refuse("found a grid packed by codec {}, expected 0 to 2", note.codec);
        }
        // What zlib and Blosc's packers make at most of a byte; more is a lie that would take memory.
        constexpr std::uint64_t kMostPerByte = 1 << 16U;
        if (note.bytes / kMostPerByte > note.fileBytes) {
            in_.refuse("found {} bytes for a grid of {}, expected more", note.fileBytes, note.bytes);
        }
        unpacked.resize(note.bytes);
        constexpr std::size_t kChunk = std::size_t{1} << 30U; // of Blosc
        for (std::span<std::byte> rest = unpacked; !rest.empty();) {
            const std::size_t now = codec == Codec::Blosc ? std::min(rest.size(), kChunk) : rest.size();
            const auto size = in_.read<std::uint64_t>("the size of a packed grid");
            unpackBytes(codec == Codec::Zip ? Packing::Zlib : Packing::Blosc, in_.take(size, "a packed grid"),
                        rest.first(now), in_);
            rest = rest.subspan(now);
        }
        return unpacked;
    }

    template <typename T>
    FileGridOf<T> readGrid(std::size_t chosen, const char* what) {
        std::vector<std::byte> unpacked;
        const std::span<const std::byte> memory = unpack(entries_[chosen], unpacked);
        FileGridOf<T> grid;
        grid.name = titles_[chosen].name;
        grid.isFog = isFog(titles_[chosen]);
        const std::string place = fmt::format("{}: {} '{}'", in_.file(), what, excerpt(grid.name));
        readTree(ByteReader(memory, place), static_cast<ValueType>(entries_[chosen].note.type), grid);
        return grid;
    }

    template <typename T>
    static void readTree(ByteReader in, ValueType type, FileGridOf<T>& grid) {
        in.seek(kLinearMap, "a transform");
        // Its rows are columns of ours.
        const glm::dmat3 linear = glm::transpose(in.read<glm::dmat3>("a transform"));
        in.seek(kTranslation, "a transform");
        grid.worldFromIndex = glm::dmat4(linear);
        grid.worldFromIndex[3] = glm::dvec4(in.read<glm::dvec3>("a transform"), 1.0);
        in.seek(kTree, "a tree");
        const auto leaves = in.read<std::uint64_t>("the place of leaves");
        in.seek(kRootOffset, "a tree");
        const auto root = in.read<std::uint64_t>("the place of the root");
        in.seek(kLeafCount, "a tree");
        const auto count = in.read<std::uint32_t>("a number of leaves");
        seekInTree(in, root, kRootBackground, "the root");
        grid.background = in.read<T>("a background");
        seekInTree(in, leaves, 0, "leaves");
        for (std::uint32_t i = 0; i < count; ++i) {
            readLeaf(in, type, grid.leaves.emplace_back());
        }
        if (kOfColours<T> || grid.isFog) {
            refuseRootTiles<T>(in, root);
            readTiles(in, kLower, grid);
            readTiles(in, kUpper, grid);
        }
    }

    /// They are too large for anything but what is outside of everything.
    template <typename T>
    static void refuseRootTiles(ByteReader& in, std::uint64_t root) {
        seekInTree(in, root, kRootTiles, "the root");
        const auto count = in.read<std::uint32_t>("a number of tiles");
        seekInTree(in, root, kRootBytes<T>, "the root's tiles");
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto tile = in.read<RootTile>("a tile");
            if (kOfColours<T> && tile.child == 0 && tile.active != 0) {
                in.refuse("found a colour in all of 4096 x 4096 x 4096 voxels, expected finer ones");
            }
            if (!kOfColours<T> && tile.child == 0 && tile.value.x > 0.0F) {
                in.refuse("found the value {} in all of 4096 x 4096 x 4096 voxels, expected 0 or finer ones",
                          tile.value.x);
            }
        }
    }

    /// The values that nodes of a kind have in place of children: of fog, and colours that are active.
    template <typename T>
    static void readTiles(ByteReader& in, const NodeKind& kind, FileGridOf<T>& grid) {
        in.seek(kTree + kind.place, "a tree");
        const auto place = in.read<std::uint64_t>("the place of nodes");
        in.seek(kTree + kind.count, "a tree");
        const auto count = in.read<std::uint32_t>("a number of nodes");
        const std::size_t places = std::size_t{1} << (3 * kind.bits);
        const std::size_t bytes = kind.table + places * kTableEntry<T>;
        for (std::uint32_t i = 0; i < count; ++i) {
            seekInTree(in, place, i * bytes, "nodes");
            const std::span<const std::byte> node = in.take(bytes, "a node");
            glm::ivec3 origin;
            std::memcpy(&origin, node.data(), sizeof(origin));
            origin &= -(1 << (kind.bits + kind.childBits));
            const std::span<const std::byte> values = node.subspan(kNodeMasks, places / 8);
            const std::span<const std::byte> children = node.subspan(kNodeMasks + places / 8, places / 8);
            for (std::size_t child = 0; child < places; ++child) {
                T value{};
                std::memcpy(&value, &node[kind.table + child * kTableEntry<T>], sizeof(value));
                if (!hasBit(children, child) && isTile(value, hasBit(values, child))) {
                    grid.tiles.push_back({origin + (childAt(child, kind.bits) << static_cast<int>(kind.childBits)),
                                          1 << kind.childBits, value});
                }
            }
        }
    }

    static bool hasBit(std::span<const std::byte> mask, std::size_t place) {
        return (std::to_integer<unsigned>(mask[place / 8]) >> (place % 8) & 1U) != 0;
    }

    static bool isTile(float value, bool /*active*/) { return value > 0.0F; }
    static bool isTile(const glm::vec3& /*value*/, bool active) { return active; }

    static void seekInTree(ByteReader& in, std::uint64_t offset, std::size_t further, const char* what) {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 62U; // below which nothing overflows
        in.seek(std::min(offset, kMost) + kTree + further, what);
    }

    static void readLeaf(ByteReader& in, ValueType /*type*/, LeafOf<glm::vec3>& leaf) {
        const auto head = in.read<LeafHead>("a leaf");
        leaf.origin = head.boundsMin & ~7;
        constexpr std::size_t kFurther = 32; // its statistics are of vectors
        in.take(kFurther, "a leaf");
        leaf.values = in.read<std::array<glm::vec3, kLeafValues>>("the values of a leaf");
        for (std::size_t i = 0; i < kLeafValues; ++i) {
            if (((head.active[i / 64] >> (i % 64)) & 1U) == 0) {
                leaf.values[i] = ColourGrid::kNoColour;
            }
        }
    }

    static void readLeaf(ByteReader& in, ValueType type, Leaf& leaf) {
        const auto head = in.read<LeafHead>("a leaf");
        leaf.origin = head.boundsMin & ~7;
        if (type == ValueType::Float) {
            leaf.values = in.read<std::array<float, kLeafValues>>("the values of a leaf");
            return;
        }
        const std::uint32_t kind = head.flags >> 5U; // of values with a width for each leaf
        if (type == ValueType::FpN && kind > 4) {
            in.refuse("found a leaf with values of 2^{} bits, expected at most 2^4", kind);
        }
        const std::uint32_t bits = type == ValueType::Fp4    ? 4
                                   : type == ValueType::Fp8  ? 8
                                   : type == ValueType::Fp16 ? 16
                                                             : 1U << kind;
        const std::span<const std::byte> codes = in.take(kLeafValues / 8 * bits, "the values of a leaf");
        for (std::size_t i = 0; i < kLeafValues; ++i) {
            const std::size_t at = i * bits;
            std::uint32_t code = std::to_integer<std::uint32_t>(codes[at / 8]) >> (at % 8);
            if (bits == 16) {
                code |= std::to_integer<std::uint32_t>(codes[at / 8 + 1]) << 8U;
            }
            leaf.values[i] = static_cast<float>(code & ((1U << bits) - 1U)) * head.step + head.minimum;
        }
    }

    ByteReader in_;
    std::size_t size_;
    std::vector<NanoEntry> entries_;
    std::vector<GridTitle> titles_;
};

} // namespace

FileGrids readNvdb(std::span<const std::byte> bytes, const std::string& name, const GridChoice& wanted) {
    return NvdbReader(bytes, name).read(wanted);
}

} // namespace aureole::vdb
