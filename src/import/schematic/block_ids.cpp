#include "import/schematic/block_ids.h"

#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "import/schematic/block_colours.h"

namespace aureole::schematic {

namespace {

/// By number. Where the data choose, '|' stands between the names, whose number divides what the data go round by; '#'
/// is one of the sixteen dyes.
constexpr std::array<std::string_view, 256> kNames = {
    // 0
    "air", "stone|granite|polished_granite|diorite|polished_diorite|andesite|polished_andesite", "grass_block",
    "dirt|coarse_dirt|podzol", "cobblestone",
    "oak_planks|spruce_planks|birch_planks|jungle_planks|acacia_planks|dark_oak_planks", "oak_sapling", "bedrock",
    "water", "water", "lava", "lava", "sand|red_sand", "gravel", "gold_ore", "iron_ore",
    // 16
    "coal_ore", "oak_log|spruce_log|birch_log|jungle_log", "oak_leaves|spruce_leaves|birch_leaves|jungle_leaves",
    "sponge|wet_sponge", "glass", "lapis_ore", "lapis_block", "dispenser", "sandstone", "note_block", "red_bed",
    "powered_rail", "detector_rail", "sticky_piston", "cobweb", "dead_bush|short_grass|fern",
    // 32
    "dead_bush", "piston", "piston_head", "#wool", "moving_piston", "dandelion", "poppy", "brown_mushroom",
    "red_mushroom", "gold_block", "iron_block",
    "smooth_stone|sandstone|oak_planks|cobblestone|bricks|stone_bricks|nether_bricks|quartz_block",
    "stone_slab|sandstone_slab|oak_slab|cobblestone_slab|brick_slab|stone_brick_slab|nether_brick_slab|quartz_slab",
    "bricks", "tnt", "bookshelf",
    // 48
    "mossy_cobblestone", "obsidian", "torch", "fire", "spawner", "oak_stairs", "chest", "redstone_wire", "diamond_ore",
    "diamond_block", "crafting_table", "wheat", "farmland", "furnace", "furnace[lit=true]", "oak_sign",
    // 64
    "oak_door", "ladder", "rail", "cobblestone_stairs", "oak_wall_sign", "lever", "stone_pressure_plate", "iron_door",
    "oak_pressure_plate", "redstone_ore", "redstone_ore[lit=true]", "redstone_torch[lit=false]", "redstone_torch",
    "stone_button", "snow", "ice",
    // 80
    "snow_block", "cactus", "clay", "sugar_cane", "jukebox", "oak_fence", "carved_pumpkin", "netherrack", "soul_sand",
    "glowstone", "nether_portal", "jack_o_lantern", "cake", "repeater", "repeater", "#stained_glass",
    // 96
    "oak_trapdoor", "infested_stone|infested_cobblestone|infested_stone_bricks",
    "stone_bricks|mossy_stone_bricks|cracked_stone_bricks|chiseled_stone_bricks", "brown_mushroom_block",
    "red_mushroom_block", "iron_bars", "glass_pane", "melon", "pumpkin_stem", "melon_stem", "vine", "oak_fence_gate",
    "brick_stairs", "stone_brick_stairs", "mycelium", "lily_pad",
    // 112
    "nether_bricks", "nether_brick_fence", "nether_brick_stairs", "nether_wart", "enchanting_table", "brewing_stand",
    "cauldron", "end_portal", "end_portal_frame", "end_stone", "dragon_egg", "redstone_lamp", "redstone_lamp[lit=true]",
    "oak_slab|spruce_slab|birch_slab|jungle_slab|acacia_slab|dark_oak_slab|oak_slab|oak_slab",
    "oak_slab|spruce_slab|birch_slab|jungle_slab|acacia_slab|dark_oak_slab|oak_slab|oak_slab", "cocoa",
    // 128
    "sandstone_stairs", "emerald_ore", "ender_chest", "tripwire_hook", "tripwire", "emerald_block", "spruce_stairs",
    "birch_stairs", "jungle_stairs", "command_block", "beacon", "cobblestone_wall|mossy_cobblestone_wall", "flower_pot",
    "carrots", "potatoes", "oak_button",
    // 144
    "skeleton_skull", "anvil", "trapped_chest", "light_weighted_pressure_plate", "heavy_weighted_pressure_plate",
    "comparator", "comparator", "daylight_detector", "redstone_block", "nether_quartz_ore", "hopper", "quartz_block",
    "quartz_stairs", "activator_rail", "dropper", "#terracotta",
    // 160
    "#stained_glass_pane", "acacia_leaves|dark_oak_leaves", "acacia_log|dark_oak_log", "acacia_stairs",
    "dark_oak_stairs", "slime_block", "barrier", "iron_trapdoor", "prismarine|prismarine_bricks|dark_prismarine",
    "sea_lantern", "hay_block", "#carpet", "terracotta", "coal_block", "packed_ice", "sunflower",
    // 176
    "white_banner", "white_wall_banner", "daylight_detector", "red_sandstone", "red_sandstone_stairs", "red_sandstone",
    "red_sandstone_slab", "spruce_fence_gate", "birch_fence_gate", "jungle_fence_gate", "dark_oak_fence_gate",
    "acacia_fence_gate", "spruce_fence", "birch_fence", "jungle_fence", "dark_oak_fence",
    // 192
    "acacia_fence", "spruce_door", "birch_door", "jungle_door", "acacia_door", "dark_oak_door", "end_rod",
    "chorus_plant", "chorus_flower", "purpur_block", "purpur_pillar", "purpur_stairs", "purpur_block", "purpur_slab",
    "end_stone_bricks", "beetroots",
    // 208
    "dirt_path", "end_gateway", "repeating_command_block", "chain_command_block", "frosted_ice", "magma_block",
    "nether_wart_block", "red_nether_bricks", "bone_block", "structure_void", "observer", "white_shulker_box",
    "orange_shulker_box", "magenta_shulker_box", "light_blue_shulker_box", "yellow_shulker_box",
    // 224
    "lime_shulker_box", "pink_shulker_box", "gray_shulker_box", "light_gray_shulker_box", "cyan_shulker_box",
    "purple_shulker_box", "blue_shulker_box", "brown_shulker_box", "green_shulker_box", "red_shulker_box",
    "black_shulker_box", "white_glazed_terracotta", "orange_glazed_terracotta", "magenta_glazed_terracotta",
    "light_blue_glazed_terracotta", "yellow_glazed_terracotta",
    // 240
    "lime_glazed_terracotta", "pink_glazed_terracotta", "gray_glazed_terracotta", "light_gray_glazed_terracotta",
    "cyan_glazed_terracotta", "purple_glazed_terracotta", "blue_glazed_terracotta", "brown_glazed_terracotta",
    "green_glazed_terracotta", "red_glazed_terracotta", "black_glazed_terracotta", "#concrete", "#concrete_powder", "",
    "", "structure_block"};

std::string_view chosenBy(unsigned data, std::string_view names) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = names.find('|');
        parts.push_back(names.substr(0, end));
        if (end == std::string_view::npos) {
            return parts[data % parts.size()];
        }
        names.remove_prefix(end + 1);
    }
}

} // namespace

std::string nameOfId(unsigned id, unsigned data) {
    const std::string_view names = id < kNames.size() ? kNames.at(id) : "";
    if (names.empty()) {
        return fmt::format("block_{}_{}", id, data);
    }
    const std::string_view name = chosenBy(data, names);
    if (name.front() == '#') {
        return fmt::format("minecraft:{}_{}", kDyes.at(data % kDyes.size()).word, name.substr(1));
    }
    return fmt::format("minecraft:{}", name);
}

} // namespace aureole::schematic
