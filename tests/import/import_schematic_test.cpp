// Builds of Minecraft, written byte by byte.

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "import_files.h"
#include "nbt_bytes.h"

namespace aureole::test {
namespace {

using namespace nbt;

using Blocks = std::map<std::array<long, 3>, std::string>;

/// The materials of the solid cells by their places in the world.
Blocks blocksOf(const ImportedModel& model) {
    Blocks blocks;
    forEachCell(model, glm::dvec3(0.0), [&](const glm::dvec3& at, std::uint32_t material) {
        blocks[{std::lround(at.x), std::lround(at.y), std::lround(at.z)}] = model.materials.at(material).name;
    });
    return blocks;
}

/// 3 wide, 2 high, 2 long. The number 300 takes two bytes.
const Value kPalette = compound({{"minecraft:air", intOf(0)},
                                 {"minecraft:stone", intOf(1)},
                                 {"minecraft:oak_log[axis=y]", intOf(300)},
                                 {"minecraft:red_wool", intOf(127)}});
const std::string kData("\1\1\0"
                        "\xac\2\0\x7f"
                        "\0\0\1"
                        "\0\xac\2\0",
                        14);
const Blocks kBuild = {{{0, 0, 0}, "stone"},    {{1, 0, 0}, "stone"}, {{0, 0, 1}, "oak_log"},
                       {{2, 0, 1}, "red_wool"}, {{2, 1, 0}, "stone"}, {{1, 1, 1}, "oak_log"}};

Entries sponge2() {
    return {{"Entities", list({compound({{"Pos", list({intOf(1)})}})})},
            {"BlockData", byteArray(kData)},
            {"Width", shortOf(3)},
            {"Height", shortOf(2)},
            {"Length", shortOf(2)},
            {"Version", intOf(2)},
            {"Offset", {11, std::string("\0\0\0\1\0\0\0\7", 8)}},
            {"Palette", kPalette}};
}

/// The entries with one of them replaced, or left out by a value of the type 0.
std::string withEntry(const Entries& entries, const std::string& key, const Value& value) {
    Entries changed;
    for (const auto& [name, old] : entries) {
        if (name != key) {
            changed.emplace_back(name, old);
        } else if (value.type != 0) {
            changed.emplace_back(name, value);
        }
    }
    return file(compound(changed), "Schematic");
}

TEST(ImportSchematic, SpongesBlocksStandWhereTheyAre) {
    const TemporaryFolder folder;
    const std::string plain = file(compound(sponge2()), "Schematic");
    EXPECT_EQ(blocksOf(folder.import("plain.schem", plain)), kBuild);
    EXPECT_EQ(blocksOf(folder.import("packed.schem", gzip(plain))), kBuild);
    const Value blocks = compound({{"Data", byteArray(kData)}, {"BlockEntities", list({})}, {"Palette", kPalette}});
    const std::string third = file(compound({{"Schematic", compound({{"Version", intOf(3)},
                                                                     {"Width", shortOf(3)},
                                                                     {"Height", shortOf(2)},
                                                                     {"Blocks", blocks},
                                                                     {"Length", shortOf(2)}})}}));
    EXPECT_EQ(blocksOf(folder.import("third.schem", gzip(third))), kBuild);
}

TEST(ImportSchematic, NumbersOfOldBlocksAreNames) {
    const TemporaryFolder folder;
    const Entries entries = {{"Materials", text("Alpha")},
                             {"Width", shortOf(4)},
                             {"Height", shortOf(2)},
                             {"Length", shortOf(1)},
                             {"Data", byteArray(std::string("\0\16\5\7\0\0\1\0", 8))},
                             {"AddBlocks", byteArray(std::string("\0\0\x10\0", 4))},
                             {"Blocks", byteArray("\x01\x23\x05\x11\x7c\x02\x05\x40")}};
    const Blocks expected = {{{0, 0, 0}, "stone"},
                             {{1, 0, 0}, "red_wool"},
                             {{2, 0, 0}, "dark_oak_planks"},
                             {{3, 0, 0}, "jungle_log"},
                             {{0, 1, 0}, "redstone_lamp[lit=true]"},
                             {{1, 1, 0}, "block_258_0"}, // of a mod
                             {{2, 1, 0}, "spruce_planks"},
                             {{3, 1, 0}, "oak_door"}};
    EXPECT_EQ(blocksOf(folder.import("old.schematic", gzip(file(compound(entries), "Schematic")))), expected);
    EXPECT_TRUE(
        containsAll(messageOf([&] { folder.import("short.schematic", withEntry(entries, "Data", byteArray("\1\2"))); }),
                    {"short.schematic: ", "found 8 blocks and 2 values of data, expected 8 of each"}));
}

/// 17 kinds of blocks need 5 bits, so that some of the 26 blocks lie in two longs.
TEST(ImportSchematic, LitematicsBitsGoOverLongs) {
    const TemporaryFolder folder;
    const std::vector<std::string> dyes = {"white", "orange", "magenta",    "light_blue", "yellow", "lime",
                                           "pink",  "gray",   "light_gray", "cyan",       "purple", "blue",
                                           "brown", "green",  "red",        "black"};
    std::vector<Value> palette = {compound({{"Name", text("minecraft:air")}})};
    for (const std::string& dye : dyes) {
        palette.push_back(compound({{"Properties", compound({{"occupied", text("false")}, {"part", text("foot")}})},
                                    {"Name", text("minecraft:" + dye + "_bed")}}));
    }
    std::vector<std::uint64_t> longs(3, 0);
    Blocks expected;
    for (unsigned i = 0; i < 26; ++i) {         // 13 wide, 2 long, from (-9, 6, -5) on
        const unsigned kind = (i * 5 + 7) % 17; // the two that lie in two longs have bits in both
        for (unsigned bit = 0; bit < 5; ++bit) {
            const unsigned at = 5 * i + bit;
            longs[at / 64] |= static_cast<std::uint64_t>(kind >> bit & 1U) << at % 64;
        }
        if (kind > 0) {
            expected[{-9 + static_cast<long>(i % 13), 6, -5 + static_cast<long>(i / 13)}] = dyes[kind - 1] + "_bed";
        }
    }
    const auto xyz = [](int x, int y, int z) { return compound({{"x", intOf(x)}, {"y", intOf(y)}, {"z", intOf(z)}}); };
    const auto build = [&](const Value& size, const Value& states) {
        const Value region = compound({{"BlockStates", states},
                                       {"Size", size},
                                       {"BlockStatePalette", list(palette)},
                                       {"Position", xyz(3, 6, -4)}});
        return gzip(file(compound({{"Version", intOf(6)}, {"Regions", compound({{"hall", region}})}})));
    };
    const ImportedModel model = folder.import("a.litematic", build(xyz(-13, 1, -2), longArray(longs)));
    EXPECT_EQ(blocksOf(model), expected);
    EXPECT_EQ(model.voxelModels.at(0).name, "hall");
    const auto messageFor = [&](const Value& size, const Value& states) {
        return messageOf([&] { folder.import("bad.litematic", build(size, states)); });
    };
    EXPECT_TRUE(containsAll(messageFor(xyz(13, 1, 3), longArray(longs)),
                            {"region 'hall'", "found 3 longs of blocks, expected 4, for 39 blocks of 5 bits"}));
    EXPECT_TRUE(containsAll(messageFor(xyz(13, -1, 2), longArray(std::vector<std::uint64_t>(8))),
                            {"/BlockStates", "an array of 8 numbers, expected at most 7 for the size"}));
    EXPECT_TRUE(containsAll(messageFor(xyz(13, 0, 2), longArray(longs)), {"found a side of 0 blocks"}));
    EXPECT_TRUE(containsAll(messageFor(xyz(13, -2147483647 - 1, 2), longArray(longs)), {"expected 1 to 65535"}));
    longs[0] |= 31U;
    EXPECT_TRUE(containsAll(messageFor(xyz(13, 1, 2), longArray(longs)),
                            {"/Regions/hall", "found a block of the number 31 at (", "), expected less than 17"}));
}

Value structureBlock(int x, int y, int z, int state) {
    return compound({{"state", intOf(state)}, {"pos", list({intOf(x), intOf(y), intOf(z)})}});
}

TEST(ImportSchematic, StructuresSayBlockByBlock) {
    const TemporaryFolder folder;
    const auto build = [](int height, const std::vector<Value>& blocks) {
        return gzip(
            file(compound({{"blocks", list(blocks)},
                           {"size", list({intOf(2), intOf(height), intOf(4)})},
                           {"palette", list({compound({{"Name", text("minecraft:glass")}}),
                                             compound({{"Name", text("minecraft:ladder")},
                                                       {"Properties", compound({{"waterlogged", text("true")},
                                                                                {"facing", text("up")}})}})})}})));
    };
    const ImportedModel model =
        folder.import("a.nbt", build(3, {structureBlock(1, 2, 3, 0), structureBlock(0, 1, 2, 1)}));
    EXPECT_EQ(blocksOf(model), (Blocks{{{1, 2, 3}, "glass"}, {{0, 1, 2}, "water"}}));
    const auto messageFor = [&](int height, const std::vector<Value>& blocks) {
        return messageOf([&] { folder.import("bad.nbt", build(height, blocks)); });
    };
    EXPECT_TRUE(
        containsAll(messageFor(3, {structureBlock(1, -1, 3, 0)}), {"(1, -1, 3), expected less than (2, 3, 4)"}));
    EXPECT_TRUE(
        containsAll(messageFor(3, {structureBlock(1, 1, 3, 2)}), {"the number 2 at (", "), expected less than 2"}));
    EXPECT_TRUE(containsAll(messageFor(-3, {}), {"found a side of -3 blocks, expected 1 to 65535"}));
    EXPECT_TRUE(containsAll(messageFor(3, {}), {"holds no block that shows"}));
    const Value far = list({intOf(4096), intOf(4096), intOf(64)});
    EXPECT_TRUE(containsAll(messageOf([&] {
                                folder.import("sparse.nbt", file(compound({{"size", far}, {"palette", list({})}})));
                            }),
                            {"found 0 blocks in 1073741824 places"}));
}

TEST(ImportSchematic, FilesAreReadByWhatTheyAre) {
    const TemporaryFolder folder;
    const std::string schematic = file(compound(sponge2()), "Schematic");
    const std::string structure = file(compound({{"size", list({intOf(1), intOf(1), intOf(1)})},
                                                 {"palette", list({compound({{"Name", text("minecraft:stone")}})})},
                                                 {"blocks", list({structureBlock(0, 0, 0, 0)})}}));
    const Value one = compound({{"x", intOf(1)}, {"y", intOf(1)}, {"z", intOf(1)}});
    const std::string litematic = file(compound(
        {{"Version", intOf(6)},
         {"Regions",
          compound({{"hall", compound({{"Size", one},
                                       {"BlockStatePalette", list({compound({{"Name", text("minecraft:stone")}})})},
                                       {"BlockStates", longArray({0})}})}})}}));
    const Blocks stone = {{{0, 0, 0}, "stone"}};
    for (const char* const extension : {"schem", "schematic", "litematic", "nbt"}) {
        const std::string name = std::string("a.") + extension;
        EXPECT_EQ(blocksOf(folder.import(name, schematic)), kBuild) << extension;
        EXPECT_EQ(blocksOf(folder.import(name, structure)), stone) << extension;
        EXPECT_EQ(blocksOf(folder.import(name, litematic)), stone) << extension;
        EXPECT_TRUE(containsAll(messageOf([&] {
                                    folder.import(name, file(compound({{"Version", intOf(9)}})));
                                }),
                                {name, "found no entry of a build", "Regions (.litematic)"}));
    }
}

/// The looks of blocks by their names, in a build of one row.
class BlockLooks : public testing::Test {
protected:
    static Material lookOf(const std::string& state) {
        const TemporaryFolder folder;
        const Entries entries = {{"Width", shortOf(2)},
                                 {"Height", shortOf(1)},
                                 {"Length", shortOf(1)},
                                 {"Palette", compound({{state, intOf(0)}, {"minecraft:bedrock", intOf(1)}})},
                                 {"BlockData", byteArray(std::string("\0\1", 2))}};
        const ImportedModel model = folder.import("a.schem", file(compound(entries)));
        const VoxelModel& voxels = model.voxelModels.at(0);
        return voxels.cells.at(0) == 0 ? Material{} : model.materials.at(voxels.materials.at(voxels.cells.at(0)));
    }

