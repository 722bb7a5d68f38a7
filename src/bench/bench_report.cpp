#include "bench/bench_report.h"

#include <ctime>
#include <filesystem>
#include <set>
#include <span>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/standard_output.h"
#include "core/file.h"
#include "gpu/workgroups.h"
#include "image/png/png.h"

namespace aureole::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumnWidth = 13;
constexpr std::size_t kFirstColumnWidth = 28;

void printCells(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i == 0) {
            cli::printOutput("{:<{}}", cells[i], kFirstColumnWidth);
        } else {
            cli::printOutput(" {:>{}}", cells[i], kColumnWidth - 1);
        }
    }
    cli::printOutput("\n");
    cli::flushOutput();
}

/// The time now, as in "2026-02-03 04:05 UTC".
std::string dateText() {
    return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
}

std::string cellText(const Json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_number_float()) {
        return figureText(value.get<double>());
    }
    return value.is_null() ? "-" : value.dump();
}

/// Writes the pictures of a pair, the `number`-th of a report, and describes them.
Json writePair(const PicturePair& pair, const std::filesystem::path& jsonFile, std::size_t number) {
    const auto write = [&](const ReportPicture& picture, const char* kind) {
        std::filesystem::path file = jsonFile;
        file.replace_filename(fmt::format("{}-{}-{}.png", jsonFile.stem().string(), number, kind));
        writeFileAtomically(file, encodePng(picture.image, {}, picture.name));
        return Json{{"name", picture.name}, {"file", file.filename().string()}};
    };
    Json description{{"title", pair.title},
                     {"note", pair.note},
                     {"first", write(pair.first, "first")},
                     {"second", write(pair.second, "second")}};
    if (pair.difference) {
        description["difference"] = write(*pair.difference, "difference");
    }
    return description;
}

/// A row of the table of kernels.
Json rowOf(const gpu::KernelFigures& kernel, const gpu::DeviceInfo& device) {
    Json row{{"", kernel.name}};
    std::uint32_t registers = 0;
    std::uint32_t memoryBytes = 0;
    for (const auto& [name, value] : kernel.fromDriver) {
        row[name] = static_cast<std::int64_t>(value);
        if (name == "Register Count") { // as NVIDIA's driver has it, and the next one
            registers = static_cast<std::uint32_t>(value);
        } else if (name.starts_with("Shared Memory")) {
            memoryBytes = static_cast<std::uint32_t>(value);
        }
    }
    row["workgroup"] = kernel.workgroup;
    const double share = gpu::occupancy(device, kernel.workgroup, registers, memoryBytes);
    row["occupancy"] = share > 0.0 ? Json(share) : nullptr;
    for (const auto& [name, value] : kernel.fromOwner) {
        row[name] = static_cast<std::int64_t>(value);
    }
    return row;
}

} // namespace

std::string figureText(double number) {
    if (number > 0.0 && number < 0.01) {
        return fmt::format("{:.3g}", number);
    }
    return fmt::format("{:.{}f}", number, number < 10 ? 3 : number < 1000 ? 1 : 0);
}

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
    cli::printOutput("{}, driver {}\n", device.name, device.driver);
}

void BenchReport::beginTable(const std::string& title) {
    document_["tables"].push_back(
        {{"title", title}, {"rows", nlohmann::ordered_json::array()}, {"notes", nlohmann::ordered_json::array()}});
    cli::printOutput("\n{}\n", title);
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

void BenchReport::addKernels(const gpu::Device& device) {
    if (device.kernels().empty()) {
        return;
    }
    beginTable("Kernels, as the driver tells");
    Json columns{{"", nullptr}}; // all rows have those of all kernels
    std::vector<Json> rows;
    for (const gpu::KernelFigures& kernel : device.kernels()) {
        rows.push_back(rowOf(kernel, device.info()));
        for (const auto& [name, value] : rows.back().items()) {
            columns[name] = nullptr;
        }
    }
    std::set<std::string> added; // one pipeline is made for each scene, often alike
    for (const Json& row : rows) {
        Json whole = columns;
        whole.update(row);
        if (added.insert(whole.dump()).second) {
            add(whole);
        }
    }
}

void BenchReport::note(const std::string& text) {
    document_["tables"].back()["notes"].push_back(text);
    cli::printOutput("{}\n", text);
}

void BenchReport::write(const BenchOptions& options, const std::vector<PicturePair>& pictures) const {
    if (options.jsonFile.empty()) {
        return;
    }
    Json document = document_;
    document["aureole"] = AUREOLE_VERSION;
    document["date"] = dateText();
    document["command"] = options.commandLine;
    document["repeats"] = options.repeats;
    document["pictures"] = Json::array();
    for (const PicturePair& pair : pictures) {
        document["pictures"].push_back(writePair(pair, options.jsonFile, document["pictures"].size() + 1));
    }
    const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    writeFileAtomically(options.jsonFile, std::as_bytes(std::span(text)));
}

} // namespace aureole::bench
