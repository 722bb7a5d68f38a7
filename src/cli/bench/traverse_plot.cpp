#include "cli/bench/traverse_plot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace aureole::cli {

namespace {

/// A panel of what there is a value of at all.
class Panel {
public:
    Panel(std::string title, std::string xLabel) {
        panel_.title = std::move(title);
        panel_.xLabel = std::move(xLabel);
        panel_.yLabel = "Mray/s";
    }

    void beginLine(const std::string& name) { line_ = {name, {}}; }
    void add(double x, const std::string& label, double rate) {
        if (rate > 0.0) {
            line_.points.push_back({x, rate});
            ticks_[x] = label;
        }
    }
    void endLine() {
        if (!line_.points.empty()) {
            panel_.lines.push_back(std::move(line_));
        }
    }

    void addTo(std::vector<PlotPanel>& panels) && {
        if (!panel_.lines.empty()) {
            panel_.xTicks.assign(ticks_.begin(), ticks_.end());
            panels.push_back(std::move(panel_));
        }
    }

private:
    PlotPanel panel_;
    PlotLine line_;
    std::map<double, std::string> ticks_;
};

Panel againstResolution(const std::vector<SceneRates>& scenes) {
    Panel panel("The fastest strategy of each", "voxels along the longest side");
    for (std::size_t set = 0; set < kRaySets; ++set) {
        panel.beginLine(raySetNames()[set]);
        for (const SceneRates& scene : scenes) {
            panel.add(std::log2(std::max(scene.resolution, 1U)), fmt::to_string(scene.resolution),
                      scene.fastest().at(set));
        }
        panel.endLine();
    }
    return panel;
}

Panel againstBounce(const SceneRates& scene) {
    Panel panel(fmt::format("{}, {} voxels a side", scene.scene, scene.resolution), "bounce");
    for (const StrategyRates& strategy : scene.strategies) {
        panel.beginLine(strategy.strategy);
        panel.add(0.0, "primary", strategy.rates.at(static_cast<std::size_t>(RaySet::Primary)));
        for (int bounce = 1; bounce <= kBounces; ++bounce) {
            panel.add(
                bounce, fmt::to_string(bounce),
                strategy.rates.at(static_cast<std::size_t>(RaySet::Bounce1) + static_cast<std::size_t>(bounce) - 1));
        }
        panel.endLine();
    }
    return panel;
}

bool isCoarser(const SceneRates& a, const SceneRates& b) {
    return a.resolution < b.resolution;
}

} // namespace

SetRates SceneRates::fastest() const {
    SetRates most{};
    for (const StrategyRates& strategy : strategies) {
        for (std::size_t set = 0; set < kRaySets; ++set) {
            most.at(set) = std::max(most.at(set), strategy.rates.at(set));
        }
    }
    return most;
}

std::vector<PlotPanel> ratePanels(const std::vector<SceneRates>& scenes) {
    std::vector<SceneRates> sorted = scenes;
    std::stable_sort(sorted.begin(), sorted.end(), isCoarser);
    std::vector<PlotPanel> panels;
    againstResolution(sorted).addTo(panels);
    if (!sorted.empty()) {
        againstBounce(sorted.back()).addTo(panels);
    }
    return panels;
}

std::string plotRates(const std::vector<SceneRates>& scenes) {
    return svgPlot(ratePanels(scenes));
}

} // namespace aureole::cli
