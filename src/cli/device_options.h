#pragma once

#include <CLI/CLI.hpp>

#include "gpu/device.h"

namespace aureole::cli {

/// Adds --device and --allow-cpu. `request` outlives the parsing.
void addDeviceOptions(CLI::App& command, gpu::DeviceRequest& request);

} // namespace aureole::cli
