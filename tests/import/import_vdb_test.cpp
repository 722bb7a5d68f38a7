#include <array>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>
#include <zlib.h>

#include "foreign_nvdb.h"
#include "foreign_vdb.h"
#include "import/vdb/vdb_tree_reader.h"
#include "import_files.h"
#include "volume_files.h"

namespace aureole::test {
namespace {

using Packed = std::string_view;

std::string decodedBase64(std::string_view text) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    std::size_t count = 0;
    for (const char digit : text) {
        if (const std::size_t value = kDigits.find(digit); value != std::string_view::npos) {
            bits = (bits << 6U) | static_cast<std::uint32_t>(value);
            count += 6;
            if (count >= 8) {
                count -= 8;
                bytes += static_cast<char>(bits >> count);
            }
        }
    }
    return bytes;
}

/// A file of foreign_vdb.h or foreign_nvdb.h.
std::string unpacked(Packed text) {
    const std::string packed = decodedBase64(text);
    std::string bytes(std::size_t{1} << 20U, '\0');
    uLongf size = bytes.size();
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                         packed.size()),
              Z_OK);
    bytes.resize(size);
    return bytes;
}

/// The ball that OpenVDB made, in the world.
const glm::dvec3 kVolumeCentre(1.4, -0.3, 5.2);
constexpr double kVolumeRadius = 2.3;
constexpr double kVolumeCell = 0.5;

/// Whether a model's level set has the distances of a ball: to `within` cells in its band, and farther beyond.
void expectVolumeBall(const ImportedModel& model, const glm::dvec3& centre, double radius, double within) {
    ASSERT_EQ(model.voxelInstances.size(), 1U);
    const VoxelModel& voxels = model.voxelModels.at(0);
    ASSERT_TRUE(voxels.isLevelSet());
    EXPECT_TRUE(voxels.levelSet.isSound());
    EXPECT_TRUE(voxels.cells.empty());
    EXPECT_EQ(voxels.materials[1], 0U);
    const glm::dmat4& world = model.voxelInstances[0].worldFromModel;
    EXPECT_NEAR(std::cbrt(glm::determinant(glm::dmat3(world))), kVolumeCell, 1e-12);
    const LevelSetSampler sampler(voxels.levelSet);
    std::size_t near = 0;
    glm::ivec3 point;
    for (point.z = -6; point.z < 16; ++point.z) {
        for (point.y = -6; point.y < 16; ++point.y) {
            for (point.x = -6; point.x < 16; ++point.x) {
                const glm::dvec3 at(world * glm::dvec4(glm::dvec3(point), 1.0));
                const double expected = (glm::distance(at, centre) - radius) / kVolumeCell;
                const double found = sampler.at(point);
                near += std::abs(expected) < 2.9 ? 1 : 0;
                ASSERT_NEAR(found, std::clamp(expected, -3.0, 3.0), std::abs(expected) < 2.9 ? within : 0.11 + within)
                    << point.x << ' ' << point.y << ' ' << point.z;
            }
        }
    }
    EXPECT_GT(near, 500U);
    const std::vector<glm::ivec3> cells = crossedCells(voxels.levelSet);
    glm::ivec3 low(100);
    glm::ivec3 high(-100);
    for (const glm::ivec3& cell : cells) {
        low = glm::min(low, cell);
        high = glm::max(high, cell);
    }
    EXPECT_EQ(low, glm::ivec3(0)) << "the model's corner is at its surface";
    EXPECT_EQ(glm::uvec3(high + 1), voxels.size);
}

struct ForeignVolume {
    const char* name;
    Packed packed;
    double within; ///< cells: what its numbers are worth; codes may be a tenth off
};

