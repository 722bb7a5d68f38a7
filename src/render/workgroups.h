#pragma once

#include <cstdint>

#include "gpu/device.h"

namespace aureole {

/// The workgroups of persistent threads that fill a device: `perMultiprocessor` on each, 64 multiprocessors where the
/// driver does not tell; `ofCpu` on a software device.
std::uint32_t workgroupsThatFill(const gpu::DeviceInfo& info, std::uint32_t perMultiprocessor, std::uint32_t ofCpu);

} // namespace aureole
