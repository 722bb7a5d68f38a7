#pragma once

#include "core/error.h"
#include "session/options.h"

namespace aureole {

/// Renders a scene file to an image file, or to one for each frame, with the other processes of an MPI job where there
/// are any (session/ranks/ranks.h). Returns Done, or Interrupted where a signal ended the render early: an image then
/// has fewer samples than asked for. Throws Error.
ExitCode renderToFile(const RenderOptions& options);

} // namespace aureole
