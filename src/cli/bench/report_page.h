#pragma once

// A benchmark's report as one HTML page that needs nothing else: no network, no font, no other file.

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/bench/report_chart.h"
#include "cli/bench/report_picture.h"

namespace aureole::cli {

/// What a benchmark has to show beside its tables.
struct ReportContent {
    std::string title;
    std::string measured; ///< a sentence or two: what was measured, and how to read it
    std::vector<Chart> charts;
    std::vector<PicturePair> pictures;
};

struct ReportPage {
    ReportContent content;
    std::vector<std::pair<std::string, std::string>> facts; ///< device, driver...
    std::string commandLine;
};

/// The page: HTML that is well-formed XML as well. Cells and columns have the values and names of the JSON in
/// `data-value` and `data-key`. `tables` are as BenchReport has them. Text may have any characters. Throws what
/// encodePng throws.
std::string reportPage(const ReportPage& page, const nlohmann::ordered_json& tables);

/// A cell of a table as it is told.
std::string cellText(const nlohmann::ordered_json& value);

} // namespace aureole::cli
