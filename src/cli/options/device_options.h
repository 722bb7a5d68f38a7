#pragma once

#include "cli/options/cli11_forward.h"
#include "gpu/device.h"

namespace aureole::cli {

/// Adds --device and --allow-cpu. `request` outlives the parsing.
void addDeviceOptions(CLI::App& command, gpu::DeviceRequest& request);

/// The same for commands that take several devices (Device::openAll).
void addDevicesOptions(CLI::App& command, gpu::DeviceRequest& request);

} // namespace aureole::cli
