#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/device.h"

namespace aureole::gpu {

/// The indices of the devices that Device::openAll opens for a request. Throws as it does.
std::vector<std::uint32_t> deviceIndices(const DeviceRequest& request);

/// How many devices Device::openAll opens for a request. Throws as it does.
std::size_t countDevices(const DeviceRequest& request);

} // namespace aureole::gpu
