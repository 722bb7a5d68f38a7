#pragma once

// Which of several devices a request means. Internal to the module; free of Vulkan, for the tests.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace aureole::gpu {

/// The place in `devices` of the one that the request means (see Device::open). Among several that fit, discrete ones
/// come first, then other hardware, then software; then the one with the most memory, then the first.
/// Throws Error (NoDevice) that says what was found, and Error (Usage) for several, or where a list has an empty place.
std::size_t selectDevice(std::span<const DeviceInfo> devices, const DeviceRequest& request);

/// The places of all devices that the request means (see Device::openAll). Throws as selectDevice, and Error (Usage)
/// where a list has 'all' in it, or one device by different names.
std::vector<std::size_t> selectDevices(std::span<const DeviceInfo> devices, const DeviceRequest& request);

/// Whether the selector means several devices, or all.
bool selectsSeveral(std::span<const DeviceInfo> devices, const std::string& selector);

} // namespace aureole::gpu
