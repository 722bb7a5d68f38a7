#include "session/textures.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "core/palette.h"
#include "core/progress.h"
#include "core/stopwatch.h"
#include "core/threads/parallel.h"
#include "image/colour/srgb.h"
#include "model/texture_sample.h"
#include "session/texture_warp.h"
#include "texture/gray_scott_sample.h"
#include "texture/start_state.h"
#include "texture/stroke_text.h"

namespace aureole {

namespace {

/// Where cell `i` lies on the way along which a rate changes, from 0 to 1.
float shareAlong(ReactionRate::Along along, const glm::uvec2& size, std::size_t i) {
    const std::size_t column = i % size.x;
    const std::size_t row = i / size.x;
    const glm::vec2 place = (glm::vec2(column, row) + 0.5F) / glm::vec2(size);
    switch (along) {
    case ReactionRate::Along::X:
        return place.x;
    case ReactionRate::Along::Y:
        return place.y;
    case ReactionRate::Along::Radius:
        break;
    }
    return std::min(glm::length(place - 0.5F) * std::sqrt(2.0F), 1.0F);
}

float rateAt(const ReactionRate& rate, const glm::uvec2& size, std::size_t i) {
    return !rate.keys.empty() ? 0.0F : std::lerp(rate.from, rate.to, shareAlong(rate.along, size, i));
}

texture::GrayScott modelOf(const ReactionTexture& texture, const std::vector<float>& influence) {
    texture::GrayScott model;
    model.width = texture.size.x;
    model.height = texture.size.y;
    model.diffusion = texture.diffusion;
    model.cellSize = texture.cell;
    model.timeStep = texture.timeStep;
    // What changes over time comes on top, and is 0 here.
    model.rates = {texture.feed.keys.empty() ? texture.feed.from : 0.0F,
                   texture.kill.keys.empty() ? texture.kill.from : 0.0F};
    if (!texture.feed.keys.empty() || !texture.kill.keys.empty()) {
        for (std::uint32_t step = 0; step < std::max(texture.steps, 1U); ++step) {
            model.overTime.push_back({texture.feed.keys.empty() ? 0.0F : texture.feed.atStep(step),
                                      texture.kill.keys.empty() ? 0.0F : texture.kill.atStep(step)});
        }
    }
    model.warp = warpOffsets(texture);
    model.warpEvery = texture.warp ? texture.warp->every : 1;
    model.border = texture.clamped ? texture::Border::Clamped : texture::Border::Periodic;
    if (texture.feed.varies() || texture.kill.varies()) {
        model.varying.resize(std::size_t{model.width} * model.height);
        for (std::size_t i = 0; i < model.varying.size(); ++i) {
            model.varying[i] = {rateAt(texture.feed, texture.size, i), rateAt(texture.kill, texture.size, i)};
        }
    }
    if (texture.influences()) {
        model.varying = texture::influencedRates(model, {texture.feedThere, texture.killThere}, influence);
    }
    return model;
}

/// A simulation's picture as a texture that the renderers sample.
Texture textureOf(const Image& picture, const SimulatedTexture& use) {
    Texture texture{use.simulation.pointer, picture.width, picture.height, {}};
    texture.rgba.reserve(4 * picture.pixelCount());
    for (std::size_t i = 0; i < picture.pixelCount(); ++i) {
        glm::dvec3 colour(picture.channels[0].values[i], picture.channels[1].values[i], picture.channels[2].values[i]);
        if (use.roughness) {
            colour = {0.0, luminance(colour.r, colour.g, colour.b), 1.0};
        }
        for (int c = 0; c < 3; ++c) {
            const double value = std::clamp(colour[c], 0.0, 1.0);
            texture.rgba.push_back(byteOf(use.srgb ? srgbEncode(value) : value));
        }
        texture.rgba.push_back(255);
    }
    return texture;
}

} // namespace

std::vector<float> seedInfluence(const ReactionTexture& texture) {
    if (!texture.seedText.empty()) {
        return texture::drawText(texture.seedText, texture.size.x, texture.size.y);
    }
    std::vector<float> influence;
    if (texture.seedPicture) {
        TextureSlot slot;
        slot.wrap.fill(Wrap::Clamp);
        const glm::vec2 size(texture.size);
        for (std::uint32_t y = 0; y < texture.size.y; ++y) {
            for (std::uint32_t x = 0; x < texture.size.x; ++x) {
                const glm::vec4 colour = sampleTexture(*texture.seedPicture, slot, (glm::vec2(x, y) + 0.5F) / size);
                influence.push_back(static_cast<float>(luminance(colour.r, colour.g, colour.b)) * colour.a);
            }
        }
    }
    return influence;
}

std::string whyNoSeed(ReactionTexture texture) {
    texture.size = {8, 8};
    try {
        seedInfluence(texture);
    } catch (const Error& error) {
        if (error.code() != ExitCode::BadInput) {
            throw;
        }
        return error.what();
    }
    return {};
}

ReactionRun::ReactionRun(const ReactionTexture& texture, const gpu::Device* device)
    : texture_(texture) {
    const std::vector<float> influence = seedInfluence(texture);
    model_ = modelOf(texture, influence);
    const texture::Concentrations start = texture::startState(
        model_, {.seed = texture.seed, .spots = texture.spots, .radius = texture.radius, .influence = influence});
    if (device == nullptr) {
        reference_.emplace(model_, start);
        return;
    }
    const texture::Storage storage = texture.halves ? texture::Storage::Half : texture::Storage::Float;
    solver_.emplace(*device, model_, storage, texture::tilingFor(device->info()));
    solver_->setState(start);
}

void ReactionRun::advance(std::uint32_t steps, const std::function<void(std::uint32_t)>& onSteps) {
    constexpr std::uint32_t kAtOnce = 512;
    for (std::uint32_t done = 0; done < steps;) {
        const std::uint32_t now = std::min(kAtOnce, steps - done);
        if (solver_) {
            solver_->run(now);
        } else {
            reference_->run(now);
        }
        done += now;
        if (onSteps) {
            onSteps(done);
        }
    }
}

texture::Concentrations ReactionRun::sampledState() const {
    const glm::uvec2 pixels = texture_.pixels;
    return solver_ ? solver_->sampled(pixels.x, pixels.y)
                   : texture::sampled(model_, reference_->rounded(), pixels.x, pixels.y);
}

Image ReactionRun::picture() const {
    const texture::Concentrations state = sampledState();
    Image image = makeImage(texture_.pixels.x, texture_.pixels.y, {"R", "G", "B"});
    const float low = texture_.range[0];
    const float high = texture_.range[1];
    constexpr std::int64_t kGrain = 1 << 14;
    parallelFor(static_cast<std::int64_t>(state.size()), kGrain, [&](std::int64_t i) {
        const auto pixel = static_cast<std::size_t>(i);
        const glm::vec3 colour = paletteColour(texture_.palette, (state[pixel].y - low) / (high - low));
        for (int c = 0; c < 3; ++c) {
            image.channels[static_cast<std::size_t>(c)].values[pixel] = colour[c];
        }
    });
    return image;
}

Scene withTextures(Scene scene, const gpu::Device* device) {
    for (const SimulatedTexture& use : scene.simulated) {
        const ReactionTexture& simulation = use.simulation;
        const Stopwatch clock;
        try {
            Progress progress("texture", std::max(simulation.steps, 1U));
            ReactionRun run(simulation, device);
            run.advance(simulation.steps, [&](std::uint32_t done) { progress.update(done); });
            scene.textures[use.texture] = textureOf(run.picture(), use);
        } catch (const Error& error) {
            fail(error.code(), "{}: {}: {}", scene.file.string(), simulation.pointer, error.what());
        }
        logInfo("texture  {} steps of {}x{} cells on the {} in {}", simulation.steps, simulation.size.x,
                simulation.size.y, device != nullptr ? "device" : "CPU", formatDuration(clock.seconds()));
    }
    scene.simulated.clear();
    return scene;
}

std::vector<SceneConflict> findTextureConflicts(const Scene& scene) {
    std::vector<SceneConflict> conflicts;
    for (const SimulatedTexture& use : scene.simulated) {
        if (std::string why = whyNoSeed(use.simulation); !why.empty()) {
            conflicts.push_back({use.simulation.pointer + "/seed_image", "", std::move(why)});
        }
    }
    return conflicts;
}

} // namespace aureole
