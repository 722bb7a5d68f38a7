#include "gpu/workgroups.h"

#include <algorithm>

#include "core/divide_up.h"

namespace aureole::gpu {

std::uint32_t workgroupsThatFill(const DeviceInfo& info, std::uint32_t perMultiprocessor, std::uint32_t ofCpu) {
    constexpr std::uint32_t kMultiprocessorsOfUnknown = 64;
    if (info.isCpu) {
        return ofCpu;
    }
    return (info.multiprocessors > 0 ? info.multiprocessors : kMultiprocessorsOfUnknown) * perMultiprocessor;
}

double occupancy(const DeviceInfo& info, std::uint32_t workgroup, std::uint32_t registers, std::uint32_t memoryBytes) {
    constexpr std::uint32_t kSchedulers = 4;
    constexpr std::uint32_t kRegistersOfScheduler = 65536 / kSchedulers;
    constexpr std::uint32_t kRegisterUnit = 8;
    constexpr std::uint32_t kMemory = 228 * 1024;
    constexpr std::uint32_t kMemoryOfWorkgroup = 1024;
    const std::uint32_t most = info.subgroupsPerMultiprocessor;
    if (most == 0 || workgroup == 0 || registers == 0) {
        return 0.0;
    }
    const std::uint32_t ofLane = divideUp(registers, kRegisterUnit) * kRegisterUnit;
    const std::uint32_t byRegisters = kRegistersOfScheduler / (ofLane * info.subgroupSize) * kSchedulers;
    const std::uint32_t subgroups = divideUp(workgroup, info.subgroupSize);
    const std::uint32_t groups =
        std::min(std::min(byRegisters, most) / subgroups, kMemory / (memoryBytes + kMemoryOfWorkgroup));
    return static_cast<double>(groups * subgroups) / most;
}

glm::uvec2 groupsAlong(std::uint32_t groups) {
    constexpr std::uint32_t kMostAlongX = 32768;
    const std::uint32_t along = std::clamp(groups, 1U, kMostAlongX);
    return {along, divideUp(groups, along)};
}

} // namespace aureole::gpu
