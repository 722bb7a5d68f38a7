#pragma once

// What a benchmark prints and writes.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/bench_commands.h"
#include "bench/picture_pair.h"
#include "fft/line_shape.h"
#include "gpu/device.h"

namespace aureole::bench {

/// One measurement: the columns of a table's row, by name, in order. Numbers and text.
using BenchRow = nlohmann::ordered_json;

/// A number as tables tell it.
std::string figureText(double number);

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
    /// Adds a table of the device's kernels: what the driver tells of them, such as their registers, where it does; the
    /// width of their workgroups; their occupancy by these (gpu/workgroups.h); and what their owners tell of them.
    void addKernels(const gpu::Device& device);
    /// Prints a remark, such as why rows are missing, and keeps it.
    void note(const std::string& text);

    /// Writes what is asked for: as JSON all that was measured,
    ///     {"benchmark", "device", "driver", "aureole": "0.1.0", "date": "2026-02-03 04:05 UTC", "command", "repeats",
    ///      "tables": [{"title", "rows": [...], "notes": [...]}],
    ///      "pictures": [{"title", "note", "first": {"name", "file"}, "second": {...}, "difference": {...}}]},
    /// and the pictures as PNG files beside it, which "file" names without a folder; equal ones have no difference.
    /// tools/bench/report.py makes a page of it. Throws Error (CannotWrite).
    void write(const BenchOptions& options, const std::vector<PicturePair>& pictures = {}) const;

private:
    nlohmann::ordered_json document_;
};

} // namespace aureole::bench
