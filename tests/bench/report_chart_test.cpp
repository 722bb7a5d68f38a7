#include "cli/bench/report_chart.h"

#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/bench/bench_charts.h"

namespace aureole::cli {

namespace {

using Json = nlohmann::ordered_json;

/// The groups of every match.
std::vector<std::vector<std::string>> matches(const std::string& text, const std::string& pattern) {
    std::vector<std::vector<std::string>> found;
    const std::regex regex(pattern);
    for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
        found.emplace_back(at->begin(), at->end());
    }
    return found;
}

LineChart lineChart(std::vector<PlotLine> lines) {
    return {{"a title", "items", "share", {{0.0, "1"}, {1.0, "2"}, {4.0, "16"}}, std::move(lines)}, 1.0, "copy"};
}

TEST(ReportChart, DrawsLinesInProportion) {
    const std::string svg = chartMarkup(lineChart({{"up", {{0, 0}, {1, 0.5}, {4, 1}}}}));
    const auto dots = matches(svg, R"re(<circle class="c0" cx="([0-9.]+)" cy="([0-9.]+)")re");
    ASSERT_EQ(dots.size(), 3U);
    const auto number = [&](std::size_t dot, std::size_t axis) { return std::stod(dots[dot][1 + axis]); };
    EXPECT_NEAR((number(1, 0) - number(0, 0)) / (number(2, 0) - number(0, 0)), 0.25, 1e-3);
    EXPECT_NEAR((number(0, 1) - number(1, 1)) / (number(0, 1) - number(2, 1)), 0.5, 1e-3);
    const auto mark = matches(svg, R"re(<path class="mark" d="M54 ([0-9.]+)H)re");
    ASSERT_EQ(mark.size(), 1U);
    EXPECT_EQ(mark[0][1], dots[2][2]) << "the mark is at 1";
    EXPECT_NE(svg.find("<title>up, 2: 0.500 share</title>"), std::string::npos) << svg;
    EXPECT_NE(svg.find("</span>copy</li>"), std::string::npos);
}

TEST(ReportChart, LogarithmicAxesSpanDecades) {
    LineChart chart = lineChart({{"down", {{0, 0.2}, {1, 0.02}, {4, 0.0002}}}, {"none", {{0, 0}}}});
    chart.mark = 0.0;
    chart.logarithmic = true;
    const std::string svg = chartMarkup(chart);
    const auto dots = matches(svg, R"re(<circle class="c0" cx="([0-9.]+)" cy="([0-9.]+)")re");
    ASSERT_EQ(dots.size(), 3U);
    const auto y = [&](std::size_t dot) { return std::stod(dots[dot][2]); };
    EXPECT_NEAR((y(2) - y(1)) / (y(1) - y(0)), 2.0, 1e-2);
    for (const char* label : {">1<", ">0.1<", ">0.01<", ">0.001<", ">0.0001<"}) {
        EXPECT_NE(svg.find(label), std::string::npos) << label;
    }
    EXPECT_EQ(svg.find(">0.2<"), std::string::npos);
    EXPECT_EQ(svg.find("class=\"c1\" cx"), std::string::npos) << "no place for 0";
    chart.panel.lines = {{"narrow", {{0, 0.04}, {1, 0.03}}}};
    EXPECT_NE(chartMarkup(chart).find(">0.02<"), std::string::npos) << "steps within a decade";
}

TEST(ReportChart, LeavesOutTicksThatRunIntoEachOther) {
    LineChart chart = lineChart({{"a", {{0, 1}}}});
    chart.panel.xTicks = {{0.0, "1024"}, {0.3, "1280"}, {1.0, "2048"}, {5.9, "15360"}, {6.0, "16384"}};
    const std::string svg = chartMarkup(chart);
    for (const auto& [label, shown] : {std::pair(">1024<", true), std::pair(">1280<", false), std::pair(">2048<", true),
                                       std::pair(">15360<", false), std::pair(">16384<", true)}) {
        EXPECT_EQ(svg.find(label) != std::string::npos, shown) << label;
    }
}

TEST(ReportChart, OneValueOfEachLineMakesBars) {
    const Chart chart = lineOrBarChart(lineChart({{"a", {{1, 0.25}}}, {"b", {{1, 0.5}}}}));
    const auto& bars = std::get<BarChart>(chart);
    ASSERT_EQ(bars.bars.size(), 2U);
    EXPECT_EQ(bars.bars[1].label, "b");
    EXPECT_EQ(bars.bars[1].mark, 1.0);
    EXPECT_TRUE(std::holds_alternative<LineChart>(lineOrBarChart(lineChart({{"a", {{0, 1}, {1, 1}}}}))));
}

TEST(ReportChart, DrawsBarsTheirPartsAndMarksInProportion) {
    const BarChart chart{"times", "us", {"first", "second"}, "floor", {{"a", {1, 3}, {}, 2}, {"b", {8, 0}, "eight"}}};
    const std::string svg = chartMarkup(chart);
    const auto rects = matches(svg, R"re(<rect class="c(\d)" x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)")re");
    ASSERT_EQ(rects.size(), 4U);
    const double whole = std::stod(rects[2][4]); // 8
    EXPECT_NEAR(std::stod(rects[0][4]) / whole, 1.0 / 8, 1e-3);
    EXPECT_NEAR(std::stod(rects[1][2]) / whole, 1.0 / 8, 1e-3) << "the second part begins where the first ends";
    EXPECT_NEAR(std::stod(rects[1][4]) / whole, 3.0 / 8, 1e-3);
    const auto mark = matches(svg, R"re(<path class="mark" d="M([0-9.]+) )re");
    ASSERT_EQ(mark.size(), 1U);
    EXPECT_NEAR(std::stod(mark[0][1]) / whole, 2.0 / 8, 1e-3);
    EXPECT_NE(svg.find(">4.000</text>"), std::string::npos) << "the sum";
    EXPECT_NE(svg.find(">eight</text>"), std::string::npos);
}

TEST(ReportChart, BearsNothing) {
    for (const Chart& chart : {Chart(BarChart{"", "", {}, {}, {{"a", {0.0}, {}}}}), Chart(lineChart({{"a", {}}}))}) {
        const std::string svg = chartMarkup(chart);
        EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
        EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
    }
}

TEST(ReportChart, CountsAreToldInPowersOfTwo) {
    EXPECT_EQ(countText(1 << 20), "1 Mi");
    EXPECT_EQ(countText(1 << 28), "256 Mi");
    EXPECT_EQ(countText(16384), "16 Ki");
    EXPECT_EQ(countText(1280), "1280");
    EXPECT_EQ(countText(9999), "9999");
}

TEST(BenchCharts, OfTransformsHaveALineForEachKindInOrderOfLength) {
    const auto row = [](const char* name, int length, double share) {
        return Json{{"", name}, {"length", length}, {"of copy", share}};
    };
    const Json document = {
        {"tables",
         {{{"rows", {row("64 complex, slot order", 64, 0.5), row("16 complex, slot order", 16, 0.25)}}},
          {{"rows", {row("64 real, slot order", 64, 0.75)}}}}}};
    const std::vector<Chart> charts = fftCharts(document);
    ASSERT_EQ(charts.size(), 1U);
    const PlotPanel& panel = std::get<LineChart>(charts[0]).panel;
    ASSERT_EQ(panel.lines.size(), 2U);
    EXPECT_EQ(panel.lines[0].name, "complex, slot order");
    EXPECT_EQ(panel.lines[0].points.at(0).x, 4.0);
    EXPECT_EQ(panel.lines[0].points.at(0).y, 0.25);
    EXPECT_EQ(panel.lines[0].points.at(1).y, 0.5);
    EXPECT_EQ(panel.lines[1].points.at(0).x, 6.0);
    EXPECT_EQ(panel.xTicks.size(), 2U);
}

TEST(BenchCharts, OfTraversalAreThoseOfTheOctreeWithTheMostVoxels) {
    const auto rays = [](const char* title, double rate) {
        return Json{
            {"title", title},
            {"rows",
             {{{"", "thread"}, {"rays of", "shadow"}, {"Mray/s", rate}, {"quartile 1", 1}, {"quartile 3", 9}}}}};
    };
    const Json document = {{"tables",
                            {rays("fine: tree", 5.0),
                             rays("coarse: tree", 7.0),
                             {{"title", "fastest"},
                              {"rows", {{{"", "fine"}, {"resolution", 64}}, {{"", "coarse"}, {"resolution", 32}}}}}}}};
    const std::vector<Chart> charts = traverseBars(document);
    ASSERT_EQ(charts.size(), 1U);
    const auto& bars = std::get<BarChart>(charts[0]);
    EXPECT_EQ(bars.title, "shadow rays, fine");
    EXPECT_EQ(bars.bars.at(0).parts.at(0), 5.0);
    EXPECT_EQ(bars.bars.at(0).high, 9.0);
}

} // namespace

} // namespace aureole::cli
