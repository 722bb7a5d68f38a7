#include "session/scene_textures.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/stopwatch.h"
#include "image/colour/srgb.h"
#include "session/reaction_run.h"

namespace aureole {

namespace {

std::uint8_t byteOf(double value) {
    return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(value, 0.0, 1.0)));
}

/// As the renderers sample it.
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

void makeTextures(Scene& scene, const gpu::Device* device) {
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
