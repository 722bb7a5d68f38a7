#pragma once

// The options of "aureole render" and "aureole bloom" that finish a picture (image/finish/finish.h).

#include "cli/options/cli11_forward.h"
#include "session/finish_options.h"

namespace aureole::cli {

/// Adds the options. `options` must outlive the command.
void addFinishOptions(CLI::App& command, FinishOptions& options);

} // namespace aureole::cli
