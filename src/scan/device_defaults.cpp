#include "scan/device_defaults.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aureole::scan {

namespace {

struct Row {
    std::string_view driver; ///< how DeviceInfo::driver begins
    bool nativeSubgroups;
    bool forwardProgress;
    std::uint32_t workgroupSize;
    std::uint32_t rows;
    std::uint32_t sortWorkgroupSize;
    std::uint32_t sortKeys;
    std::uint32_t invocationsPerMultiprocessor;    ///< resident at a time
    std::uint32_t tileWorkgroupsPerMultiprocessor; ///< of a single pass, its registers allowing
};

// By 'aureole bench scan'; the figures are in tests/bench/NOTES.md. Forward progress is the driver's own promise for
// NVIDIA GPUs since Volta. Vulkan promises none, so a device that is not listed does without.
constexpr std::array kMeasured = {
    Row{"NVIDIA ", false, true, 128, 8, 256, 16, 2048, 8},
    Row{"llvmpipe ", false, false, 128, 4, 64, 16, 0, 0},
};
constexpr Row kUnknown = {"", false, false, 256, 4, 256, 16, 2048, 0};
constexpr std::uint32_t kWorkgroupsOfUnknown = 128; ///< where the driver does not tell of multiprocessors

} // namespace

DeviceDefaults defaultsFor(const gpu::DeviceInfo& info) {
    const auto* found = std::find_if(kMeasured.begin(), kMeasured.end(), [&](const Row& row) {
        return std::string_view(info.driver).starts_with(row.driver);
    });
    const Row& row = found != kMeasured.end() ? *found : kUnknown;
    DeviceDefaults defaults;
    defaults.nativeSubgroups = row.nativeSubgroups;
    defaults.forwardProgress = row.forwardProgress;
    const auto fitting = [&](std::uint32_t workgroupSize) {
        return std::max(info.subgroupSize, std::min(workgroupSize, info.maxWorkgroupInvocations));
    };
    defaults.workgroupSize = fitting(row.workgroupSize);
    defaults.sortWorkgroupSize = fitting(row.sortWorkgroupSize);
    defaults.sortKeys = row.sortKeys;
    defaults.rows = row.rows;
    defaults.workgroups = info.multiprocessors == 0
                              ? kWorkgroupsOfUnknown
                              : info.multiprocessors * (row.invocationsPerMultiprocessor / row.workgroupSize);
    // Where waiting may take all patience, a workgroup must not wait for tile after tile.
    defaults.tileWorkgroups = defaults.forwardProgress ? info.multiprocessors * row.tileWorkgroupsPerMultiprocessor : 0;
    return defaults;
}

} // namespace aureole::scan
