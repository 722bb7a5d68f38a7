#include "bench/bench_compare.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "bench/bench_commands.h"
#include "bench/bench_report.h"
#include "cli/commands.h"
#include "cli/options/arguments.h"
#include "cli/standard_output.h"
#include "core/error.h"
#include "core/file.h"

namespace aureole::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uintmax_t kMostBytes = 256U << 20U;
/// Whole numbers that tell what a row is of; others are figures of a device.
constexpr std::array kCounts = {"items", "keys", "length", "width", "height", "size", "resolution", "voxels", "spp"};

bool isFigure(const std::string& column, const Json& value) {
    return value.is_number_float() && !column.starts_with("quartile");
}

/// What tells a row from the others of its table.
std::string rowName(const Json& row) {
    std::string name;
    for (const auto& [column, value] : row.items()) {
        const bool isCount = std::find(kCounts.begin(), kCounts.end(), column) != kCounts.end();
        if (value.is_string() && column != "on") {
            name += (name.empty() ? "" : ", ") + value.get<std::string>();
        } else if (isCount && value.is_number_integer()) {
            name += fmt::format("{}{} {}", name.empty() ? "" : ", ", value.get<std::int64_t>(), column);
        }
    }
    return name;
}

std::string keyOf(const SharedFigure& figure) {
    return figure.benchmark + '\n' + figure.table + '\n' + figure.row + '\n' + figure.column;
}

/// All figures of a file, whose rows have numbers where they are alike.
std::vector<SharedFigure> figuresOf(const NamedReports& file) {
    std::vector<SharedFigure> figures;
    std::map<std::string, int> seen;
    for (const Json& report : file.reports) {
        for (const Json& table : report.at("tables")) {
            for (const Json& row : table.at("rows")) {
                for (const auto& [column, value] : row.items()) {
                    if (isFigure(column, value)) {
                        SharedFigure figure{
                            report.at("benchmark"), table.at("title"), rowName(row), column, {value.get<double>()}};
                        if (const int before = seen[keyOf(figure)]++; before > 0) {
                            figure.row += fmt::format(" ({})", before + 1);
                        }
                        figures.push_back(std::move(figure));
                    }
                }
            }
        }
    }
    return figures;
}

void printFigures(const std::vector<NamedReports>& files, const std::vector<SharedFigure>& figures) {
    constexpr int kRowWidth = 44;
    constexpr int kWidth = 14;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const Json& report = files[i].reports.front();
        cli::printOutput("{}: {}, {}, driver {}\n", static_cast<char>('A' + i), files[i].name,
                         report.value("device", "?"), report.value("driver", "?"));
    }
    std::string table;
    for (const SharedFigure& figure : figures) {
        const std::string title = fmt::format("{}: {}", figure.benchmark, figure.table);
        if (title != table) {
            table = title;
            cli::printOutput("\n{}\n{:<{}} {:>{}}", title, "", kRowWidth, "", kWidth);
            for (std::size_t i = 0; i < files.size(); ++i) {
                cli::printOutput(" {:>{}}", static_cast<char>('A' + i), kWidth);
            }
            for (std::size_t i = 1; i < files.size(); ++i) {
                cli::printOutput(" {:>{}}", fmt::format("{}/A", static_cast<char>('A' + i)), kWidth);
            }
            cli::printOutput("\n");
        }
        cli::printOutput("{:<{}} {:>{}}", figure.row, kRowWidth, figure.column, kWidth);
        for (const double value : figure.values) {
            cli::printOutput(" {:>{}}", figureText(value), kWidth);
        }
        for (std::size_t i = 1; i < figure.values.size(); ++i) {
            cli::printOutput(" {:>{}}", figure.values[0] == 0.0 ? "-" : figureText(figure.values[i] / figure.values[0]),
                             kWidth);
        }
        cli::printOutput("\n");
    }
}

void printLone(const std::vector<NamedReports>& files) {
    const std::vector<LoneFigures> lone = loneFigures(files);
    if (!lone.empty()) {
        cli::printOutput("\nNot in all files, and so not compared:\n");
    }
    for (const LoneFigures& figures : lone) {
        std::string letters;
        for (const std::size_t file : figures.files) {
            letters += static_cast<char>('A' + file);
        }
        cli::printOutput("{} only: {}\n", letters, figures.name);
    }
}

ExitCode runCompare(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 26;
    if (names.size() < 2 || names.size() > kMost) {
        fail(ExitCode::Usage, "FILE: found {} of them, expected 2 to {}", names.size(), kMost);
    }
    std::vector<NamedReports> files;
    std::transform(names.begin(), names.end(), std::back_inserter(files), readReports);
    const std::vector<SharedFigure> figures = sharedFigures(files);
    if (figures.empty()) {
        fail(ExitCode::BadInput, "{}: found no row that {} has as well, expected reports of the same benchmarks",
             names[0], names[1]);
    }
    printFigures(files, figures);
    printLone(files);
    return ExitCode::Done;
}

} // namespace

