#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/bench/line_plot.h"
#include "cli/bench/traverse_plot.h"
#include "occurrences.h"

namespace aureole::cli {

namespace {

/// The pixels of each line of a plot.
std::vector<std::vector<PlotPoint>> linesOf(const std::string& svg) {
    std::vector<std::vector<PlotPoint>> lines;
    const std::regex line("<polyline points=\"([^\"]*)\"");
    const std::regex point("([0-9.-]+),([0-9.-]+)");
    for (std::sregex_iterator at(svg.begin(), svg.end(), line), end; at != end; ++at) {
        const std::string points = (*at)[1];
        std::vector<PlotPoint>& found = lines.emplace_back();
        for (std::sregex_iterator p(points.begin(), points.end(), point); p != end; ++p) {
            found.push_back({std::stod((*p)[1]), std::stod((*p)[2])});
        }
    }
    return lines;
}

TEST(LinePlot, PutsPointsInProportion) {
    const PlotPanel panel{"rates", "x", "y", {{1.0, "one"}, {3.0, "three"}}, {{"a", {{1, 0}, {2, 50}, {3, 100}}}}};
    const auto lines = linesOf(svgPlot(std::vector{panel}));
    ASSERT_EQ(lines.size(), 1U);
    ASSERT_EQ(lines[0].size(), 3U);
    EXPECT_NEAR(lines[0][1].x, (lines[0][0].x + lines[0][2].x) / 2, 0.1);
    EXPECT_NEAR(lines[0][1].y, (lines[0][0].y + lines[0][2].y) / 2, 0.1);
    EXPECT_GT(lines[0][2].x, lines[0][0].x);
    EXPECT_LT(lines[0][2].y, lines[0][0].y) << "upwards";
}

TEST(LinePlot, KeepsTextFromBecomingMarkup) {
    const PlotPanel panel{"a <b> & c", "x", "y", {{0.0, "\n"}}, {{"</svg>", {{0, 1}}}}};
    const std::string svg = svgPlot(std::vector{panel});
    EXPECT_NE(svg.find("a &lt;b&gt; &amp; c"), std::string::npos);
    EXPECT_EQ(occurrences(svg, "</svg>"), 1U);
    EXPECT_EQ(occurrences(svg, "<text"), occurrences(svg, "</text>"));
}

TEST(LinePlot, BearsSinglePointsAndNoRates) {
    const PlotPanel one{"", "", "", {{5.0, "5"}}, {{"a", {{5, 0}}}}};
    for (const std::string& svg : {svgPlot(std::vector{one}), svgPlot(std::vector<PlotPanel>{})}) {
        EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
        EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
    }
}

TEST(TraversePlot, ShowsTheFastestByResolutionAndStrategiesByBounce) {
    const auto at = [](RaySet set) { return static_cast<std::size_t>(set); };
    SceneRates fine{"fine", 256, 0, 0.0, {{"thread", {}}, {"sorted", {}}}};
    fine.strategies[0].rates[at(RaySet::Primary)] = 40.0;
    fine.strategies[0].rates[at(RaySet::Bounce1)] = 10.0;
    fine.strategies[1].rates[at(RaySet::Primary)] = 30.0;
    fine.strategies[1].rates[at(RaySet::Bounce4)] = 20.0;
    SceneRates coarse = fine;
    coarse.scene = "coarse";
    coarse.resolution = 64;
    coarse.strategies[1].rates[at(RaySet::Primary)] = 60.0;
    EXPECT_EQ(coarse.fastest()[at(RaySet::Primary)], 60.0);
    const std::string svg = plotRates({fine, coarse});
    const auto lines = linesOf(svg);
    // Primary, bounce1 and bounce4 rays by resolution; thread and sorted by bounce, of the finer one.
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_NE(svg.find("fine, 256"), std::string::npos);
    EXPECT_EQ(svg.find("coarse"), std::string::npos);
    ASSERT_EQ(lines[0].size(), 2U);
    EXPECT_LT(lines[0][0].x, lines[0][1].x) << "the coarser one first";
    EXPECT_LT(lines[0][0].y, lines[0][1].y) << "60 above 40";
    ASSERT_EQ(lines[3].size(), 2U);
    ASSERT_EQ(lines[4].size(), 2U);
    // Primary, 1 and 4 on one axis: bounce 1 stands a quarter of the way to bounce 4.
    EXPECT_NEAR((lines[3][1].x - lines[3][0].x) / (lines[4][1].x - lines[4][0].x), 0.25, 0.01);
}

} // namespace

} // namespace aureole::cli
