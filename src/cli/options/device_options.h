#pragma once

#include "cli/options/cli11_forward.h"
#include "gpu/device.h"

namespace aureole::cli {

/// Adds --device and --allow-cpu. `request` outlives the parsing.
void addDeviceOptions(CLI::App& command, gpu::DeviceRequest& request);

/// Adds these options to a command that takes several devices (Device::openAll).
void addDevicesOptions(CLI::App& command, gpu::DeviceRequest& request);

} // namespace aureole::cli
