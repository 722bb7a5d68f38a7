#include "import/schematic/block_looks.h"

#include <algorithm>
#include <optional>

#include "import/schematic/block_colours.h"
#include "import/schematic/block_kinds.h"
#include "model/texture_sample.h"

namespace aureole::schematic {

namespace {

constexpr std::uint32_t kUnknown = 0x808080;
constexpr std::uint32_t kStone = 0x7e7e7e;
constexpr float kRadianceOfFull = 6.0F; ///< W/(sr m^2) of a lamp of the level 15

/// What a block is made of.
struct Stuff {
    glm::vec3 colour{0.0F};
    Kind kind = Kind::Matt;
};

glm::vec3 linear(std::uint32_t rgb) {
    return {srgbToLinear(static_cast<std::uint8_t>(rgb >> 16U)), srgbToLinear(static_cast<std::uint8_t>(rgb >> 8U)),
            srgbToLinear(static_cast<std::uint8_t>(rgb))};
}

/// "minecraft:oak_log[axis=y]" has the name "oak_log".
std::string_view blockName(std::string_view state) {
    state = state.substr(0, state.find('['));
    return state.substr(state.find(':') == std::string_view::npos ? 0 : state.find(':') + 1);
}

/// Whether the state says so, as "lit=true".
bool says(std::string_view state, std::string_view property) {
    for (std::size_t at = state.find('['); at != std::string_view::npos; at = state.find(',', at + 1)) {
        const std::string_view rest = state.substr(at + 1);
        if (rest.starts_with(property) &&
            (rest.size() == property.size() || rest[property.size()] == ',' || rest[property.size()] == ']')) {
            return true;
        }
    }
    return false;
}

/// Whether the words stand in the name, whole.
bool hasWords(std::string_view name, std::string_view words) {
    for (std::size_t at = name.find(words); at != std::string_view::npos; at = name.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        if ((at == 0 || name[at - 1] == '_') && (end == name.size() || name[end] == '_')) {
            return true;
        }
    }
    return false;
}

/// Whether a name is one that a table means: "_rail" ends a name, "potted_" starts one, anything else is one.
bool fits(std::string_view name, std::string_view pattern) {
    if (pattern.starts_with('_')) {
        return name.ends_with(pattern);
    }
    return pattern.ends_with('_') ? name.starts_with(pattern) : name == pattern;
}

template <typename Patterns>
bool fitsAny(std::string_view name, const Patterns& patterns) {
    return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view p) { return fits(name, p); });
}

/// "light_blue_wool" is a dye on a thing.
std::optional<Stuff> dyed(std::string_view name) {
    for (const WordColour& dye : kDyes) {
        if (!name.starts_with(dye.word) || name.size() <= dye.word.size() || name[dye.word.size()] != '_') {
            continue;
        }
        const std::string_view rest = name.substr(dye.word.size() + 1);
        const auto* const thing = std::find_if(kDyedThings.begin(), kDyedThings.end(),
                                               [&](const DyedThing& candidate) { return candidate.words == rest; });
        if (thing != kDyedThings.end()) {
            return Stuff{glm::mix(linear(dye.rgb), linear(thing->rgb), thing->share), thing->kind};
        }
    }
    return std::nullopt;
}

template <typename Words>
std::optional<Stuff> byLongest(std::string_view name, const Words& words) {
    const WordColour* longest = nullptr;
    for (const WordColour& colour : words) {
        if ((longest == nullptr || colour.word.size() > longest->word.size()) && hasWords(name, colour.word)) {
            longest = &colour;
        }
    }
    return longest != nullptr ? std::optional(Stuff{linear(longest->rgb), longest->kind}) : std::nullopt;
}

std::optional<Stuff> stuffOf(std::string_view name) {
    std::optional<Stuff> stuff = dyed(name);
    stuff = stuff ? stuff : byLongest(name, kColours);
    stuff = stuff ? stuff : byLongest(name, kShapes);
    if (stuff && name.ends_with("_ore")) {
        stuff->kind = Kind::Matt;
    }
    return stuff;
}

