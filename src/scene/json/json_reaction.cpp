// "reaction_diffusion" textures, in a material or in a file of their own.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "import/pictures/texture_file.h"
#include "model/reaction_texture.h"
#include "scene/json/scene_draft.h"
#include "scene/scene_memory.h"
#include "shared/gray_scott.h"

namespace aureole {

namespace {

constexpr std::uint32_t kMostCells = 16384; // a side
constexpr Range kDiffusions{0.0, 1e6};
constexpr Range kLengths{1e-6, 1e6}; // of cells, and of steps in time
constexpr std::uint32_t kMostSpots = 1U << 20;
constexpr std::uint32_t kCellsOfASpot = 2000; // by default
constexpr Range kWarps{0.0, 64.0};            // cells

void readSize(ObjectReader& in, std::string_view key, glm::uvec2& size) {
    const auto value = in.find(key);
    if (!value) {
        return;
    }
    if (!value->json().is_array() || value->json().size() != 2) {
        value->expected(fmt::format("two whole numbers from 1 to {}", kMostCells));
        return;
    }
    glm::length_t axis = 0;
    value->readArray([&](const ValueReader& side) {
        std::uint64_t cells = 0;
        if (side.readInteger(cells, 1, kMostCells)) {
            size[axis] = static_cast<std::uint32_t>(cells);
        }
        ++axis;
    });
}

/// The picture in a file that a value names; null where it cannot be read, which is noted.
std::shared_ptr<const Texture> readPlanePicture(const ValueReader& value, SceneDraft& draft) {
    std::shared_ptr<const Texture> picture;
    const auto path = readAssetPath(value, draft.folder);
    if (!path) {
        return picture;
    }
    noteErrors(value, [&] {
        picture = std::make_shared<const Texture>(loadTexture(*path));
        hashFile(draft, *path);
    });
    takeMemory(value, picture ? bytesOf(*picture) : 0, draft);
    return picture;
}

void readRate(ObjectReader& in, std::string_view key, std::uint32_t steps, ReactionRate& rate) {
    const auto value = in.find(key);
    if (!value) {
        return;
    }
    if (!value->json().is_object()) {
        value->read(rate.from, kUnit);
        rate.to = rate.from;
        return;
    }
    value->readObject([&](ObjectReader& reader) {
        if (const auto keys = reader.find("keys")) {
            keys->readKeys("step", kMostReactionSteps, [&](std::uint32_t step, const ValueReader& number) {
                float read = 0.0F;
                if (number.read(read, kUnit)) {
                    rate.keys.emplace_back(step, read);
                }
            });
            for (const char* const other : {"from", "to", "along"}) {
                if (reader.find(other)) {
                    reader.problem(other, fmt::format("found '{}' beside 'keys', expected one of them", other));
                }
            }
            return;
        }
        for (const auto& [name, end] : {std::pair{"from", &rate.from}, std::pair{"to", &rate.to}}) {
            if (const auto number = reader.require(name)) {
                number->read(*end, kUnit);
            }
        }
        std::optional<ReactionRate::Along> along = rate.along;
        reader.choice<std::optional<ReactionRate::Along>>("along", along,
                                                          {{"x", ReactionRate::Along::X},
                                                           {"y", ReactionRate::Along::Y},
                                                           {"radius", ReactionRate::Along::Radius},
                                                           {"time", std::nullopt}});
        if (along) {
            rate.along = *along;
        } else {
            rate.keys = {{0, rate.from}, {std::max(steps, 1U), rate.to}};
        }
    });
}

void readNoise(ObjectReader& in, ReactionWarp& warp) {
    warp.kind = ReactionWarp::Kind::Noise;
    in.number("amount", warp.amount, kWarps);
    in.number("scale", warp.scale, {2.0, kMostCells});
    in.integer("seed", warp.seed, 0, std::numeric_limits<std::uint32_t>::max());
}

void readSwirl(ObjectReader& in, ReactionWarp& warp) {
    warp.kind = ReactionWarp::Kind::Swirl;
    in.number("degrees", warp.degrees, {-45.0, 45.0});
    in.number("zoom", warp.zoom, {0.5, 2.0});
    in.number("radius", warp.radius, {0.01, 10.0});
    if (const auto centre = in.find("centre")) {
        std::array<double, 2> place{};
        if (centre->readNumbers(place.data(), 2, {-10.0, 10.0})) {
            warp.centre = glm::vec2(place[0], place[1]);
        }
    }
}

/// Where the plane is moved to while it grows.
void readWarp(ObjectReader& in, SceneDraft& draft, ReactionTexture& out) {
    in.object("warp", [&](ObjectReader& reader) {
        ReactionWarp warp;
        reader.object("noise", [&](ObjectReader& noise) { readNoise(noise, warp); });
        reader.object("swirl", [&](ObjectReader& swirl) { readSwirl(swirl, warp); });
        reader.object("image", [&](ObjectReader& image) {
            warp.kind = ReactionWarp::Kind::Image;
            image.number("amount", warp.amount, kWarps);
            if (const auto file = image.require("file")) {
                warp.picture = readPlanePicture(*file, draft);
            }
        });
        if (reader.integer("every", warp.every, 1, kMostReactionSteps) && warp.every > out.steps) {
            reader.problem("every", fmt::format("found {} with {} steps, expected at most as many: nothing is moved",
                                                warp.every, out.steps));
        }
        constexpr std::array kKinds = {"noise", "swirl", "image"};
        const auto kinds = std::ranges::count_if(kKinds, [&](const char* kind) { return reader.has(kind); });
        if (kinds != 1) {
            reader.problem(
                fmt::format("found {} of 'noise', 'swirl' and 'image', expected one", kinds > 1 ? "several" : "none"));
        }
        out.warp = std::move(warp);
    });
}

void readRateThere(ObjectReader& seed, std::string_view key, std::optional<float>& rate) {
    float found = 0.0F;
    if (seed.number(key, found, kUnit)) {
        rate = found;
    }
}

void readSeedFile(const ValueReader& value, SceneDraft& draft, ReactionTexture& out) {
    out.seedPicture = readPlanePicture(value, draft);
}

/// A file's name, or { "file" or "text", "feed", "kill" }.
void readSeed(ObjectReader& in, SceneDraft& draft, ReactionTexture& out) {
    const auto value = in.find("seed_image");
    if (!value) {
        return;
    }
    if (value->json().is_string()) {
        readSeedFile(*value, draft, out);
        return;
    }
    if (!value->json().is_object()) {
        value->expected("a file's name, or an object with 'file' or 'text'");
        return;
    }
    value->readObject([&](ObjectReader& seed) {
        const auto file = seed.find("file");
        if (file) {
            readSeedFile(*file, draft, out);
        }
        if (const auto text = seed.find("text"); text && text->read(out.seedText) && out.seedText.empty()) {
            text->expected("a text to draw");
        }
        if (seed.has("file") == seed.has("text")) {
            seed.problem(fmt::format("found {}, expected one of them",
                                     file ? "both 'file' and 'text'" : "neither 'file' nor 'text'"));
        }
        readRateThere(seed, "feed", out.feedThere);
        readRateThere(seed, "kill", out.killThere);
    });
}

/// Explicit Euler steps are bounded by how fast the stencil spreads.
void checkStability(ObjectReader& in, const ReactionTexture& texture) {
    const float diffusion = std::max(texture.diffusion[0], texture.diffusion[1]);
    const float feed = std::max(texture.feed.largest(), texture.feedThere.value_or(0.0F));
    const float kill = std::max(texture.kill.largest(), texture.killThere.value_or(0.0F));
    const float longest = shared::grayScottLongestStep(diffusion, texture.cell, feed, kill);
    if (texture.timeStep <= longest) {
        return;
    }
    const float smallest = shared::grayScottSmallestCell(diffusion, texture.timeStep, feed, kill);
    const std::string cells = smallest > 0.0F ? fmt::format(", or 'cell' of at least {:.4g}", smallest) : "";
    const std::string message =
        fmt::format("found a time step of {} with cells of {}, which is unstable; expected 'dt' of at most {:.4g}{}",
                    texture.timeStep, texture.cell, longest, cells);
    in.problem(in.has("dt") || !in.has("cell") ? "dt" : "cell", message);
}

void readStart(ObjectReader& in, SceneDraft& draft, ReactionTexture& out) {
    in.integer("seed", out.seed, 0, std::numeric_limits<std::uint32_t>::max());
    readSeed(in, draft, out);
    const bool sown = in.has("seed_image");
    out.spots = sown ? 0 : std::max(1U, out.size.x * out.size.y / kCellsOfASpot);
    in.integer("spots", out.spots, 0, kMostSpots);
    in.number("radius", out.radius, {0.5, 1000.0});
    if (!sown && out.spots == 0) {
        in.problem("spots", "found 0 without 'seed_image', expected 1 or more: nothing would grow");
    }
}

} // namespace

ReactionTexture readReactionTexture(ObjectReader& in, SceneDraft& draft) {
    ReactionTexture out;
    out.pointer = in.pointer();
    if (const auto type = in.require("type")) {
        type->readChoice({"reaction_diffusion"});
    }
    const std::size_t before = in.log().problems.size();
    readSize(in, "size", out.size);
    out.pixels = out.size;
    readSize(in, "pixels", out.pixels);
    in.integer("steps", out.steps, 0, kMostReactionSteps);
    readRate(in, "feed", out.steps, out.feed);
    readRate(in, "kill", out.steps, out.kill);
    readWarp(in, draft, out);
    if (const auto value = in.find("diffusion")) {
        std::array<double, 2> numbers{};
        if (value->readNumbers(numbers.data(), 2, kDiffusions)) {
            out.diffusion = {static_cast<float>(numbers[0]), static_cast<float>(numbers[1])};
        }
    }
    in.number("cell", out.cell, kLengths);
    in.number("dt", out.timeStep, kLengths);
    in.choice<bool>("border", out.clamped, {{"periodic", false}, {"clamped", true}});
    in.choice<bool>("storage", out.halves, {{"fp32", false}, {"fp16", true}});
    readStart(in, draft, out);
    if (out.influences() && !(out.feed.keys.empty() && out.kill.keys.empty())) {
        in.problem("seed_image", "found rates where the seed is white beside rates over time, expected one of them");
    }
    if (const auto value = in.find("range")) {
        std::array<double, 2> numbers{};
        if (value->readNumbers(numbers.data(), 2, kUnit)) {
            out.range = {static_cast<float>(numbers[0]), static_cast<float>(numbers[1])};
            if (out.range[0] >= out.range[1]) { // as floats, which may be one where the numbers are not
                value->expected("two numbers from 0 to 1, the first below the second");
            }
        }
    }
    if (const auto palette = in.find("palette")) {
        readPalette(*palette, kUnit, out.palette);
    }
    if (in.log().problems.size() == before) {
        checkStability(in, out);
    }
    return out;
}

} // namespace aureole
