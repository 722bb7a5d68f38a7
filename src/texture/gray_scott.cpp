#include "texture/gray_scott.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/error.h"
#include "shared/gray_scott.h"

namespace aureole::texture {

namespace {

// Written so that NaN fails.
void expectWithin(const char* what, double found, double low, double high) {
    if (!(found >= low && found <= high)) {
        fail(ExitCode::BadInput, "reaction-diffusion: {}: found {}, expected {} to {}", what, found, low, high);
    }
}

void checkRates(const ReactionRates& rates) {
    expectWithin("feed", rates.feed, 0.0, 1.0);
    expectWithin("kill", rates.kill, 0.0, 1.0);
}

void checkStability(const GrayScott& model) {
    const ReactionRates most = largestRates(model);
    const float diffusion = std::max(model.diffusion[0], model.diffusion[1]);
    const float longest = shared::grayScottLongestStep(diffusion, model.cellSize, most.feed, most.kill);
    if (model.timeStep > longest) {
        const float smallest = shared::grayScottSmallestCell(diffusion, model.timeStep, most.feed, most.kill);
        fail(ExitCode::BadInput,
             "reaction-diffusion: time step: found {} with cells of {}, which is unstable; expected at most {}{}",
             model.timeStep, model.cellSize, longest,
             smallest > 0.0F ? fmt::format(", or cells of at least {}", smallest) : "");
    }
}

} // namespace

ReactionRates largestRates(const GrayScott& model) {
    const auto largestOf = [](const std::vector<ReactionRates>& some) {
        ReactionRates most;
        for (const ReactionRates& rates : some) {
            most.feed = std::max(most.feed, rates.feed);
            most.kill = std::max(most.kill, rates.kill);
        }
        return most;
    };
    const ReactionRates here = model.varying.empty() ? model.rates : largestOf(model.varying);
    const ReactionRates then = largestOf(model.overTime);
    return {here.feed + then.feed, here.kill + then.kill};
}

void checkModel(const GrayScott& model) {
    expectWithin("width", model.width, 1, kMostCellsOfASide);
    expectWithin("height", model.height, 1, kMostCellsOfASide);
    expectWithin("diffusion of U", model.diffusion[0], 0.0, 1e6);
    expectWithin("diffusion of V", model.diffusion[1], 0.0, 1e6);
    expectWithin("cell size", model.cellSize, 1e-6, 1e6);
    expectWithin("time step", model.timeStep, 1e-6, 1e6);
    checkRates(model.rates);
    const std::size_t cells = std::size_t{model.width} * model.height;
    if (!model.varying.empty() && model.varying.size() != cells) {
        fail(ExitCode::BadInput, "reaction-diffusion: found rates of {} cells, expected {}", model.varying.size(),
             cells);
    }
    for (const std::vector<ReactionRates>& some : {model.varying, model.overTime}) {
        for (const ReactionRates& rates : some) {
            checkRates(rates);
        }
    }
    checkRates(largestRates(model));
    if (!model.warp.empty() && model.warp.size() != cells) {
        fail(ExitCode::BadInput, "reaction-diffusion: found offsets of {} cells, expected {}", model.warp.size(),
             cells);
    }
    for (const glm::vec2& offset : model.warp) {
        expectWithin("offset", offset.x, -kMostWarp, kMostWarp);
        expectWithin("offset", offset.y, -kMostWarp, kMostWarp);
    }
    expectWithin("steps from warp to warp", model.warpEvery, 1, std::numeric_limits<std::uint32_t>::max());
    checkStability(model);
}

void checkState(const GrayScott& model, const Concentrations& state) {
    const std::size_t cells = std::size_t{model.width} * model.height;
    if (state.size() != cells) {
        fail(ExitCode::BadInput, "reaction-diffusion: found a state of {} cells, expected {}", state.size(), cells);
    }
}

} // namespace aureole::texture
