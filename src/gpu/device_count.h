#pragma once

#include <cstddef>

#include "gpu/device.h"

namespace aureole::gpu {

/// How many devices Device::openAll opens for a request. Throws as it does.
std::size_t countDevices(const DeviceRequest& request);

} // namespace aureole::gpu
