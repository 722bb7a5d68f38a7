#include "volume_files.h"

#include <array>
#include <cstdint>

#include "import_files.h"

namespace aureole::test {

namespace {

constexpr std::uint64_t kMagic = 0x304244566f6e614e;
constexpr std::uint32_t kVersion = 32U << 21U | 4U << 10U;
constexpr std::size_t kTree = 64; ///< bytes of its head

std::string padded(std::string bytes, std::size_t size) {
    bytes.resize(size);
    return bytes;
}

/// From lattice points to the world, as NanoVDB's Map has it in floats and doubles.
template <typename T>
void appendMap(std::string& bytes) {
    for (const double diagonal : {0.5, 2.0}) { // and its inverse
        for (int i = 0; i < 9; ++i) {
            append(bytes, static_cast<T>(i % 4 == 0 ? diagonal : 0.0));
        }
    }
    for (const double place : {1.0, 2.0, 3.0, 1.0}) { // a translation and a taper
        append(bytes, static_cast<T>(place));
    }
}

std::string leafBytes(const glm::ivec3& corner, const std::function<double(const glm::dvec3&)>& distance) {
    std::string bytes;
    append(bytes, corner);
    append(bytes, std::uint32_t{0x02070707}); // the size of its bounds, and flags
    bytes.append(64, '\xff');                 // all values are active
    bytes = padded(bytes, 96);
    for (int i = 0; i < 512; ++i) {
        const glm::ivec3 point = corner + glm::ivec3(i / 64, i / 8 % 8, i % 8);
        append(bytes, static_cast<float>(distance(point)));
    }
    return bytes;
}

std::string nodeBytes(const NvdbTile& tile) {
    const std::size_t places = tile.isUpper ? 32768 : 4096;
    const std::size_t table = 32 + places / 4 + 32; // behind the bounds, the masks of values and children, statistics
    std::string bytes;
    append(bytes, tile.corner);
    bytes = padded(bytes, table + std::size_t{8} * tile.child);
    append(bytes, tile.value);
    return padded(bytes, table + 8 * places);
}

std::string colourLeafBytes(const glm::ivec3& corner, const std::function<glm::vec3(const glm::dvec3&)>& colour) {
    std::array<std::uint64_t, 8> active{};
    std::string values;
    for (std::size_t i = 0; i < 512; ++i) {
        const auto n = static_cast<int>(i);
        const glm::vec3 value = colour(glm::dvec3(corner + glm::ivec3(n / 64, n / 8 % 8, n % 8)));
        active.at(i / 64) |= std::uint64_t{value.x < 0.0F ? 0U : 1U} << (i % 64);
        append(values, value);
    }
    std::string bytes;
    append(bytes, corner);
    append(bytes, std::uint32_t{0x02070707});
    append(bytes, active);
    return padded(bytes, 128) + values;
}

/// A file of one grid: its head, what it says of the grid, the grid's head, and its tree.
std::string fileOf(const std::string& name, std::uint32_t kind, std::uint32_t type, const std::string& tree) {
    std::string grid;
    append(grid, kMagic);
    grid = padded(grid, 16);
    append(grid, kVersion);
    grid = padded(grid, 40) + name;
    grid = padded(grid, 296);
    appendMap<float>(grid);
    appendMap<double>(grid);
    grid = padded(grid, 632);
    append(grid, kind);
    append(grid, type);
    grid = padded(grid, 672) + tree;
    std::string file;
    append(file, kMagic);
    append(file, kVersion);
    append(file, std::uint32_t{1}); // a grid, not packed
    append(file, std::uint64_t{grid.size()});
    append(file, std::uint64_t{grid.size()});
    file = padded(file, 16 + 32);
    append(file, type);
    append(file, kind);
    file = padded(file, 16 + 136);
    append(file, static_cast<std::uint32_t>(name.size() + 1)); // with its end
    file = padded(file, 16 + 172);
    append(file, kVersion);
    return file + name + '\0' + grid;
}

} // namespace

std::string makeNvdb(const std::vector<glm::ivec3>& leaves, const std::function<double(const glm::dvec3&)>& distance,
                     bool isFog, const std::vector<NvdbTile>& tiles) {
    constexpr std::size_t kRoot = 64;
    std::string nodes;
    for (const glm::ivec3& leaf : leaves) {
        nodes += leafBytes(leaf, distance);
    }
    std::array<std::uint32_t, 2> counts{};
    std::array<std::uint64_t, 2> places{};
    for (const bool isUpper : {false, true}) {
        places.at(isUpper ? 1 : 0) = kTree + kRoot + nodes.size();
        for (const NvdbTile& tile : tiles) {
            if (tile.isUpper == isUpper) {
                nodes += nodeBytes(tile);
                ++counts.at(isUpper ? 1 : 0);
            }
        }
    }
    std::string tree;
    append(tree, std::uint64_t{kTree + kRoot}); // where the leaves are, from the tree; then other nodes
    append(tree, places);
    append(tree, std::uint64_t{kTree}); // the root
    append(tree, static_cast<std::uint32_t>(leaves.size()));
    append(tree, counts);
    tree = padded(tree, kTree + 28);
    append(tree, isFog ? 0.0F : 1.5F); // the background
    return fileOf("ball", isFog ? 2 : 1, 1, padded(tree, kTree + kRoot) + nodes);
}

std::string makeNvdbColours(const std::string& name, const std::vector<glm::ivec3>& leaves,
                            const std::function<glm::vec3(const glm::dvec3&)>& colour) {
    constexpr std::size_t kRoot = 96;
    std::string tree;
    append(tree, std::uint64_t{kTree + kRoot});
    append(tree, std::array<std::uint64_t, 2>{});
    append(tree, std::uint64_t{kTree});
    append(tree, static_cast<std::uint32_t>(leaves.size()));
    tree = padded(tree, kTree + kRoot);
    for (const glm::ivec3& leaf : leaves) {
        tree += colourLeafBytes(leaf, colour);
    }
    return fileOf(name, 0, 6, tree);
}

} // namespace aureole::test
