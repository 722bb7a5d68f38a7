#pragma once

// What the tables of a benchmark look like as plots. All take BenchReport's document, and say the same as it.

#include <vector>

#include <nlohmann/json.hpp>

#include "cli/bench/report_chart.h"

namespace aureole::cli {

/// Shares of a copy against the number of items, and sorts.
std::vector<Chart> scanCharts(const nlohmann::ordered_json& document);

/// Shares of a copy against the length; of images, as bars.
std::vector<Chart> fftCharts(const nlohmann::ordered_json& document);

/// Times beside the floor, and the three passes.
std::vector<Chart> bloomCharts(const nlohmann::ordered_json& document);

/// Shares of a copy, as bars: of each size, and of each tiling.
std::vector<Chart> textureCharts(const nlohmann::ordered_json& document);

/// Mray/s of each strategy with its quartiles, by set of rays, in the octree with the most voxels a side; and of whole
/// paths.
std::vector<Chart> traverseBars(const nlohmann::ordered_json& document);

/// Errors against samples, samples a second and efficiencies.
std::vector<Chart> renderCharts(const nlohmann::ordered_json& document);

} // namespace aureole::cli
