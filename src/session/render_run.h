#pragma once

#include <functional>

#include "session/render_options.h"
#include "session/render_report.h"

namespace aureole {

/// Does `body`, which fills in the report, and tells of it however that ends: on stderr, and in the file that the
/// options name. Returns what it returns, throws what it throws.
ExitCode runReported(const RenderOptions& options, const std::function<ExitCode(RenderReport&)>& body);

} // namespace aureole
