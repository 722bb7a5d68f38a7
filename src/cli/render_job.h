#pragma once

#include "cli/render_options.h"
#include "core/error.h"

namespace aureole::cli {

/// Renders a scene file to an image file. Returns Done, or Interrupted where the image has fewer samples than asked
/// for because of a signal. Throws Error.
ExitCode renderToFile(const RenderOptions& options);

} // namespace aureole::cli
