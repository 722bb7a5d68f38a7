// A file starts with a head and a list of grids, each with the byte where it lies. A grid is its packing, its metadata,
// its transform and its tree: first the masks of all nodes and the values of inner ones, depth first, then the values
// of all leaves. OpenVDB's "io" folder is the only description of the format.

#include "import/vdb/vdb_file.h"
#include "core/set_bits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <glm/gtc/packing.hpp>

#include "core/printable.h"
#include "image/byte_reader.h"
#include "import/vdb/unpack_bytes.h"
#include "import/vdb/vdb_format.h"

namespace aureole::vdb {

namespace {

/// One bit for each of a node's 2^(3 Bits) places.
template <unsigned Bits>
struct Mask {
    std::array<std::uint64_t, (std::size_t{1} << (3 * Bits)) / 64> words;

    bool operator[](std::size_t place) const { return ((words[place / 64] >> (place % 64)) & 1U) != 0; }
    std::size_t count() const {
        std::size_t bits = 0;
        for (const std::uint64_t word : words) {
            bits += static_cast<std::size_t>(std::popcount(word));
        }
        return bits;
    }
};

struct GridHead {
    std::uint32_t packing = 0;
    std::string kind;
    glm::dmat4 worldFromIndex{1.0};
    std::size_t tree = 0; ///< the byte where it starts
};

/// Where a grid lies.
struct GridEntry {
    GridTitle title;
    std::string parent; ///< whose tree it shares; mostly ""
    std::string key;    ///< its name, and its number where several have that
    std::uint64_t position = 0;
};

class VdbReader {
public:
    VdbReader(std::span<const std::byte> bytes, const std::string& name)
        : in_(bytes, name) {}

    FileGrid read(const std::string& wanted) {
        readHead();
        readEntries();
        std::vector<GridTitle> titles;
        for (GridEntry& entry : entries_) {
            entry.title.kind = readGridHead(entry).kind;
            titles.push_back(entry.title);
        }
        const std::size_t chosen = chooseGrid(titles, wanted, in_.file());
        const GridEntry& entry = entries_[chosen];
        const GridHead head = readGridHead(entry);
        const GridHead treeHead = entry.parent.empty() ? head : readGridHead(parentOf(entry));
        FileGrid grid;
        grid.name = entry.title.name;
        grid.isFog = isFog(titles[chosen]);
        grid.worldFromIndex = head.worldFromIndex;
        packing_ = treeHead.packing;
        half_ = entry.title.type == "half";
        in_.seek(treeHead.tree, "a tree");
        readTree(grid);
        return grid;
    }

private:
    void readHead() {
        if (in_.read<std::uint64_t>("the head of a file of OpenVDB") != kMagic) {
            in_.refuse("found other bytes before it than a file of OpenVDB starts with, expected such a file");
        }
        const auto version = in_.read<std::uint32_t>("a version");
        if (version < kOldestVersion || version > kNewestVersion) {
            in_.refuse("found version {} of the format of OpenVDB, expected {} to {}", version, kOldestVersion,
                       kNewestVersion);
        }
        in_.take(8, "a library's version");
        if (in_.read<std::uint8_t>("a flag") == 0) {
            in_.refuse("found a stream, which does not say where its grids are, expected a file");
        }
        constexpr std::uint64_t kIdentifier = 36;
        in_.take(kIdentifier, "an identifier");
        readMetadata();
    }

    /// Returns what it says of a grid's kind.
    std::string readMetadata() {
        std::string kind;
        const auto count = in_.read<std::uint32_t>("a number of metadata");
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::string_view key = in_.text("the name of metadata");
            in_.text("the type of metadata");
            const std::string_view value = in_.text("metadata");
            if (key == "class") {
                kind = value;
            }
        }
        return kind;
    }

    void readEntries() {
        const auto count = in_.read<std::uint32_t>("a number of grids");
        for (std::uint32_t i = 0; i < count; ++i) {
            GridEntry entry;
            entry.key = in_.text("a grid's name");
            // The number behind a name that several grids have follows a separator.
            entry.title.name = entry.key.substr(0, entry.key.find('\x1e'));
            entry.title.type = typeOf(in_.text("a grid's type"));
            entry.parent = in_.text("a grid's parent");
            entry.position = in_.read<std::uint64_t>("a grid's place");
            in_.read<std::uint64_t>("a grid's place");
            const auto end = in_.read<std::uint64_t>("a grid's place");
            in_.seek(end, "the end of a grid");
            entries_.push_back(std::move(entry));
        }
    }

    /// The type of the values of a tree with nodes of the usual sizes, else all that the file says.
    static std::string typeOf(std::string_view text) {
        if (text == "Tree_float_5_4_3") {
            return "float";
        }
        return text == "Tree_float_5_4_3_HalfFloat" ? "half" : std::string(text);
    }

