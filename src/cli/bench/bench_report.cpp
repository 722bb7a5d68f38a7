#include "cli/bench/bench_report.h"

#include <ctime>
#include <span>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/standard_output.h"
#include "core/file.h"

namespace aureole::cli {

namespace {

constexpr std::size_t kColumnWidth = 13;
constexpr std::size_t kFirstColumnWidth = 28;

void printCells(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i == 0) {
            printOutput("{:<{}}", cells[i], kFirstColumnWidth);
        } else {
            printOutput(" {:>{}}", cells[i], kColumnWidth - 1);
        }
    }
    printOutput("\n");
    flushOutput();
}

/// As in "2026-02-03 04:05 UTC".
std::string dateText() {
    return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
}

} // namespace

std::string radicesText(const fft::LineShape& shape) {
    std::string text;
    for (std::uint32_t stage = 0; stage < shape.stages; ++stage) {
        text += fmt::format("{}{}", stage > 0 ? "x" : "", shared::fftRadix(shape.radices, stage));
    }
    return text;
}

BenchReport::BenchReport(const std::string& benchmark, const gpu::DeviceInfo& device) {
    document_["benchmark"] = benchmark;
    document_["device"] = device.name;
    document_["driver"] = device.driver;
    document_["tables"] = nlohmann::ordered_json::array();
    printOutput("{}, driver {}\n", device.name, device.driver);
}

void BenchReport::beginTable(const std::string& title) {
    document_["tables"].push_back(
        {{"title", title}, {"rows", nlohmann::ordered_json::array()}, {"notes", nlohmann::ordered_json::array()}});
    printOutput("\n{}\n", title);
}

void BenchReport::add(const BenchRow& row) {
    nlohmann::ordered_json& rows = document_["tables"].back()["rows"];
    std::vector<std::string> headings;
    std::vector<std::string> cells;
    for (const auto& [name, value] : row.items()) {
        headings.push_back(name);
        cells.push_back(cellText(value));
    }
    if (rows.empty()) {
        printCells(headings);
    }
    printCells(cells);
    rows.push_back(row);
}

void BenchReport::note(const std::string& text) {
    document_["tables"].back()["notes"].push_back(text);
    printOutput("{}\n", text);
}

void BenchReport::write(const BenchOptions& options, ReportContent content) const {
    if (!options.jsonFile.empty()) {
        const std::string text = document_.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
        writeFileAtomically(options.jsonFile, std::as_bytes(std::span(text)));
    }
    if (!options.reportFile.empty()) {
        const ReportPage page{std::move(content),
                              {{"Device", document_.at("device").get<std::string>()},
                               {"Driver", document_.at("driver").get<std::string>()},
                               {"aureole", AUREOLE_VERSION},
                               {"Date", dateText()},
                               {"Runs (median)", fmt::to_string(options.repeats)}},
                              options.commandLine};
        const std::string text = reportPage(page, document_.at("tables"));
        writeFileAtomically(options.reportFile, std::as_bytes(std::span(text)));
    }
}

} // namespace aureole::cli