TEST(ImportVdb, ReadsWhatOpenVdbAndNanoVdbWrote) {
    const TemporaryFolder folder;
    const std::array<ForeignVolume, 5> files = {{{"zip.vdb", foreign::kZipVdb, 1e-5},
                                                 {"blosc.vdb", foreign::kBloscVdb, 1e-5},
                                                 {"half.vdb", foreign::kHalfVdb, 2e-3},
                                                 {"zip.nvdb", foreign::kZipNvdb, 1e-5},
                                                 {"fpn.nvdb", foreign::kFpnNvdb, 0.101}}};
    for (const ForeignVolume& file : files) {
        SCOPED_TRACE(file.name);
        expectVolumeBall(folder.import(file.name, unpacked(file.packed)), kVolumeCentre, kVolumeRadius, file.within);
    }
}

TEST(ImportVdb, ReadsTheGridThatIsAskedFor) {
    const TemporaryFolder folder;
    for (const auto& file : {std::pair<std::string, Packed>{"several.vdb", foreign::kSeveralVdb},
                             {"several.nvdb", foreign::kSeveralNvdb}}) {
        const std::string& name = file.first;
        SCOPED_TRACE(name);
        const std::string bytes = unpacked(file.second);
        const auto read = [&](const std::string& grid) {
            ImportOptions options;
            options.grid = grid;
            return folder.import(name, bytes, options);
        };
        expectVolumeBall(read(""), kVolumeCentre, kVolumeRadius, 1e-5); // the first level set
        const bool isNano = name == "several.nvdb";
        const ImportedModel other = read(isNano ? "turned" : "small");
        EXPECT_EQ(other.voxelModels.at(0).name, isNano ? "turned" : "small");
        const ImportedModel fog = read("density");
        ASSERT_TRUE(fog.volume && fog.volume->isSound());
        EXPECT_EQ(fog.volume->name, "density");
        EXPECT_GT(summaryOf(*fog.volume).points, 0U);
        EXPECT_TRUE(containsAll(messageOf([&] { read("smal"); }), {"found no grid 'smal'", "'density'"}));
    }
    const std::string message = messageOf([&] {
        ImportOptions options;
        options.grid = "v";
        folder.import("several.vdb", unpacked(foreign::kSeveralVdb), options);
    });
    EXPECT_TRUE(containsAll(message, {"several.vdb: found the grid 'v'", "of vec3s", "a level set or fog, of floats"}));
}

TEST(ImportVdb, ReadsColoursThatNanoVdbWrote) {
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("colours.nvdb", unpacked(foreign::kColoursNvdb));
    expectVolumeBall(model, kVolumeCentre, kVolumeRadius, 1e-5);
    const ColourGrid& colours = model.voxelModels.at(0).colours;
    ASSERT_TRUE(colours.isSound());
    const ColourSampler sampler(colours);
    const glm::dmat4 modelFromPoint = glm::inverse(colours.pointFromModel);
    std::size_t active = 0;
    for (int i = 0; i < 26 * 26 * 26; ++i) {
        const glm::ivec3 point = glm::ivec3(i % 26, i / 26 % 26, i / 676) - glm::ivec3(9, 9, 1);
        const bool within = glm::all(glm::greaterThanEqual(point, glm::ivec3(-8, -8, 0))) &&
                            glm::all(glm::lessThan(point, glm::ivec3(16, 8, 24)));
        const bool isActive = within && ((point.x + point.y + point.z) & 1) != 0;
        const glm::dvec3 place(modelFromPoint * glm::dvec4(glm::dvec3(point), 1.0));
        const std::optional<glm::vec3> found = sampler.at(place);
        ASSERT_EQ(found.has_value(), isActive) << point.x << ' ' << point.y << ' ' << point.z;
        if (isActive) {
            const glm::vec3 expected = glm::vec3(point + glm::ivec3(8, 8, 0)) / glm::vec3(32.0F, 16.0F, 32.0F);
            ASSERT_LT(glm::distance(*found, expected), 1e-5F) << point.x << ' ' << point.y << ' ' << point.z;
            ++active;
        }
    }
    EXPECT_EQ(active, 24U * 16U * 24U / 2U);
    EXPECT_LT(glm::distance(glm::dvec3(modelFromPoint[0]), glm::dvec3(1.0, 0.0, 0.0)), 1e-12) << "both of half a metre";
}

