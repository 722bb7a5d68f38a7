#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace aureole::bench {

/// What a file of --json, or of several of them (tools/bench/suite.sh), has.
struct NamedReports {
    std::string name;
    std::vector<nlohmann::ordered_json> reports;
};

/// A figure that all files have. A row is known by its texts and by what it counts, such as items; those that are
/// alike, by their order.
struct SharedFigure {
    std::string benchmark;
    std::string table;
    std::string row; ///< its texts and counts
    std::string column;
    std::vector<double> values; ///< by file
};

/// Reads such a file. Throws Error (BadInput) that names it.
NamedReports readReports(const std::string& file);

/// The figures that all of them have, in the order of the first one: all numbers with a point but quartiles.
std::vector<SharedFigure> sharedFigures(const std::vector<NamedReports>& files);

/// What is not in all files: a benchmark, a table, a row or a column of one, named with what it is in.
struct LoneFigures {
    std::string name;
    std::vector<std::size_t> files; ///< that have it
};

/// All that sharedFigures leaves out, in the order in which it is found.
std::vector<LoneFigures> loneFigures(const std::vector<NamedReports>& files);

} // namespace aureole::bench
