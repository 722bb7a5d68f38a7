#include "scan/device_defaults.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aureole::scan {

namespace {

struct Row {
    std::string_view driver; ///< how DeviceInfo::driver begins
    DeviceDefaults defaults;
    std::uint32_t onePassWorkgroupsPerMultiprocessor = 0; ///< 0: as many as its registers allow
};

// By 'aureole bench scan'; the figures are in tests/bench/record/scans.md. Forward progress is the driver's own promise
// for NVIDIA GPUs since Volta. Vulkan promises none, so a device that is not listed does without.
constexpr std::array kMeasured = {
    Row{"NVIDIA ",
        {.forwardProgress = true,
         .rows = 8,
         .onesweepWorkgroupSize = 384,
         .onesweepKeys = 20,
         .onesweepAloneKeys = 20,
         .onesweepFewWorkgroupSize = 512,
         .onesweepFewKeys = 16,
         .onePassWorkgroupSize = 128},
        8},
    Row{"llvmpipe ",
        {.workgroupSize = 128,
         .sortWorkgroupSize = 64,
         .onesweepWorkgroupSize = 64,
         .onesweepKeys = 16,
         .onesweepAloneWorkgroupSize = 64,
         .onesweepAloneKeys = 16,
         .onesweepFewWorkgroupSize = 64,
         .onesweepFewKeys = 16,
         .onesweepLookBack = 1,
         .onePassWorkgroupSize = 128}},
};
constexpr std::uint32_t kInvocationsPerMultiprocessor = 2048; ///< resident at a time
/// lavapipe ends the loops of a subgroup after 65,536 steps in total, and leaves them with wrong results; a subgroup
/// may wait for 32 runs of digits one after the other.
constexpr std::uint32_t kMostPatienceElsewhere = 512;

} // namespace

DeviceDefaults defaultsFor(const gpu::DeviceInfo& info) {
    const auto* found = std::find_if(kMeasured.begin(), kMeasured.end(), [&](const Row& row) {
        return std::string_view(info.driver).starts_with(row.driver);
    });
    const Row row = found != kMeasured.end() ? *found : Row{};
    DeviceDefaults defaults = row.defaults;
    defaults.mostPatience = defaults.forwardProgress ? ~0U : kMostPatienceElsewhere;
    if (info.multiprocessors != 0) { // else the driver does not tell of them
        defaults.workgroups = info.multiprocessors * (kInvocationsPerMultiprocessor / defaults.workgroupSize);
    }
    // Where waiting may take all patience, a workgroup must not wait for tile after tile.
    defaults.onePassWorkgroups =
        defaults.forwardProgress ? info.multiprocessors * row.onePassWorkgroupsPerMultiprocessor : 0;
    for (std::uint32_t* const size :
         {&defaults.workgroupSize, &defaults.onePassWorkgroupSize, &defaults.sortWorkgroupSize,
          &defaults.onesweepWorkgroupSize, &defaults.onesweepAloneWorkgroupSize, &defaults.onesweepFewWorkgroupSize}) {
        *size = std::max(info.subgroupSize, std::min(*size, info.maxWorkgroupInvocations));
    }
    return defaults;
}

} // namespace aureole::scan
