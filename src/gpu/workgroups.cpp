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

glm::uvec2 groupsAlong(std::uint32_t groups) {
    constexpr std::uint32_t kMostAlongX = 32768;
    const std::uint32_t along = std::clamp(groups, 1U, kMostAlongX);
    return {along, divideUp(groups, along)};
}

} // namespace aureole::gpu
