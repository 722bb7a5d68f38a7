#pragma once

#include "core/error.h"
#include "session/render_options.h"

namespace aureole {

/// Renders a scene file to an image file. Returns Done, or Interrupted where the image has fewer samples than asked
/// for because of a signal. Throws Error.
ExitCode renderToFile(const RenderOptions& options);

} // namespace aureole