    const GridEntry& parentOf(const GridEntry& entry) const {
        const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const GridEntry& other) {
            return other.key == entry.parent && other.parent.empty() && other.title.type == entry.title.type;
        });
        if (found == entries_.end()) {
            in_.refuse("found the grid '{}' with the tree of '{}', which is not there, expected a grid",
                       excerpt(entry.key), excerpt(entry.parent));
        }
        return *found;
    }

    GridHead readGridHead(const GridEntry& entry) {
        in_.seek(entry.position, "a grid");
        GridHead head;
        head.packing = in_.read<std::uint32_t>("a grid's packing");
        head.kind = readMetadata();
        head.worldFromIndex = readTransform();
        head.tree = in_.offset();
        return head;
    }

    glm::dmat4 readTransform() {
        const std::string_view type = in_.text("the type of a transform");
        glm::dmat4 matrix(1.0);
        const bool scales = type == "UniformScaleMap" || type == "ScaleMap";
        const bool both = type == "UniformScaleTranslateMap" || type == "ScaleTranslateMap";
        if (both || type == "TranslationMap") {
            matrix[3] = glm::dvec4(in_.read<glm::dvec3>("a translation"), 1.0);
        }
        if (scales || both) {
            const auto scale = in_.read<glm::dvec3>("a scale");
            for (int axis = 0; axis < 3; ++axis) {
                matrix[axis][axis] = scale[axis];
            }
            in_.take(4 * sizeof(glm::dvec3), "a scale"); // what follows from it
        } else if (type == "AffineMap" || type == "UnitaryMap") {
            // Rows of a matrix that row vectors are multiplied with are columns of ours.
            matrix = in_.read<glm::dmat4>("a matrix");
        } else if (type != "TranslationMap") {
            in_.refuse("found a transform '{}', expected one by a matrix", excerpt(type));
        }
        return matrix;
    }

    void readTree(FileGrid& grid) {
        if (const auto buffers = in_.read<std::uint32_t>("a number of buffers"); buffers != 1) {
            in_.refuse("found a tree with {} buffers, expected 1", buffers);
        }
        grid.background = background_ = in_.read<float>("a background");
        const auto tiles = in_.read<std::uint32_t>("a number of tiles");
        const auto children = in_.read<std::uint32_t>("a number of nodes");
        readRootTiles(tiles, grid);
        for (std::uint32_t i = 0; i < children; ++i) {
            const auto origin = in_.read<glm::ivec3>("a node's place");
            constexpr std::int32_t kFarthest = 1 << 24;
            constexpr std::int32_t kSide = 1 << (kUpperBits + kLowerBits + kLeafBits);
            if (glm::any(glm::notEqual(origin % kSide, glm::ivec3(0))) ||
                glm::any(glm::greaterThan(glm::abs(glm::dvec3(origin)), glm::dvec3(kFarthest)))) {
                in_.refuse("found a node at ({}, {}, {}), expected multiples of {} up to {}", origin.x, origin.y,
                           origin.z, kSide, kFarthest);
            }
            readUpper(origin, grid);
        }
        for (Leaf& leaf : grid.leaves) {
            const auto active = in_.read<Mask<kLeafBits>>("the mask of a leaf");
            readValues(active, std::span<float>(leaf.values));
        }
    }

    /// They are too large for anything but what is outside of everything.
    void readRootTiles(std::uint32_t count, const FileGrid& grid) {
        for (std::uint32_t i = 0; i < count; ++i) {
            in_.read<glm::ivec3>("a tile");
            const auto value = in_.read<float>("a tile");
            in_.read<std::uint8_t>("a tile");
            if (grid.isFog && value > 0.0F) {
                in_.refuse("found the value {} in all of 4096 x 4096 x 4096 voxels, expected 0 or finer ones", value);
            }
        }
    }

    /// The values that a node has in place of children, of fog.
    template <unsigned Bits>
    void readTiles(const glm::ivec3& origin, unsigned childBits, const Mask<Bits>& children, FileGrid& grid) {
        const auto active = in_.read<Mask<Bits>>("the mask of a node");
        if (!grid.isFog) {
            takePacked(readWriting(active).count);
            return;
        }
        std::vector<float> values(std::size_t{1} << (3 * Bits));
        readValues(active, std::span<float>(values));
        for (std::size_t place = 0; place < values.size(); ++place) {
            if (!children[place] && values[place] > 0.0F) {
                grid.tiles.push_back(
                    {origin + (childAt(place, Bits) << static_cast<int>(childBits)), 1 << childBits, values[place]});
            }
        }
    }

    void readUpper(const glm::ivec3& origin, FileGrid& grid) {
        const auto children = in_.read<Mask<kUpperBits>>("the mask of a node");
        readTiles(origin, kLowerBits + kLeafBits, children, grid);
        forEachBit(children, [&](std::size_t place) {
            const glm::ivec3 corner = origin + (childAt(place, kUpperBits) << static_cast<int>(kLowerBits + kLeafBits));
            const auto leaves = in_.read<Mask<kLowerBits>>("the mask of a node");
            readTiles(corner, kLeafBits, leaves, grid);
            forEachBit(leaves, [&](std::size_t leaf) {
                in_.take(sizeof(Mask<kLeafBits>), "the mask of a leaf"); // which comes again with the values
                grid.leaves.emplace_back().origin = corner + (childAt(leaf, kLowerBits) << static_cast<int>(kLeafBits));
            });
        });
    }

    template <typename Bits, typename Visit>
    static void forEachBit(const Bits& mask, const Visit& visit) {
        for (std::size_t word = 0; word < mask.words.size(); ++word) {
            for (const std::uint32_t bit : setBits(mask.words[word])) {
                visit(64 * word + bit);
            }
        }
    }

    /// How the values of a node are written.
    template <unsigned Bits>
    struct Writing {
        Inactive inactive = Inactive::AllWritten;
        std::array<float, 2> others{}; ///< what those are that are not active, by the bits of `choice`
        Mask<Bits> choice{};
        std::size_t count = 0; ///< of values written
    };

    template <unsigned Bits>
    Writing<Bits> readWriting(const Mask<Bits>& active) {
        Writing<Bits> writing;
        const auto number = in_.read<std::int8_t>("how values are written");
        if (number < 0 || number > static_cast<std::int8_t>(Inactive::AllWritten)) {
            in_.refuse("found values written in way {}, expected 0 to 6", number);
        }
        writing.inactive = static_cast<Inactive>(number);
        writing.others = {writing.inactive == Inactive::Background ? background_ : -background_, background_};
        const bool twoValues = writing.inactive == Inactive::MaskOfTwoValues;
        if (writing.inactive == Inactive::OneValue || writing.inactive == Inactive::MaskOfBackgroundAndValue ||
            twoValues) {
            writing.others[0] = in_.read<float>("a value");
        }
        if (twoValues) {
            writing.others[1] = in_.read<float>("a value");
        }
        if (writing.inactive == Inactive::MaskOfBackgrounds || twoValues ||
            writing.inactive == Inactive::MaskOfBackgroundAndValue) {
            writing.choice = in_.read<Mask<Bits>>("the mask of values");
        }
        const bool all = (packing_ & kActiveOnly) == 0 || writing.inactive == Inactive::AllWritten;
        writing.count = all ? std::size_t{1} << (3 * Bits) : active.count();
        return writing;
    }

    std::size_t valueBytes() const { return half_ ? sizeof(std::uint16_t) : sizeof(float); }

    /// The bytes of so many values as they are packed, and whether they are.
    std::pair<std::span<const std::byte>, bool> takePacked(std::size_t count) {
        const std::uint64_t bytes = count * valueBytes();
        if ((packing_ & (kZip | kBlosc)) == 0 || (half_ && count == 0)) {
            return {in_.take(bytes, "values"), false};
        }
        const auto size = in_.read<std::int64_t>("the size of packed values");
        if (size > 0) {
            return {in_.take(static_cast<std::uint64_t>(size), "packed values"), true};
        }
        const std::uint64_t plain = std::uint64_t{0} - static_cast<std::uint64_t>(size);
        if (plain != bytes) {
            in_.refuse("found {} bytes of values that are not packed, expected {}", plain, bytes);
        }
        return {in_.take(bytes, "values"), false};
    }

    /// `values` has room for all of a node's.
    template <unsigned Bits>
    void readValues(const Mask<Bits>& active, std::span<float> values) {
        const Writing<Bits> writing = readWriting(active);
        const auto [found, isPacked] = takePacked(writing.count);
        std::span<const std::byte> bytes = found;
        if (isPacked) {
            unpacked_.resize(writing.count * valueBytes());
            unpackBytes((packing_ & kBlosc) != 0 ? Packing::Blosc : Packing::Zlib, found, unpacked_, in_);
            bytes = unpacked_;
        }
        std::size_t next = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (writing.count == values.size() || active[i]) {
                values[i] = valueAt(bytes, next++);
            } else {
                values[i] = writing.others[writing.choice[i] ? 1 : 0];
            }
        }
    }

    float valueAt(std::span<const std::byte> bytes, std::size_t index) const {
        if (half_) {
            std::uint16_t bits = 0;
            std::memcpy(&bits, &bytes[index * sizeof(bits)], sizeof(bits));
            return glm::unpackHalf1x16(bits);
        }
        float value = 0.0F;
        std::memcpy(&value, &bytes[index * sizeof(value)], sizeof(value));
        return value;
    }

    ByteReader in_;
    std::vector<GridEntry> entries_;
    std::uint32_t packing_ = 0;
    bool half_ = false;
    std::vector<std::byte> unpacked_; ///< of one node
    float background_ = 0.0F;
};

} // namespace

FileGrid readVdb(std::span<const std::byte> bytes, const std::string& name, const std::string& wanted) {
    return VdbReader(bytes, name).read(wanted);
}

} // namespace aureole::vdb
