#pragma once

#include "core/error.h"

namespace aureole {

/// Allows leaveProcess; a program's main says it.
void allowLeaving();

/// Ends the process with that code, where that is allowed: what is printed is flushed, and nothing is destroyed. The
/// system takes back a device's memory and an octree of gigabytes at once, where their owners would take a tenth of a
/// second. Whatever has to reach a file is there before.
void leaveProcess(ExitCode code);

} // namespace aureole
