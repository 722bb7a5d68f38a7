#pragma once

// Which of several devices a request means. Internal to the module; free of Vulkan, for the tests.

#include <cstddef>
#include <span>

#include "gpu/device.h"

namespace aureole::gpu {

/// The place in `devices` of the one that the request means (see Device::open). Among several that fit, discrete ones
/// come first, then other hardware, then software; then the one with the most memory, then the first.
/// Throws Error (NoDevice) that says what was found.
std::size_t selectDevice(std::span<const DeviceInfo> devices, const DeviceRequest& request);

} // namespace aureole::gpu