TEST(ImportVdb, ReadsTilesOfColours) {
    const TemporaryFolder folder;
    for (const auto& [name, file] :
         {std::pair<std::string, Packed>{"tiles.vdb", foreign::kTilesVdb}, {"tiles.nvdb", foreign::kTilesNvdb}}) {
        SCOPED_TRACE(name);
        const ColourGrid colours = folder.import(name, unpacked(file)).voxelModels.at(0).colours;
        ASSERT_TRUE(colours.isSound());
        EXPECT_EQ(colours.blocks.size(), 1U + 16 * 16 * 16);
        EXPECT_EQ(colours.colours.size(), 2 * ColourGrid::kBlockPoints) << "a tile's blocks share their values";
        const ColourSampler sampler(colours);
        const glm::dmat4 modelFromPoint = glm::inverse(colours.pointFromModel);
        const auto at = [&](const glm::dvec3& point) {
            return sampler.at(glm::dvec3(modelFromPoint * glm::dvec4(point, 1.0)));
        };
        const glm::vec3 small(0.25F, 0.5F, 0.75F);
        const glm::vec3 large(0.5F, 0.25F, 0.125F);
        for (const double inner : {0.0, 7.0}) {
            EXPECT_EQ(at({24.0 + inner, inner, 7.0 - inner}), small);
            EXPECT_FALSE(at({32.0 + inner, inner, 7.0 - inner})) << "not active";
        }
        EXPECT_FALSE(at({23.0, 0.0, 0.0}));
        for (const double inner : {0.0, 64.0, 127.0}) {
            EXPECT_EQ(at({128.0 + inner, inner, 127.0 - inner}), large);
            EXPECT_FALSE(at({256.0 + inner, inner, 127.0 - inner})) << "not active";
        }
        EXPECT_FALSE(at({127.0, 0.0, 0.0}));
    }
}

/// A tree of one leaf, as OpenVDB writes it with active values alone: of a node's bits the one at `place` is set.
TEST(ImportVdb, ReadsColoursOfHalves) {
    const auto mask = [](unsigned bits, std::size_t place) {
        std::string bytes((std::size_t{1} << (3 * bits)) / 8, '\0');
        bytes[place / 8] = static_cast<char>(1U << (place % 8));
        return bytes;
    };
    const auto nothing = [](unsigned bits) { return std::string((std::size_t{1} << (3 * bits)) / 8, '\0') + '\0'; };
    std::string bytes;
    append(bytes, std::uint32_t{1});
    append(bytes, glm::vec3(0.5F)); // the background
    append(bytes, std::array<std::uint32_t, 2>{0, 1});
    append(bytes, glm::ivec3(0, 4096, 0));
    bytes += mask(vdb::kUpperBits, 1) + nothing(vdb::kUpperBits); // at z 128
    bytes += mask(vdb::kLowerBits, 0) + nothing(vdb::kLowerBits);
    bytes += mask(vdb::kLeafBits, 65) + mask(vdb::kLeafBits, 65) + '\0'; // in the tree, and with the values
    append(bytes, std::array<std::uint16_t, 3>{0x3400, 0x3c00, 0x3800});
    vdb::FileColours grid;
    const std::string name = "half.vdb";
    vdb::VdbTreeReader<glm::vec3>(ByteReader(std::as_bytes(std::span(bytes)), name), vdb::kActiveOnly, true).read(grid);
    ASSERT_EQ(grid.leaves.size(), 1U);
    EXPECT_TRUE(grid.tiles.empty());
    EXPECT_EQ(grid.leaves[0].origin, glm::ivec3(0, 4096, 128));
    for (std::size_t i = 0; i < 512; ++i) {
        ASSERT_EQ(grid.leaves[0].values[i], i == 65 ? glm::vec3(0.25F, 1.0F, 0.5F) : ColourGrid::kNoColour) << i;
    }
}

