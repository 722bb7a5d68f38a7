#pragma once

#include <functional>

#include "cli/render_options.h"
#include "cli/render_report.h"

namespace aureole::cli {

/// Does `body`, which fills in the report, and tells of it however that ends: on stderr, and in the file that the
/// options name. Returns what it returns, throws what it throws.
ExitCode runReported(const RenderOptions& options, const std::function<ExitCode(RenderReport&)>& body);

} // namespace aureole::cli