    static bool isNothing(const std::string& state) { return lookOf(state).name.empty(); }
};

TEST_F(BlockLooks, WhatHasNoBulkIsNothing) {
    for (const char* name : {"air", "cave_air", "void_air", "structure_void", "light", "barrier", "poppy", "rail",
                             "powered_rail", "stone_button", "oak_wall_sign", "red_carpet", "potted_cactus",
                             "ladder[waterlogged=false]", "redstone_wire[power=15]"}) {
        EXPECT_TRUE(isNothing("minecraft:" + std::string(name))) << name;
    }
    for (const char* name :
         {"snow[layers=1]", "torch", "oak_slab", "sugar_cane", "mangrove_roots", "cactus", "airship"}) {
        EXPECT_FALSE(isNothing("minecraft:" + std::string(name))) << name;
    }
}

TEST_F(BlockLooks, TheLongestWordsSayTheColour) {
    const auto colour = [&](const std::string& state) { return lookOf(state).albedo; };
    EXPECT_EQ(colour("minecraft:oak_stairs[half=top]"), colour("minecraft:oak_planks"));
    EXPECT_NE(colour("minecraft:dark_oak_stairs"), colour("minecraft:oak_stairs"));
    EXPECT_NE(colour("minecraft:oak_log"), colour("minecraft:oak_planks"));
    EXPECT_EQ(colour("minecraft:iron_trapdoor"), colour("minecraft:iron_block"));
    EXPECT_EQ(colour("some_mod:polished_granite_pillar"), colour("minecraft:granite"));
    EXPECT_EQ(colour("minecraft:tuff_bricks"), colour("minecraft:tuff"));
    const glm::vec3 red = colour("minecraft:red_wool");
    EXPECT_GT(red.r, 4.0F * red.g);
    const glm::vec3 blue = colour("minecraft:light_blue_concrete");
    EXPECT_GT(blue.b, 2.0F * blue.r);
    EXPECT_NE(colour("minecraft:blue_concrete"), blue);
    EXPECT_NE(colour("minecraft:red_sandstone"), colour("minecraft:red_wool"));
    EXPECT_NEAR(colour("some_mod:gizmo").r, 0.2159F, 1e-3F) << "grey where no word is known";
}

TEST_F(BlockLooks, GlassAndWaterAreClearAndMetalIsMetal) {
    for (const char* name : {"glass", "glass_pane", "red_stained_glass", "ice", "water", "kelp", "slime_block"}) {
        const Material look = lookOf("minecraft:" + std::string(name));
        EXPECT_EQ(look.model, MaterialModel::Dielectric) << name;
        EXPECT_GE(std::min({look.absorption.r, look.absorption.g, look.absorption.b}), 0.0F) << name;
        EXPECT_GT(look.absorption.r + look.absorption.g + look.absorption.b, 0.0F) << name;
    }
    EXPECT_FLOAT_EQ(lookOf("minecraft:water[level=3]").ior, 1.333F);
    const Material red = lookOf("minecraft:red_stained_glass_pane");
    EXPECT_GT(red.absorption.b, 3.0F * red.absorption.r);
    EXPECT_EQ(lookOf("minecraft:packed_ice").model, MaterialModel::Lambert);
    EXPECT_EQ(lookOf("minecraft:iron_ore").model, MaterialModel::Lambert);
    EXPECT_EQ(lookOf("minecraft:chain_command_block").model, MaterialModel::Lambert);
    EXPECT_EQ(lookOf("minecraft:waxed_exposed_cut_copper_slab").metalness, 1.0F);
}

TEST_F(BlockLooks, LampsLightByTheirLevel) {
    const auto light = [&](const std::string& state) { return lookOf(state).emission.r; };
    EXPECT_FLOAT_EQ(light("minecraft:glowstone"), 6.0F);
    EXPECT_FLOAT_EQ(light("minecraft:wall_torch[facing=east]"), 6.0F * 14 * 14 / 225);
    EXPECT_GT(light("minecraft:lava"), 0.0F);
    EXPECT_GT(light("minecraft:ochre_froglight"), 0.0F);
    EXPECT_EQ(light("minecraft:redstone_lamp"), 0.0F);
    EXPECT_EQ(light("minecraft:redstone_lamp[lit=false]"), 0.0F);
    EXPECT_GT(light("minecraft:redstone_lamp[lit=true]"), 0.0F);
    EXPECT_GT(light("minecraft:red_candle[candles=3,lit=true,waterlogged=false]"), 0.0F);
    EXPECT_EQ(light("minecraft:red_candle[candles=3,lit=false]"), 0.0F);
    EXPECT_GT(light("minecraft:campfire[facing=north]"), 0.0F);
    EXPECT_EQ(light("minecraft:campfire[facing=north,lit=false]"), 0.0F);
    const glm::vec3 soul = lookOf("minecraft:soul_lantern").emission;
    EXPECT_GT(soul.b, 2.0F * soul.r);
}

/// Palettes name them in the order of the alphabet.
TEST(ImportSchematic, LitFiresStandBesideOnesThatAreOut) {
    const TemporaryFolder folder;
    const Entries entries = {{"Width", shortOf(2)},
                             {"Height", shortOf(1)},
                             {"Length", shortOf(1)},
                             {"Palette", compound({{"minecraft:campfire[lit=false]", intOf(0)},
                                                   {"minecraft:campfire[lit=true]", intOf(1)}})},
                             {"BlockData", byteArray(std::string("\0\1", 2))}};
    const ImportedModel model = folder.import("a.schem", file(compound(entries)));
    ASSERT_EQ(model.materials.size(), 2U);
    EXPECT_EQ(model.materials[0].emission.r, 0.0F);
    EXPECT_GT(model.materials[1].emission.r, 0.0F);
}

TEST(ImportSchematic, MoreKindsThanAModelHasTakeTwo) {
    Entries palette;
    std::string data;
    Blocks expected;
    for (int i = 0; i < 300; ++i) {
        const std::string name = i == 299 ? "glass" : "made_of_stone_" + std::to_string(i);
        palette.emplace_back("mod:" + name, intOf(i));
        data += i < 128 ? std::string(1, static_cast<char>(i))
                        : std::string{static_cast<char>((i & 0x7f) | 0x80), static_cast<char>(i >> 7)};
        expected[{i % 30, 0, i / 30}] = name;
    }
    const Entries entries = {{"Width", shortOf(30)},
                             {"Height", shortOf(1)},
                             {"Length", shortOf(10)},
                             {"Palette", compound(palette)},
                             {"BlockData", byteArray(data)}};
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("many.schem", file(compound(entries)));
    EXPECT_EQ(blocksOf(model), expected);
    ASSERT_EQ(model.voxelModels.size(), 2U);
    EXPECT_EQ(model.materials.at(model.voxelModels[0].materials.at(1)).name, "glass") << "clear ones go first";
}

TEST(ImportSchematic, ErrorsNameThePlace) {
    const TemporaryFolder folder;
    const auto messageFor = [&](const std::string& bytes) {
        return messageOf([&] { folder.import("bad.schem", bytes); });
    };
    const std::string plain = file(compound(sponge2()), "Schematic");
    const std::string packed = gzip(plain);
    for (std::size_t size = 0; size < plain.size(); size += 11) {
        EXPECT_TRUE(containsAll(messageFor(plain.substr(0, size)), {"bad.schem: ", "found", "expected"})) << size;
    }
    for (std::size_t size = 1; size + 12 < packed.size(); size += 29) { // the last bytes say nothing of the data
        EXPECT_TRUE(containsAll(messageFor(packed.substr(0, size)), {"bad.schem: ", "found", "expected"})) << size;
    }
    const auto with = [&](const std::string& key, const Value& value) {
        return messageFor(withEntry(sponge2(), key, value));
    };
    EXPECT_TRUE(containsAll(messageFor("VOX "), {"found a tag of the type 86"}));
    EXPECT_TRUE(containsAll(messageFor(packed.substr(0, 12) + "xxxx"), {"found damaged data"}));
    EXPECT_TRUE(containsAll(with("Width", {}), {"found no width"}));
    EXPECT_TRUE(containsAll(with("Width", shortOf(-1)), {"found 14 bytes of blocks, expected 262140 blocks"}));
    EXPECT_TRUE(containsAll(with("Height", shortOf(0)), {"found a side of 0 blocks"}));
    EXPECT_TRUE(containsAll(with("Length", text("2")), {"/Length", "found a string, expected a whole number"}));
    EXPECT_TRUE(containsAll(with("Version", intOf(4)), {"found version 4"}));
    EXPECT_TRUE(containsAll(with("Palette", compound({{"minecraft:stone", intOf(1)}, {"minecraft:dirt", intOf(1)}})),
                            {"'minecraft:stone'", "'minecraft:dirt'", "both of the number 1"}));
    EXPECT_TRUE(containsAll(with("Palette", compound({})), {"the number 1 at (0, 0, 0), expected one of the 0"}));
    EXPECT_TRUE(containsAll(with("Palette", compound({{std::string(1025, 'x'), intOf(0)}})),
                            {"a block's name of 1025 bytes, expected at most 1024"}));
    EXPECT_TRUE(containsAll(with("Palette", intOf(0)), {"/Palette", "found an int, expected a compound"}));
    EXPECT_TRUE(containsAll(with("Palette", {}), {"found no blocks"}));
    EXPECT_TRUE(containsAll(with("BlockData", byteArray(kData + '\0')), {"found 15 bytes of blocks, expected 14"}));
    EXPECT_TRUE(containsAll(with("BlockData", byteArray(std::string(61, '\1'))),
                            {"/BlockData", "an array of 61 numbers, expected at most 60 for the size of the build"}));
    EXPECT_TRUE(containsAll(with("BlockData", byteArray(kData.substr(0, 13))), {"end within block 11"}));
    EXPECT_TRUE(containsAll(with("BlockData", byteArray(std::string(20, '\x80'))), {"end within block 0"}));
    EXPECT_TRUE(
        containsAll(with("BlockData", {7, std::string("\x80\0\0\0", 4)}), {"/BlockData", "a length of -2147483648"}));
    EXPECT_TRUE(containsAll(with("Entities", {9, std::string("\0\x7f\0\0\0", 5)}), {"elements without a type"}));
}

TEST(ImportSchematic, HostileFilesStayWithinLimits) {
    const TemporaryFolder folder;
    const auto messageFor = [&](const std::string& bytes) {
        return messageOf([&] { folder.import("hostile.nbt", bytes); });
    };
    std::string deep("\12\0\0", 3);
    for (int i = 0; i < 100'000; ++i) {
        deep += std::string("\12\0\1a", 4); // a compound named "a" in a compound
    }
    EXPECT_TRUE(containsAll(messageFor(gzip(deep)), {"hostile.nbt: ", "more than 512 levels"}));
    std::string lists("\12\0\0\11\0\1a", 7);
    for (int i = 0; i < 100'000; ++i) {
        lists += std::string("\11\0\0\0\1", 5);
    }
    EXPECT_TRUE(containsAll(messageFor(gzip(lists)), {"more than 512 levels"}));
    const std::string empties =
        std::string("\12\0\0\11\0\1a\12\0\x80\0\0", 12) + std::string(std::size_t{1} << 23U, '\0');
    EXPECT_TRUE(containsAll(messageFor(gzip(empties)), {"/a: ", "entries and elements, expected at most that"}));
    // Lengths that promise more than there is make no room for it.
    for (const char* const entry :
         {"\7\0\1a\x7f\xff\xff\xff", "\14\0\1a\x7f\xff\xff\xff", "\11\0\1a\1\x7f\xff\xff\xff"}) {
        const std::string bytes = std::string("\12\0\0", 3) + std::string(entry, entry[0] == '\11' ? 9 : 8);
        EXPECT_TRUE(containsAll(messageFor(gzip(bytes)), {"found its end", "expected more"}));
    }
}

} // namespace
} // namespace aureole::test
