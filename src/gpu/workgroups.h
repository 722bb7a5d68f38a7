#pragma once

#include <cstdint>

#include <glm/vec2.hpp>

#include "gpu/device.h"

namespace aureole::gpu {

/// The workgroups of persistent threads that fill a device: `perMultiprocessor` on each, 64 multiprocessors where the
/// driver does not tell; `ofCpu` on a software device.
std::uint32_t workgroupsThatFill(const DeviceInfo& info, std::uint32_t perMultiprocessor, std::uint32_t ofCpu);

/// The share of the invocations that a multiprocessor of NVIDIA's can hold at a time which those of a kernel may be,
/// that has `registers` an invocation and `memoryBytes` of workgroup memory in workgroups of so many invocations. 0
/// where the driver does not tell what it can hold (VK_NV_shader_sm_builtins). Vulkan does not tell what is shared out
/// either: 65,536 registers, as all have since Kepler, in eights to a subgroup's 32 lanes, by four schedulers alike;
/// and 228 KiB of workgroup memory with 1 KiB of its own for each workgroup, as Hopper has, so that with less memory a
/// kernel that binds it has a smaller share (NVIDIA, CUDA C++ Programming Guide, Compute Capabilities).
double occupancy(const DeviceInfo& info, std::uint32_t workgroup, std::uint32_t registers, std::uint32_t memoryBytes);

/// Workgroups along x and y that make up `groups` of them or a few more: devices may have as few as 65535 along x.
glm::uvec2 groupsAlong(std::uint32_t groups);

} // namespace aureole::gpu
