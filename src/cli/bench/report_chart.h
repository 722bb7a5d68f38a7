#pragma once

// The plots of a report, as HTML figures around SVG. Colours and fonts are the page's (report_style.h).

#include <string>
#include <variant>
#include <vector>

#include "cli/bench/line_plot.h"

namespace aureole::cli {

/// Lines, with a value to hold them against.
struct LineChart {
    PlotPanel panel;
    double mark = 0.0; ///< 0: none
    std::string markName;
    bool logarithmic = false; ///< the values' axis; what is not above 0 is left out
};

/// One bar, of one part for each series of its chart, side by side.
struct Bar {
    std::string label;
    std::vector<double> parts;
    std::string text; ///< the value as it is told; empty: the sum of the parts
    double mark = 0.0;
    /// Where the value may lie, such as its quartiles; none where both are 0.
    double low = 0.0;
    double high = 0.0;
};

/// Horizontal bars from 0.
struct BarChart {
    std::string title;
    std::string unit;
    std::vector<std::string> series; ///< names of the parts; one alone needs none
    std::string markName;
    std::vector<Bar> bars;
};

using Chart = std::variant<LineChart, BarChart>;

/// A line chart, or its values as bars where all have the same x, so that there would be no lines.
Chart lineOrBarChart(const LineChart& chart);

/// The chart with its title and legend. Each value is told where the pointer rests. Text may have any characters.
std::string chartMarkup(const Chart& chart);

/// A number as tables and plots tell it.
std::string figureText(double number);

/// A count on an axis: "4 Ki" for 4096, "100" for 100.
std::string countText(double count);

} // namespace aureole::cli
