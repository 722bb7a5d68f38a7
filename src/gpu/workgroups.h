#pragma once

#include <cstdint>

#include <glm/vec2.hpp>

#include "gpu/device.h"

namespace aureole::gpu {

/// The workgroups of persistent threads that fill a device: `perMultiprocessor` on each, 64 multiprocessors where the
/// driver does not tell; `ofCpu` on a software device.
std::uint32_t workgroupsThatFill(const DeviceInfo& info, std::uint32_t perMultiprocessor, std::uint32_t ofCpu);

/// Workgroups along x and y that make up `groups` of them or a few more: devices may have as few as 65535 along x.
glm::uvec2 groupsAlong(std::uint32_t groups);

} // namespace aureole::gpu
