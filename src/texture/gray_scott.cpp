#include "texture/gray_scott.h"

#include <algorithm>
#include <cmath>

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
    if (model.varying.empty()) {
        return model.rates;
    }
    ReactionRates most;
    for (const ReactionRates& rates : model.varying) {
        most.feed = std::max(most.feed, rates.feed);
        most.kill = std::max(most.kill, rates.kill);
    }
    return most;
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
    for (const ReactionRates& rates : model.varying) {
        checkRates(rates);
    }
    checkStability(model);
}

void checkState(const GrayScott& model, const Concentrations& state) {
    const std::size_t cells = std::size_t{model.width} * model.height;
    if (state.size() != cells) {
        fail(ExitCode::BadInput, "reaction-diffusion: found a state of {} cells, expected {}", state.size(), cells);
    }
}

} // namespace aureole::texture
