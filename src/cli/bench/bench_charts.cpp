#include "cli/bench/bench_charts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace aureole::cli {

namespace {

using Json = nlohmann::ordered_json;
using NameOf = std::function<std::string(const Json& row)>;

constexpr const char* kCopy = "a plain copy of as many bytes";

std::string firstCell(const Json& row) {
    return row.at("").get<std::string>();
}

/// "complex, natural order" of "64 complex, natural order".
std::string withoutSize(const Json& row) {
    const std::string text = firstCell(row);
    return text.substr(text.find(' ') + 1);
}

bool has(const Json& table, const char* column) {
    return !table.at("rows").empty() && table.at("rows").front().contains(column);
}

/// Adds a table's rows to lines of `yKey` against the binary logarithm of `xKey`, by name, in order of appearance.
void addLines(const Json& table, const char* xKey, const char* yKey, const NameOf& nameOf, PlotPanel& panel) {
    std::map<double, std::string> ticks(panel.xTicks.begin(), panel.xTicks.end());
    for (const Json& row : table.at("rows")) {
        const std::string name = nameOf(row);
        if (name.empty()) {
            continue;
        }
        auto line = std::find_if(panel.lines.begin(), panel.lines.end(),
                                 [&](const PlotLine& other) { return other.name == name; });
        if (line == panel.lines.end()) {
            line = panel.lines.insert(panel.lines.end(), {name, {}});
        }
        const double x = row.at(xKey).get<double>();
        line->points.push_back({std::log2(x), row.at(yKey).get<double>()});
        ticks[std::log2(x)] = countText(x);
    }
    panel.xTicks.assign(ticks.begin(), ticks.end());
}

void addChart(LineChart chart, std::vector<Chart>& charts) {
    for (PlotLine& line : chart.panel.lines) {
        std::stable_sort(line.points.begin(), line.points.end(),
                         [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    }
    if (!chart.panel.lines.empty()) {
        charts.push_back(lineOrBarChart(chart));
    }
}

void addChart(BarChart chart, std::vector<Chart>& charts) {
    if (!chart.bars.empty()) {
        charts.emplace_back(std::move(chart));
    }
}

/// Bars of "of copy", each with the copy beside.
BarChart sharesOfCopy(const std::string& title, const Json& table) {
    BarChart chart{title, "share of a copy", {}, kCopy, {}};
    for (const Json& row : table.at("rows")) {
        chart.bars.push_back({firstCell(row), {row.at("of copy").get<double>()}, {}, 1.0});
    }
    return chart;
}

std::string microsecondsText(double microseconds) {
    return microseconds < 1000.0 ? figureText(microseconds) + " µs" : figureText(microseconds / 1000.0) + " ms";
}

BarChart strategyBars(const Json& table, const std::string& set) {
    const std::string title = table.at("title").get<std::string>();
    BarChart chart{fmt::format("{} rays, {}", set, title.substr(0, title.find(':'))), "Mray/s", {}, {}, {}};
    for (const Json& row : table.at("rows")) {
        if (row.at("rays of") == set) {
            Bar bar{firstCell(row), {row.at("Mray/s").get<double>()}, {}};
            bar.low = row.at("quartile 1").get<double>();
            bar.high = row.at("quartile 3").get<double>();
            chart.bars.push_back(std::move(bar));
        }
    }
    return chart;
}

/// The tables of one octree.
struct SceneTables {
    std::uint32_t resolution = 0;
    const Json* rays = nullptr;
    const Json* paths = nullptr; ///< none without --paths
};

std::vector<SceneTables> scenesOf(const Json& document) {
    const Json& fastest = document.at("tables").back().at("rows");
    std::vector<SceneTables> scenes;
    for (const Json& table : document.at("tables")) {
        const Json* const next = scenes.size() < fastest.size() ? &fastest.at(scenes.size()) : nullptr;
        if (next != nullptr && table.at("title").get<std::string>().starts_with(firstCell(*next) + ": ")) {
            scenes.push_back({next->at("resolution").get<std::uint32_t>(), &table, nullptr});
        } else if (has(table, "Msamples/s") && !scenes.empty()) {
            scenes.back().paths = &table;
        }
    }
    return scenes;
}

std::vector<std::string> setsIn(const Json& rays) {
    std::vector<std::string> sets;
    for (const Json& row : rays.at("rows")) {
        const auto set = row.at("rays of").get<std::string>();
        if (std::find(sets.begin(), sets.end(), set) == sets.end()) {
            sets.push_back(set);
        }
    }
    return sets;
}

BarChart pathBars(const std::vector<SceneTables>& scenes) {
    BarChart chart{"Whole paths", "Mray/s", {}, {}, {}};
    for (const SceneTables& scene : scenes) {
        for (const Json& row : scene.paths != nullptr ? scene.paths->at("rows") : Json::array()) {
            const double rate = row.at("Mray/s").get<double>();
            const std::string size = scenes.size() > 1 ? fmt::format(", {} voxels a side", scene.resolution) : "";
            chart.bars.push_back(
                {firstCell(row) + size,
                 {rate},
                 fmt::format("{}, {} Msamples/s", figureText(rate), figureText(row.at("Msamples/s").get<double>()))});
        }
    }
    return chart;
}

} // namespace

std::vector<Chart> scanCharts(const Json& document) {
    std::vector<Chart> charts;
    for (const Json& table : document.at("tables")) {
        const std::string title = table.at("title").get<std::string>();
        if (has(table, "Gkeys/s")) {
            LineChart chart{{"Sorts" + title.substr(title.find(' ')), "keys", "Gkeys/s", {}, {}}, 0.0, {}};
            addLines(table, "keys", "Gkeys/s", firstCell, chart.panel);
            addChart(chart, charts);
        } else if (&table == &document.at("tables").front() && has(table, "of copy")) {
            LineChart chart{{"Sums over the device", "items", "share of a copy", {}, {}}, 1.0, kCopy};
            addLines(
                table, "items", "of copy",
                [](const Json& row) { return firstCell(row) == "copy" ? std::string() : firstCell(row); }, chart.panel);
            addChart(chart, charts);
        } else if (has(table, "of copy")) {
            addChart(sharesOfCopy("Sums within subgroups and workgroups", table), charts);
        }
    }
    return charts;
}

std::vector<Chart> fftCharts(const Json& document) {
    std::vector<Chart> charts;
    LineChart lines{{"Transforms of lines", "values a line", "share of a copy", {}, {}}, 1.0, kCopy};
    for (const Json& table : document.at("tables")) {
        if (has(table, "length")) {
            addLines(table, "length", "of copy", withoutSize, lines.panel);
        }
    }
    addChart(lines, charts);
    for (const Json& table : document.at("tables")) {
        if (has(table, "height")) {
            addChart(sharesOfCopy("Transforms of images", table), charts);
        }
    }
    return charts;
}

std::vector<Chart> bloomCharts(const Json& document) {
    const Json& table = document.at("tables").back();
    BarChart whole{"From film to output, one run of a chain", "µs", {}, "floor: a plain copy of as many bytes", {}};
    BarChart passes{"The three passes, timed apart", "µs", {"first", "second", "third"}, {}, {}};
    for (const Json& row : table.at("rows")) {
        const double time = row.at("whole us").get<double>();
        const double floor = row.at("floor us").get<double>();
        whole.bars.push_back(
            {firstCell(row),
             {time},
             fmt::format("{}, {:.2f} × floor", microsecondsText(time), row.at("of floor").get<double>()),
             floor});
        const std::vector<double> parts = {row.at("first us"), row.at("second us"), row.at("third us")};
        passes.bars.push_back({firstCell(row), parts, microsecondsText(parts[0] + parts[1] + parts[2])});
    }
    std::vector<Chart> charts;
    addChart(whole, charts);
    addChart(passes, charts);
    return charts;
}

std::vector<Chart> textureCharts(const Json& document) {
    std::vector<Chart> charts;
    for (const Json& table : document.at("tables")) {
        const bool tilings = table.at("title").get<std::string>().starts_with("tilings");
        if (tilings) {
            addChart(sharesOfCopy("T" + table.at("title").get<std::string>().substr(1), table), charts);
            continue;
        }
        LineChart sizes{{"Sizes", "cells a side", "share of a copy", {}, {}}, 1.0, kCopy, {}};
        addLines(table, "size", "of copy", firstCell, sizes.panel);
        addChart(sizes, charts);
    }
    return charts;
}

std::vector<Chart> traverseBars(const Json& document) {
    const std::vector<SceneTables> scenes = scenesOf(document);
    std::vector<Chart> charts;
    const auto finest = std::max_element(scenes.begin(), scenes.end(),
                                         [](const auto& a, const auto& b) { return a.resolution < b.resolution; });
    if (finest != scenes.end()) {
        for (const std::string& set : setsIn(*finest->rays)) {
            addChart(strategyBars(*finest->rays, set), charts);
        }
    }
    addChart(pathBars(scenes), charts);
    return charts;
}

std::vector<Chart> renderCharts(const Json& document) {
    const Json& errors = document.at("tables").front();
    const Json& rates = document.at("tables").back();
    LineChart falling{{"Error against samples", "samples per pixel", "relmse", {}, {}}, 0.0, {}, true};
    addLines(errors, "samples", "relmse", firstCell, falling.panel);
    BarChart speed{"Speed", "Msamples/s", {}, {}, {}};
    BarChart efficiency{"Efficiency, " + rates.at("title").get<std::string>(), "1/(relmse s)", {}, {}, {}};
    for (const Json& row : rates.at("rows")) {
        const double rate = row.at("Msamples/s").get<double>();
        Bar bar{firstCell(row),
                {rate},
                fmt::format("{}, {} Mray/s", figureText(rate), figureText(row.at("Mray/s").get<double>()))};
        bar.low = row.at("quartile 1").get<double>();
        bar.high = row.at("quartile 3").get<double>();
        speed.bars.push_back(std::move(bar));
        if (!row.at("efficiency").is_null()) {
            efficiency.bars.push_back({firstCell(row), {row.at("efficiency").get<double>()}, {}});
        }
    }
    std::vector<Chart> charts;
    addChart(falling, charts);
    addChart(speed, charts);
    addChart(efficiency, charts);
    return charts;
}

} // namespace aureole::cli