/// What OpenVDB wrote beside the ball; and two grids of one name.
TEST(ImportVdb, ReadsVectorsAsColours) {
    const TemporaryFolder folder;
    const std::string bytes = unpacked(foreign::kSeveralVdb);
    const auto read = [&](const ImportOptions& options) { return folder.import("several.vdb", bytes, options); };
    EXPECT_TRUE(read({}).voxelModels.at(0).colours.empty()) << "'v' is not asked for";
    ImportOptions options;
    options.colourGrid = "v";
    const ColourGrid colours = read(options).voxelModels.at(0).colours;
    EXPECT_TRUE(colours.isSound());
    std::size_t active = 0;
    for (const glm::vec3& colour : colours.colours) {
        active += colour != ColourGrid::kNoColour ? 1 : 0;
    }
    EXPECT_EQ(active, 1000U);
    const ColourSampler sampler(colours);
    const glm::dvec3 corner(glm::inverse(colours.pointFromModel)[3]);
    const std::optional<glm::vec3> first = sampler.at(corner);
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(*first, glm::vec3(1.0F));
    options.colourGrid.reset();
    options.grid = "tiny[1]";
    const ImportedModel second = read(options);
    EXPECT_EQ(second.voxelModels.at(0).name, "tiny[1]");
    EXPECT_LT(second.voxelModels.at(0).size.x, 8U) << "the ball of 1.1 m";
    for (const char* const called : {"tiny[0]", "tiny"}) {
        options.grid = called;
        EXPECT_EQ(read(options).voxelModels.at(0).name, "tiny");
    }
    options.grid = "tiny[2]";
    EXPECT_TRUE(containsAll(messageOf([&] { read(options); }), {"found no grid 'tiny[2]'"}));
    options.grid = "density";
    options.colourGrid = "v";
    EXPECT_TRUE(containsAll(messageOf([&] { read(options); }),
                            {"several.vdb: found the colour grid 'v' for the fog 'density', expected none"}));
}

/// Where the turned ball is.
glm::dvec3 turnedCentre() {
    const glm::dquat turn = glm::angleAxis(foreign::kTurnAngle, glm::normalize(glm::dvec3(1.0, 2.0, 3.0)));
    return turn * kVolumeCentre + glm::dvec3(0.5, -1.0, 2.0);
}

TEST(ImportVdb, StandsAsTransformsSay) {
    const TemporaryFolder folder;
    expectVolumeBall(folder.import("turned.vdb", unpacked(foreign::kTurnedVdb)), turnedCentre(), kVolumeRadius, 2e-5);
    ImportOptions options;
    options.grid = "turned";
    expectVolumeBall(folder.import("several.nvdb", unpacked(foreign::kSeveralNvdb), options), turnedCentre(),
                     kVolumeRadius, 2e-5);
}

double plainBall(const glm::dvec3& point) {
    return 0.5 * std::min(glm::distance(point, glm::dvec3(4.2, 3.9, 4.4)) - 2.5, 3.0);
}

template <typename T>
std::string replaced(std::string bytes, std::size_t at, const T& value) {
    std::string own;
    append(own, value);
    return bytes.replace(at, own.size(), own);
}

/// Where a grid of makeNvdbColours that is called "Cd" has its matrix.
constexpr std::size_t kMatrixOfCd = 16 + 176 + 3 + 384;

