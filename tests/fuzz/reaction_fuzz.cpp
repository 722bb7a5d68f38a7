// Files of one reaction-diffusion texture.

#include <cmath>
#include <vector>

#include "fuzz.h"
#include "model/reaction_texture.h"
#include "scene/scene.h"

namespace aureole::fuzz {

namespace {

bool isUnit(float value) {
    return value >= 0.0F && value <= 1.0F;
}

} // namespace

void runInput(Bytes input) {
    const std::filesystem::path file = written("texture.json", input);
    std::vector<std::filesystem::path> files;
    goesThrough(file.string(), [&] {
        const ReactionTexture texture = loadReactionTexture(file, {}, files);
        require(texture.size.x > 0 && texture.size.y > 0, "a texture has cells");
        require(texture.steps <= kMostReactionSteps, "steps are bounded");
        for (const ReactionRate& rate : {texture.feed, texture.kill}) {
            require(isUnit(rate.from) && isUnit(rate.to), "rates are from 0 to 1");
        }
        require(std::isfinite(texture.cell) && texture.cell > 0.0F, "cells have a size");
        require(std::isfinite(texture.timeStep) && texture.timeStep > 0.0F, "time goes on");
        require(!texture.seedPicture || texture.seedText.empty(), "there is one seed at most");
        require(texture.range[0] != texture.range[1], "the palette's range is not empty");
        for (int i = 0; i <= 8; ++i) {
            const glm::dvec3 colour = paletteColour(texture.palette, i / 8.0);
            require(std::isfinite(colour.x) && std::isfinite(colour.y) && std::isfinite(colour.z),
                    "colours of the palette are finite");
        }
    });
}

} // namespace aureole::fuzz
