#pragma once

// The trees of a file of OpenVDB (vdb_file.cpp), of numbers or of colours.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <glm/gtc/packing.hpp>

#include "core/set_bits.h"
#include "image/byte_reader.h"
#include "import/vdb/unpack_bytes.h"
#include "import/vdb/vdb_format.h"
#include "import/vdb/volume_grid.h"
#include "model/colour_grid.h"

namespace aureole::vdb {

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

/// Reads a tree, of floats or of vectors of 3, from where it starts. `half`: its values are written as halves.
template <typename T>
class VdbTreeReader {
public:
    VdbTreeReader(ByteReader in, std::uint32_t packing, bool half)
        : in_(std::move(in))
        , packing_(packing)
        , half_(half) {}

    void read(FileGridOf<T>& grid) {
        if (const auto buffers = in_.read<std::uint32_t>("a number of buffers"); buffers != 1) {
            in_.refuse("found a tree with {} buffers, expected 1", buffers);
        }
        grid.background = background_ = in_.read<T>("a background");
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
        for (LeafOf<T>& leaf : grid.leaves) {
            const auto active = in_.read<Mask<kLeafBits>>("the mask of a leaf");
            readValues(active, std::span<T>(leaf.values));
        }
    }

private:
    static constexpr bool kOfColours = std::is_same_v<T, glm::vec3>;

    /// They are too large for anything but what is outside of everything.
    void readRootTiles(std::uint32_t count, const FileGridOf<T>& grid) {
        for (std::uint32_t i = 0; i < count; ++i) {
            in_.read<glm::ivec3>("a tile");
            const auto value = in_.read<T>("a tile");
            const bool isActive = in_.read<std::uint8_t>("a tile") != 0;
            if constexpr (kOfColours) {
                if (isActive) {
                    in_.refuse("found a colour in all of 4096 x 4096 x 4096 voxels, expected finer ones");
                }
            } else if (isTile(grid, value)) {
                in_.refuse("found the value {} in all of 4096 x 4096 x 4096 voxels, expected 0 or finer ones", value);
            }
        }
    }

    static bool isTile(const FileGridOf<T>& grid, const T& value) {
        if constexpr (kOfColours) {
            return value != ColourGrid::kNoColour;
        } else {
            return grid.isFog && value > 0.0F;
        }
    }

    /// The values that a node has in place of children, of fog and colours.
    template <unsigned Bits>
    void readTiles(const glm::ivec3& origin, unsigned childBits, const Mask<Bits>& children, FileGridOf<T>& grid) {
        const auto active = in_.read<Mask<Bits>>("the mask of a node");
        if (!kOfColours && !grid.isFog) {
            takePacked(readWriting(active).count);
            return;
        }
        std::vector<T> values(std::size_t{1} << (3 * Bits));
        readValues(active, std::span<T>(values));
        for (std::size_t place = 0; place < values.size(); ++place) {
            if (!children[place] && isTile(grid, values[place])) {
                grid.tiles.push_back(
                    {origin + (childAt(place, Bits) << static_cast<int>(childBits)), 1 << childBits, values[place]});
            }
        }
    }

    void readUpper(const glm::ivec3& origin, FileGridOf<T>& grid) {
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
        std::array<T, 2> others{}; ///< what those are that are not active, by the bits of `choice`
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
            writing.others[0] = in_.read<T>("a value");
        }
        if (twoValues) {
            writing.others[1] = in_.read<T>("a value");
        }
        if (writing.inactive == Inactive::MaskOfBackgrounds || twoValues ||
            writing.inactive == Inactive::MaskOfBackgroundAndValue) {
            writing.choice = in_.read<Mask<Bits>>("the mask of values");
        }
        const bool all = (packing_ & kActiveOnly) == 0 || writing.inactive == Inactive::AllWritten;
        writing.count = all ? std::size_t{1} << (3 * Bits) : active.count();
        return writing;
    }

    std::size_t valueBytes() const { return half_ ? sizeof(T) / 2 : sizeof(T); }

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
    void readValues(const Mask<Bits>& active, std::span<T> values) {
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
            const bool isWritten = writing.count == values.size() || active[i];
            values[i] = isWritten ? valueAt(bytes, next++) : writing.others[writing.choice[i] ? 1 : 0];
            if constexpr (kOfColours) {
                values[i] = active[i] ? values[i] : ColourGrid::kNoColour;
            }
        }
    }

    T valueAt(std::span<const std::byte> bytes, std::size_t index) const {
        T value;
        if (half_) {
            // T is one number or several. NOLINTNEXTLINE(bugprone-sizeof-expression)
            std::array<std::uint16_t, sizeof(T) / sizeof(float)> halves{};
            std::memcpy(&halves, &bytes[index * sizeof(halves)], sizeof(halves));
            std::array<float, halves.size()> numbers{};
            std::transform(halves.begin(), halves.end(), numbers.begin(), glm::unpackHalf1x16);
            std::memcpy(&value, &numbers, sizeof(value));
        } else {
            std::memcpy(&value, &bytes[index * sizeof(value)], sizeof(value));
        }
        return value;
    }

    ByteReader in_;
    std::uint32_t packing_;
    bool half_;
    std::vector<std::byte> unpacked_; ///< of one node
    T background_{};
};

} // namespace aureole::vdb
