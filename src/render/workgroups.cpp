#include "render/workgroups.h"

namespace aureole {

std::uint32_t workgroupsThatFill(const gpu::DeviceInfo& info, std::uint32_t perMultiprocessor, std::uint32_t ofCpu) {
    constexpr std::uint32_t kMultiprocessorsOfUnknown = 64;
    if (info.isCpu) {
        return ofCpu;
    }
    return (info.multiprocessors > 0 ? info.multiprocessors : kMultiprocessorsOfUnknown) * perMultiprocessor;
}

} // namespace aureole