TEST(ImportVdb, ColoursStandAsTheirTransformSays) {
    const TemporaryFolder folder;
    std::vector<glm::ivec3> leaves;
    for (int i = 0; i < 64; ++i) {
        leaves.push_back(8 * glm::ivec3(i % 4, i / 4 % 4, i / 16) - 8);
    }
    const auto colourAt = [](const glm::dvec3& point) { return glm::vec3(0.4 + 0.01 * point); };
    // Of how an inverse is rounded some of them tell.
    for (const double angle : {0.1, 0.4, 0.7, 1.0, 1.3, 1.6}) {
        const glm::dmat3 stretched(glm::scale(glm::dmat4(0.3), glm::dvec3(1.0, 1.4, 0.8)));
        const glm::dmat3 turned =
            stretched * glm::mat3_cast(glm::angleAxis(angle, glm::normalize(glm::dvec3(1.0, 2.0, 3.0))));
        const std::string colours =
            replaced(makeNvdbColours("Cd", leaves, colourAt), kMatrixOfCd, glm::dmat3(glm::transpose(turned)));
        const ImportedModel model = folder.import("turned.nvdb", makeNvdb({{0, 0, 0}}, plainBall) + colours);
        const VoxelModel& voxels = model.voxelModels.at(0);
        ASSERT_TRUE(voxels.colours.isSound());
        const ColourSampler sampler(voxels.colours);
        for (const glm::ivec3& cell : crossedCells(voxels.levelSet)) {
            const glm::dvec3 world(model.voxelInstances.at(0).worldFromModel * glm::dvec4(glm::dvec3(cell), 1.0));
            const glm::dvec3 point = glm::inverse(turned) * (world - glm::dvec3(1.0, 2.0, 3.0));
            const std::optional<glm::vec3> found = sampler.at(cell);
            ASSERT_TRUE(found.has_value()) << angle;
            ASSERT_LT(glm::distance(*found, colourAt(point)), 1e-5F) << point.x << ' ' << point.y << ' ' << point.z;
        }
    }
}

/// What an import tells of colours.
TEST(ImportVdb, ColoursThatDoNotShowAreTold) {
    const TemporaryFolder folder;
    const auto toldOf = [&](const std::string& name, const glm::ivec3& leaf, float red) {
        testing::internal::CaptureStderr();
        const std::string colours =
            makeNvdbColours(name, {leaf}, [&](const glm::dvec3&) { return glm::vec3(red, 0.5F, 0.5F); });
        folder.import("told.nvdb", makeNvdb({{0, 0, 0}}, plainBall) + colours);
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(toldOf("Cd", {0, 0, 0}, 0.5F), "");
    for (const std::string& told : {toldOf("Cd", {8, 0, 0}, 0.5F), toldOf("Cd", {0, 0, 0}, -1.0F)}) {
        EXPECT_TRUE(containsAll(told, {"told.nvdb: colour grid 'Cd': found no active voxel at the surface of 'ball'"}));
    }
}

/// Grids that are left alone may be of any kind; and those that are read are named.
TEST(ImportVdb, TransformsMatterOnlyWhereTheyAreUsed) {
    const TemporaryFolder folder;
    const std::string bytes = unpacked(foreign::kSeveralVdb);
    constexpr std::string_view kMap = "UniformScaleMap";
    ImportOptions options;
    options.colourGrid = "v";
    std::string other = bytes;
    std::size_t grids = 0;
    for (std::size_t at = bytes.find(kMap); at != std::string::npos; at = bytes.find(kMap, at + 1)) {
        other.replace(at, kMap.size(), "ConeOfACameraXX");
        ++grids;
    }
    ASSERT_GT(grids, 2U);
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("other.vdb", other); }),
                            {"other.vdb: grid 'tiny': byte ", "found a transform 'ConeOfACameraXX'"}));
    other = bytes;
    const std::size_t vectors = bytes.find(kMap, bytes.find("Tree_vec3s_5_4_3"));
    other.replace(vectors, kMap.size(), "ConeOfACameraXX");
    expectVolumeBall(folder.import("other.vdb", other), kVolumeCentre, kVolumeRadius, 1e-5);
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("other.vdb", other, options); }),
                            {"other.vdb: colour grid 'v': byte ", "found a transform 'ConeOfACameraXX'"}));
    // Its matrix's first row, of row vectors, then ends by a half.
    const std::string turned = unpacked(foreign::kTurnedVdb);
    const std::size_t matrix = turned.find("AffineMap") + 9;
    EXPECT_TRUE(
        containsAll(messageOf([&] { folder.import("bad.vdb", replaced(turned, matrix + 3 * sizeof(double), 0.5)); }),
                    {"bad.vdb: grid 'turned': found a transform with 0.5 in its last row, expected an affine one"}));
}

