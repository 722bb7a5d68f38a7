#include "cli/bench/line_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "cli/bench/markup.h"
#include "cli/bench/plot_scale.h"

namespace aureole::cli {

namespace {

constexpr double kWidth = 380.0; // of a panel's axes, in pixels
constexpr double kHeight = 280.0;
constexpr double kLeft = 70.0; // of a panel, before its axes
constexpr double kTop = 40.0;
constexpr double kLegendTop = 60.0; // below the axes
constexpr double kLegendLine = 18.0;
constexpr double kPanelWidth = kLeft + kWidth + 20.0;
// Colour-blind safe: Okabe and Ito, "Color Universal Design" (2008).
constexpr std::array<const char*, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#56b4e9", "#e69f00", "#000000"};

std::string textAt(double x, double y, const char* anchor, const std::string& text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                       escapeMarkup(text));
}

/// From values to pixels.
class Axes {
public:
    Axes(const PlotPanel& panel, double left)
        : left_(left) {
        const auto [low, high] = std::minmax_element(panel.xTicks.begin(), panel.xTicks.end());
        low_ = low->first;
        high_ = high->first;
        double most = 0.0;
        for (const PlotLine& line : panel.lines) {
            for (const PlotPoint& point : line.points) {
                most = std::max(most, point.y);
            }
        }
        step_ = niceStep(most > 0.0 ? most : 1.0);
        top_ = niceTop(most);
    }

    /// One tick alone stands in the middle.
    double x(double value) const { return left_ + kWidth * (high_ > low_ ? (value - low_) / (high_ - low_) : 0.5); }
    double y(double value) const { return kTop + kHeight * (1.0 - value / top_); }
    double step() const { return step_; }
    double top() const { return top_; }

private:
    double left_;
    double low_ = 0.0;
    double high_ = 1.0;
    double step_ = 1.0;
    double top_ = 1.0;
};

std::string drawGrid(const PlotPanel& panel, const Axes& axes, double left) {
    std::string svg;
    const int steps = static_cast<int>(std::lround(axes.top() / axes.step()));
    for (int i = 0; i <= steps; ++i) {
        const double value = i * axes.step();
        svg += fmt::format("<path d=\"M{:.1f} {:.1f}h{}\" stroke=\"#ddd\"/>\n", left, axes.y(value), kWidth);
        svg += textAt(left - 6.0, axes.y(value) + 4.0, "end", fmt::format("{:g}", value));
    }
    for (const auto& [value, label] : panel.xTicks) {
        svg += fmt::format("<path d=\"M{:.1f} {}v{}\" stroke=\"#eee\"/>\n", axes.x(value), kTop, kHeight);
        svg += textAt(axes.x(value), kTop + kHeight + 16.0, "middle", label);
    }
    svg += textAt(left + kWidth / 2.0, kTop - 16.0, "middle", panel.title);
    svg += textAt(left + kWidth / 2.0, kTop + kHeight + 36.0, "middle", panel.xLabel);
    svg += textAt(left - 6.0, kTop - 16.0, "end", panel.yLabel);
    return svg;
}

std::string drawLine(const PlotLine& line, const char* colour, const Axes& axes) {
    std::string points;
    std::string marks;
    for (const PlotPoint& point : line.points) {
        points += fmt::format("{:.1f},{:.1f} ", axes.x(point.x), axes.y(point.y));
        marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", axes.x(point.x),
                             axes.y(point.y), colour);
    }
    return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", points, colour) +
           marks;
}

std::string drawPanel(const PlotPanel& panel, double left) {
    const Axes axes(panel, left);
    std::string svg = drawGrid(panel, axes, left);
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
        const char* const colour = kColours.at(i % kColours.size());
        svg += drawLine(panel.lines[i], colour, axes);
        const double x = left + (i % 2 == 0 ? 0.0 : kWidth / 2.0);
        const std::size_t row = i / 2;
        const double y = kTop + kHeight + kLegendTop + kLegendLine * static_cast<double>(row);
        svg += fmt::format("<path d=\"M{:.1f} {:.1f}h24\" stroke=\"{}\" stroke-width=\"3\"/>\n", x, y, colour);
        svg += textAt(x + 30.0, y + 4.0, "start", panel.lines[i].name);
    }
    return svg;
}

} // namespace

std::string svgPlot(std::span<const PlotPanel> panels) {
    std::size_t lines = 0;
    for (const PlotPanel& panel : panels) {
        lines = std::max(lines, panel.lines.size());
    }
    const std::size_t rows = (lines + 1) / 2;
    const double height = kTop + kHeight + kLegendTop + kLegendLine * static_cast<double>(rows);
    std::string svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:g} {:g}\" "
                                  "font-family=\"sans-serif\" font-size=\"11\">\n"
                                  "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
                                  kPanelWidth * static_cast<double>(panels.size()), height);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        svg += drawPanel(panels[i], kPanelWidth * static_cast<double>(i) + kLeft);
    }
    return svg + "</svg>\n";
}

} // namespace aureole::cli