NamedReports readReports(const std::string& file) {
    const Json document = Json::parse(readTextFile(file, kMostBytes), nullptr, false);
    if (document.is_discarded()) {
        fail(ExitCode::BadInput,
             "{}: found no JSON, expected what --json of a benchmark or tools/bench/suite.sh writes", file);
    }
    NamedReports named{file, {}};
    if (document.is_object() && document.contains("reports") && document["reports"].is_array()) {
        named.reports.assign(document["reports"].begin(), document["reports"].end());
    } else {
        named.reports.push_back(document);
    }
    const auto isReport = [](const Json& report) {
        const auto isTable = [](const Json& table) {
            return table.is_object() && table.contains("title") && table["title"].is_string() &&
                   table.contains("rows") && table["rows"].is_array() &&
                   std::all_of(table["rows"].begin(), table["rows"].end(),
                               [](const Json& row) { return row.is_object(); });
        };
        const auto isText = [&](const char* key) { return report.contains(key) && report[key].is_string(); };
        return report.is_object() && isText("benchmark") && isText("device") && isText("driver") &&
               report.contains("tables") && report["tables"].is_array() &&
               std::all_of(report["tables"].begin(), report["tables"].end(), isTable);
    };
    if (named.reports.empty() || !std::all_of(named.reports.begin(), named.reports.end(), isReport)) {
        fail(ExitCode::BadInput,
             "{}: found no tables, expected what --json of a benchmark or tools/bench/suite.sh writes", file);
    }
    return named;
}

std::vector<SharedFigure> sharedFigures(const std::vector<NamedReports>& files) {
    std::vector<SharedFigure> shared = figuresOf(files.at(0));
    for (std::size_t i = 1; i < files.size(); ++i) {
        std::map<std::string, double> values;
        for (const SharedFigure& figure : figuresOf(files[i])) {
            values[keyOf(figure)] = figure.values.front();
        }
        for (SharedFigure& figure : shared) {
            if (const auto found = values.find(keyOf(figure)); found != values.end()) {
                figure.values.push_back(found->second);
            }
        }
        std::erase_if(shared, [&](const SharedFigure& figure) { return figure.values.size() != i + 1; });
    }
    return shared;
}

std::vector<LoneFigures> loneFigures(const std::vector<NamedReports>& files) {
    // Benchmark, table, row and column, with all that is in them.
    std::map<std::string, std::set<std::size_t>> filesOf;
    std::vector<std::array<std::string, 4>> paths;
    for (std::size_t file = 0; file < files.size(); ++file) {
        for (const SharedFigure& figure : figuresOf(files[file])) {
            std::array<std::string, 4> path = {figure.benchmark, figure.table, figure.row, figure.column};
            for (std::size_t i = 1; i < path.size(); ++i) {
                path.at(i) = path.at(i - 1) + (path.at(i).empty() ? "" : ": ") + path.at(i);
            }
            for (const std::string& name : path) {
                filesOf[name].insert(file);
            }
            paths.push_back(std::move(path));
        }
    }
    std::vector<LoneFigures> lone;
    std::set<std::string> told;
    for (const std::array<std::string, 4>& path : paths) {
        const auto* const widest = std::find_if(
            path.begin(), path.end(), [&](const std::string& name) { return filesOf.at(name).size() < files.size(); });
        if (widest != path.end() && told.insert(*widest).second) {
            const std::set<std::size_t>& having = filesOf.at(*widest);
            lone.push_back({*widest, {having.begin(), having.end()}});
        }
    }
    return lone;
}

void addBenchCompare(CLI::App& bench, cli::Invocation& invocation) {
    CLI::App* command = cli::addCommand(bench, "compare", "Reports of several runs, figure beside figure");
    const auto files = std::make_shared<std::vector<std::string>>();
    cli::addTexts(*command, "FILE", "", "What --json of a benchmark or tools/bench/suite.sh wrote, 2 to 26 files",
                  *files);
    cli::setFooter(*command,
                   "Tells what all files have: rows of the same table, texts and counts. B/A is a figure of the\n"
                   "second file as a multiple of the first one's: less is better of times, more of rates. What\n"
                   "not all files have, such as a row of another name, is listed below.\n\n"
                   "Examples:\n"
                   "  aureole bench compare before.json after.json");
    cli::onParsed(*command, [files, &invocation] { invocation.run = [files] { return runCompare(*files); }; });
}

} // namespace aureole::bench
