#include "cli/bench_report.h"

#include <cstdio>
#include <span>

#include <fmt/format.h>

#include "core/file.h"

namespace aureole::cli {

namespace {

constexpr std::size_t kColumnWidth = 13;
constexpr std::size_t kFirstColumnWidth = 28;

std::string cellText(const nlohmann::ordered_json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (number > 0.0 && number < 0.01) {
            return fmt::format("{:.3g}", number);
        }
        return fmt::format("{:.{}f}", number, number < 10 ? 3 : number < 1000 ? 1 : 0);
    }
    return value.is_null() ? "-" : value.dump();
}

void printCells(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i == 0) {
            fmt::print("{:<{}}", cells[i], kFirstColumnWidth);
        } else {
            fmt::print(" {:>{}}", cells[i], kColumnWidth - 1);
        }
    }
    fmt::print("\n");
    std::fflush(stdout);
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
    fmt::print("{}, driver {}\n", device.name, device.driver);
}

void BenchReport::beginTable(const std::string& title) {
    document_["tables"].push_back(
        {{"title", title}, {"rows", nlohmann::ordered_json::array()}, {"notes", nlohmann::ordered_json::array()}});
    fmt::print("\n{}\n", title);
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
    fmt::print("{}\n", text);
}

void BenchReport::write(const std::filesystem::path& path) const {
    const std::string text = document_.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    writeFileAtomically(path, std::as_bytes(std::span(text)));
}

} // namespace aureole::cli
