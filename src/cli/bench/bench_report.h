#pragma once

// What a benchmark prints and writes.

#include <string>

#include <nlohmann/json.hpp>

#include "cli/bench/bench_commands.h"
#include "cli/bench/report_page.h"
#include "fft/line_shape.h"
#include "gpu/device.h"

namespace aureole::cli {

/// One measurement: the columns of a table's row, by name, in order. Numbers and text.
using BenchRow = nlohmann::ordered_json;

/// The radices of a transform in stage order, as in "16x16x4".
std::string radicesText(const fft::LineShape& shape);

/// Tables for people on stdout, row by row as they are measured, and all of them as JSON in the end.
class BenchReport {
public:
    /// `benchmark` is the name of the subcommand.
    BenchReport(const std::string& benchmark, const gpu::DeviceInfo& device);

    /// Starts a table; rows follow.
    void beginTable(const std::string& title);
    /// Adds a row, and prints it; the table's first row sets the headings.
    void add(const BenchRow& row);
    /// Prints a remark, such as why rows are missing, and keeps it.
    void note(const std::string& text);

    /// {"benchmark", "device", "driver", "tables": [{"title", "rows": [...], "notes": [...]}]}.
    const nlohmann::ordered_json& document() const { return document_; }

    /// Writes the files that are asked for: the document as JSON, and the page with `content`, which may be empty where
    /// no page is. Throws Error (CannotWrite).
    void write(const BenchOptions& options, ReportContent content) const;

private:
    nlohmann::ordered_json document_;
};

} // namespace aureole::cli