TEST(ImportVdb, ErrorsNameTheByte) {
    const TemporaryFolder folder;
    const std::string plain = makeNvdb({{0, 0, 0}}, plainBall);
    EXPECT_EQ(folder.import("plain.nvdb", plain).voxelModels.at(0).size, glm::uvec3(6));
    const auto messageFor = [&](const std::string& name, const std::string& bytes) {
        return messageOf([&] { folder.import(name, bytes); });
    };
    for (std::size_t size = 0; size < plain.size(); size += 97) {
        EXPECT_TRUE(containsAll(messageFor("bad.nvdb", plain.substr(0, size)), {"bad.nvdb: ", "found", "expected"}))
            << size;
    }
    const auto with = [&](std::size_t at, const auto& value) {
        return messageFor("bad.nvdb", replaced(plain, at, value));
    };
    EXPECT_TRUE(containsAll(with(0, 'M'), {"byte 16", "expected such a file"}));
    EXPECT_TRUE(containsAll(with(8, std::uint32_t{31U << 21U}), {"found version 31", "expected 32"}));
    EXPECT_TRUE(containsAll(with(16 + 32, std::uint32_t{6}), {"'ball' (level set of vec3f)"}));
    EXPECT_TRUE(containsAll(with(16 + 36, std::uint32_t{2}), {"grid 'ball'", "value 1.5 outside of everything"}));
    EXPECT_TRUE(containsAll(with(16 + 168, std::uint16_t{7}), {"codec 7", "0 to 2"}));
    EXPECT_TRUE(containsAll(with(kNvdbGrid + 672, std::uint64_t{1} << 63U), {"found leaves at byte"}));
    EXPECT_TRUE(containsAll(with(kNvdbGrid + 672 + 32, std::uint32_t{2}), {"truncated", "a leaf"}));
    EXPECT_TRUE(containsAll(with(kNvdbGrid + 672 + 64 + 28, -1.0F), {"background -1", "above 0"}));
    EXPECT_TRUE(containsAll(with(kNvdbGrid + 384, 0.0), {"transform that makes voxels 0 wide"}));
    EXPECT_TRUE(containsAll(with(kNvdbGrid + 800 + 96, std::nanf("")), {"distance nan at (0, 0, 0)"}));
    EXPECT_TRUE(containsAll(messageFor("bad.nvdb", makeNvdb({{0, 0, 0}, {0, 0, 0}}, plainBall)), {"two leaves"}));
    EXPECT_TRUE(containsAll(messageFor("bad.nvdb", makeNvdb({{0, 0, 0}}, [](const auto&) { return 1.0; })),
                            {"found no surface"}));
    EXPECT_TRUE(containsAll(messageFor("bad.nvdb", makeNvdb({{0, 0, 0}, {1 << 20, 0, 0}},
                                                            [](const glm::dvec3& at) { return std::sin(at.x); })),
                            {"found a surface of 1048", "at most 65535"}));
}

/// What a file says of itself does not fill the terminal.
TEST(ImportVdb, LongNamesAreCutShort) {
    const TemporaryFolder folder;
    constexpr std::size_t kName = kNvdbGrid - 5; // "ball" and its end
    std::string bytes = makeNvdb({{0, 0, 0}}, plainBall);
    bytes.replace(kName, 4, std::string(3000, 'x'));
    std::string size;
    append(size, std::uint32_t{3001});
    bytes.replace(16 + 136, size.size(), size);
    const auto expectShort = [&](const std::string& part) {
        const std::string message = messageOf([&] { folder.import("long.nvdb", bytes); });
        EXPECT_TRUE(containsAll(message, {"long.nvdb", std::string(60, 'x') + "...'", part}));
        EXPECT_LT(message.size(), folder.path().string().size() + 250U) << message;
    };
    bytes[16 + 36] = 2;
    expectShort("value 1.5 outside of everything"); // of fog
    bytes[16 + 32] = 6;
    expectShort("of vec3f");
}