/// What grows on a thing, lies on it or is in it colours it in part.
glm::vec3 withTraces(std::string_view name, std::string_view state, glm::vec3 colour) {
    if (name.ends_with("_ore")) {
        constexpr float kShare = 0.3F;
        const std::uint32_t rock = name.starts_with("deepslate") ? 0x505053U
                                   : name.starts_with("nether")  ? 0x622728U
                                                                 : kStone;
        return glm::mix(linear(rock), colour, kShare);
    }
    if (name.starts_with("mossy_")) {
        constexpr float kShare = 0.35F;
        return glm::mix(colour, linear(0x5a6e2d), kShare);
    }
    return says(state, "snowy=true") ? linear(0xf6fafa) : colour;
}

const Lamp* lampOf(std::string_view name, std::string_view state) {
    const Lamp* found = nullptr; // the whole name goes before an end of it
    for (const Lamp& lamp : kLamps) {
        if (fits(name, lamp.words) && (found == nullptr || lamp.words == name)) {
            found = &lamp;
        }
    }
    const bool isLit = found != nullptr && (found->lit == '+'   ? says(state, "lit=true")
                                            : found->lit == '-' ? !says(state, "lit=false")
                                                                : true);
    return isLit ? found : nullptr;
}

/// A metre of it takes light to its colour.
void makeClear(Material& material, float ior) {
    constexpr float kDarkest = 1e-3F;
    material.model = MaterialModel::Dielectric;
    material.ior = ior;
    material.roughness = 0.0F;
    material.absorption = -glm::log(glm::clamp(material.albedo, kDarkest, 1.0F));
    material.albedo = glm::vec3(1.0F);
}

void makeWater(Material& material) {
    material.name = "water";
    material.model = MaterialModel::Dielectric;
    material.ior = 1.333F;
    material.roughness = 0.0F;
    material.albedo = glm::vec3(1.0F);
    material.absorption = {0.35F, 0.07F, 0.03F}; // still blue where it is twenty metres deep, not black
}

void makeMetal(Material& material) {
    constexpr float kRoughness = 0.35F;
    material.model = MaterialModel::MetallicRoughness;
    material.metalness = 1.0F;
    material.roughness = kRoughness;
}

} // namespace

BlockLook lookOf(std::string_view state) {
    const std::string_view name = blockName(state);
    BlockLook look;
    const Lamp* const lamp = lampOf(name, state);
    const bool isNothing = lamp == nullptr && fitsAny(name, kNothing);
    look.material.name = name;
    if (fitsAny(name, kWater) || (isNothing && says(state, "waterlogged=true"))) {
        look.isSolid = true;
        makeWater(look.material);
        return look;
    }
    if (isNothing) {
        return look;
    }
    look.isSolid = true;
    const std::optional<Stuff> stuff = stuffOf(name);
    look.isKnown = stuff || lamp != nullptr;
    look.material.albedo = withTraces(name, state, stuff ? stuff->colour : linear(kUnknown));
    if (lamp != nullptr) {
        const float level = static_cast<float>(lamp->level) / 15.0F;
        look.material.emission = kRadianceOfFull * level * level * linear(lamp->rgb);
        look.material.name += lamp->lit == '+' ? "[lit=true]" : "";
    } else if (stuff && stuff->kind == Kind::Clear) {
        constexpr float kGlass = 1.5F;
        constexpr float kIce = 1.31F;
        makeClear(look.material, hasWords(name, "ice") ? kIce : kGlass);
    } else if (stuff && stuff->kind == Kind::Metal) {
        makeMetal(look.material);
    }
    if (lamp == nullptr && says(state, "lit=false")) {
        look.material.name += "[lit=false]"; // a material of its own beside that of the same block where it is lit
    }
    if (says(state, "snowy=true")) {
        look.material.name += "[snowy=true]";
    }
    return look;
}

} // namespace aureole::schematic
