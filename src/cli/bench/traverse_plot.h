#pragma once

// What the traversal benchmark found of its scenes, as a plot.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/bench/line_plot.h"
#include "cli/bench/traverse_arena.h"

namespace aureole::cli {

/// Mray/s of each set of rays, by RaySet; 0 where it was not measured.
using SetRates = std::array<double, kRaySets>;

struct StrategyRates {
    std::string strategy;
    SetRates rates{}; ///< of its best tuning
};

struct SceneRates {
    std::string scene;
    std::uint32_t resolution = 0; ///< voxels along the longest side
    std::uint64_t voxels = 0;
    double voxelSize = 0.0; ///< in the scene's unit
    std::vector<StrategyRates> strategies;

    /// Of the strategy that is the fastest at each.
    SetRates fastest() const;
};

/// Rays a second against the resolution, a line for each set of rays, and, of the scene with the most voxels a side,
/// against the bounce, a line for each strategy. Panels without a value are left out.
std::vector<PlotPanel> ratePanels(const std::vector<SceneRates>& scenes);

/// The same as an SVG.
std::string plotRates(const std::vector<SceneRates>& scenes);

} // namespace aureole::cli
