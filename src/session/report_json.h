#pragma once

// The figures of a render as JSON, and what tells of them.

#include <filesystem>
#include <string>
#include <vector>

#include "session/report.h"

namespace aureole {

/// The report as JSON, as its schema tells. Throws Error (CannotWrite).
void writeReport(const std::filesystem::path& path, const RenderReport& report);

/// The JSON Schema of such files. Throws Error (CannotWrite).
void writeReportSchema(const std::filesystem::path& path);

/// The keys of a report, and those of its `seconds`.
std::vector<std::string> reportKeys();
std::vector<std::string> reportStages();

} // namespace aureole
