#include "texture/gray_scott_reference.h"

#include <algorithm>
#include <utility>

#include "core/threads/parallel.h"

namespace aureole::texture {

namespace {

/// Cells that one thread steps at least: a third of a millisecond's work. Steps are many, each waits for the last
/// thread of the one before, and where cores are busy with other things that wait is milliseconds.
constexpr std::int64_t kCellsOfAThread = 1 << 16;

/// The neighbour `offset` (-1, 0 or 1) cells further along an axis.
std::size_t neighbour(std::uint32_t cell, int offset, std::uint32_t size, Border border) {
    const std::int64_t at = std::int64_t{cell} + offset;
    if (border == Border::Clamped) {
        return static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, std::int64_t{size} - 1));
    }
    return static_cast<std::size_t>((at + size) % size);
}

/// The cell that stands at a place, however far outside: the plane repeats, or is its own reflection.
std::size_t beyond(std::int64_t place, std::uint32_t size, Border border) {
    const std::int64_t count = size;
    const std::int64_t period = border == Border::Clamped ? 2 * count : count;
    const std::int64_t inside = (place % period + period) % period;
    return static_cast<std::size_t>(inside < count ? inside : period - 1 - inside);
}

} // namespace

GrayScottReference::GrayScottReference(GrayScott model, const Concentrations& start)
    : model_(std::move(model)) {
    checkModel(model_);
    checkState(model_, start);
    cells_.reserve(start.size());
    for (const glm::vec2& cell : start) {
        cells_.emplace_back(1.0 - static_cast<double>(cell.x), cell.y);
    }
    next_.resize(cells_.size());
}

void GrayScottReference::run(std::uint32_t steps) {
    for (std::uint32_t i = 0; i < steps; ++i) {
        step();
        ++done_;
        if (!model_.warp.empty() && done_ % model_.warpEvery == 0) {
            warp();
        }
    }
}

void GrayScottReference::warp() {
    parallelFor(model_.height, std::max<std::int64_t>(kCellsOfAThread / model_.width, 1), [&](std::int64_t y) {
        for (std::uint32_t x = 0; x < model_.width; ++x) {
            const std::size_t i = static_cast<std::size_t>(y) * model_.width + x;
            const glm::dvec2 place = glm::dvec2(x, y) + glm::dvec2(model_.warp[i]);
            const glm::dvec2 whole = glm::floor(place);
            const glm::dvec2 part = place - whole;
            const auto at = [&](int right, int below) {
                const std::size_t column =
                    beyond(static_cast<std::int64_t>(whole.x) + right, model_.width, model_.border);
                const std::size_t row =
                    beyond(static_cast<std::int64_t>(whole.y) + below, model_.height, model_.border);
                return cells_[row * model_.width + column];
            };
            next_[i] = (1.0 - part.y) * ((1.0 - part.x) * at(0, 0) + part.x * at(1, 0)) +
                       part.y * ((1.0 - part.x) * at(0, 1) + part.x * at(1, 1));
        }
    });
    cells_.swap(next_);
}

void GrayScottReference::step() {
    const double dt = model_.timeStep;
    const double scale = 1.0 / (6.0 * static_cast<double>(model_.cellSize) * model_.cellSize);
    const glm::dvec2 diffusion(model_.diffusion[0], model_.diffusion[1]);
    const std::vector<ReactionRates>& times = model_.overTime;
    const ReactionRates now = times.empty() ? ReactionRates{} : times[std::min<std::uint64_t>(done_, times.size() - 1)];
    const std::int64_t grain = std::max<std::int64_t>(kCellsOfAThread / model_.width, 1);
    parallelFor(model_.height, grain, [&](std::int64_t row) {
        const auto y = static_cast<std::uint32_t>(row);
        const std::size_t rows[3] = {neighbour(y, -1, model_.height, model_.border) * model_.width,
                                     std::size_t{y} * model_.width,
                                     neighbour(y, 1, model_.height, model_.border) * model_.width};
        for (std::uint32_t x = 0; x < model_.width; ++x) {
            // Only the first and the last cell have a neighbour that is not beside them.
            const bool inside = x > 0 && x + 1 < model_.width;
            const std::size_t left = inside ? x - 1 : neighbour(x, -1, model_.width, model_.border);
            const std::size_t right = inside ? x + 1 : neighbour(x, 1, model_.width, model_.border);
            const glm::dvec2 cell = cells_[rows[1] + x];
            const glm::dvec2 edges =
                cells_[rows[0] + x] + cells_[rows[2] + x] + cells_[rows[1] + left] + cells_[rows[1] + right];
            const glm::dvec2 corners =
                cells_[rows[0] + left] + cells_[rows[0] + right] + cells_[rows[2] + left] + cells_[rows[2] + right];
            const glm::dvec2 laplacian = (4.0 * edges + corners - 20.0 * cell) * scale;
            const ReactionRates rates = model_.varying.empty() ? model_.rates : model_.varying[rows[1] + x];
            const double reaction = cell.x * cell.y * cell.y;
            const double feed = static_cast<double>(rates.feed) + now.feed;
            const double kill = static_cast<double>(rates.kill) + now.kill;
            const glm::dvec2 growth(feed * (1.0 - cell.x) - reaction, reaction - (feed + kill) * cell.y);
            next_[rows[1] + x] = cell + dt * (diffusion * laplacian + growth);
        }
    });
    cells_.swap(next_);
}

std::vector<glm::dvec2> GrayScottReference::state() const {
    std::vector<glm::dvec2> result;
    result.reserve(cells_.size());
    for (const glm::dvec2& cell : cells_) {
        result.emplace_back(1.0 - cell.x, cell.y);
    }
    return result;
}

Concentrations GrayScottReference::rounded() const {
    const std::vector<glm::dvec2> exact = state();
    return {exact.begin(), exact.end()};
}

} // namespace aureole::texture
