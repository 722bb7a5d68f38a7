#pragma once

// Plots of a few lines each, as SVG.

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace aureole::cli {

struct PlotPoint {
    double x = 0.0;
    double y = 0.0;
};

struct PlotLine {
    std::string name;
    std::vector<PlotPoint> points; ///< by rising x
};

/// One pair of axes. The vertical one begins at 0, and no value is below.
struct PlotPanel {
    std::string title;
    std::string xLabel;
    std::string yLabel;
    std::vector<std::pair<double, std::string>> xTicks; ///< at least one; the axis reaches from the least to the most
    std::vector<PlotLine> lines;
};

/// The panels side by side, each with its legend below. Text may have any characters.
std::string svgPlot(std::span<const PlotPanel> panels);

} // namespace aureole::cli