TEST(ImportVdb, FogIsDensities) {
    const TemporaryFolder folder;
    const auto density = [](const glm::dvec3& at) { return at.x == 3.0 ? -0.5 : 0.25 * (1.0 + at.y + 10.0 * at.z); };
    const ImportedModel model = folder.import("fog.nvdb", makeNvdb({{0, 0, 0}, {-8, 8, 16}}, density, true));
    ASSERT_TRUE(model.volume && model.volume->isSound());
    EXPECT_TRUE(model.voxelModels.empty() && model.meshes.empty());
    const DensityGrid& fog = *model.volume;
    ASSERT_EQ(fog.blocks, (std::vector<glm::ivec3>{{0, 0, 0}, {-1, 1, 2}}));
    for (std::size_t block = 0; block < 2; ++block) {
        for (int i = 0; i < 512; ++i) {
            const glm::ivec3 point = 8 * fog.blocks[block] + glm::ivec3(i & 7, i >> 3 & 7, i >> 6);
            ASSERT_FLOAT_EQ(fog.at(block)[i], static_cast<float>(std::max(density(point), 0.0))) << block << ' ' << i;
        }
    }
    EXPECT_EQ(fog.worldFromPoint[0].x, 0.5);
    EXPECT_EQ(glm::dvec3(fog.worldFromPoint[3]), glm::dvec3(1.0, 2.0, 3.0));
    const auto messageFor = [&](const auto& densities) {
        return messageOf([&] { folder.import("bad.nvdb", makeNvdb({{0, 0, 0}, {0, 0, 0}}, densities, true)); });
    };
    EXPECT_TRUE(containsAll(messageFor(density), {"bad.nvdb: grid 'ball'", "two leaves at (0, 0, 0)"}));
    EXPECT_TRUE(
        containsAll(messageFor([](const auto&) { return 1.0 / 0.0; }), {"found the value inf at (0, 0, 0)", "finite"}));
    std::string huge = makeNvdb({{0, 0, 0}}, density, true);
    huge = replaced(huge, kNvdbGrid + 672 + 64 + 24, std::uint32_t{1}); // a tile of the root, behind it
    huge = replaced(replaced(huge, kNvdbGrid + 800, std::array<std::uint64_t, 4>{}), kNvdbGrid + 800 + 20, 2.5F);
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("bad.nvdb", huge); }),
                            {"bad.nvdb", "found the value 2.5 in all of 4096 x 4096 x 4096 voxels"}));
}

TEST(ImportVdb, DamageIsRefused) {
    const TemporaryFolder folder;
    for (const auto& file : {std::pair<std::string, Packed>{"bad.vdb", foreign::kBloscVdb},
                             {"bad.vdb", foreign::kZipVdb},
                             {"bad.nvdb", foreign::kZipNvdb}}) {
        const std::string& name = file.first;
        const std::string whole = unpacked(file.second);
        for (std::size_t i = 0; i < 20; ++i) {
            const std::size_t size = whole.size() * i / 20;
            EXPECT_TRUE(
                containsAll(messageOf([&] { folder.import(name, whole.substr(0, size)); }), {name + ": ", "expected"}))
                << size;
        }
    }
    std::string bytes = unpacked(foreign::kBloscVdb);
    bytes[8] = 21;
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("bad.vdb", bytes); }), {"byte 12", "222 to 224"}));
    // A grid's end leads back to its entry, which would be read again and again.
    bytes[8] = static_cast<char>(224);
    const std::size_t end = bytes.find("Tree_float_5_4_3") + 16 + sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t);
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("bad.vdb", replaced(bytes, end, std::uint64_t{40})); }),
                            {"found the end of the grid", "at byte 40, expected it behind"}));
}

} // namespace
} // namespace aureole::test
