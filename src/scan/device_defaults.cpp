#include "scan/device_defaults.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aureole::scan {

namespace {

struct Row {
    std::string_view driver; ///< how DeviceInfo::driver begins
    bool nativeSubgroups = false;
    bool forwardProgress = false;
    std::uint32_t workgroupSize = 256;
    std::uint32_t rows = 4;
    std::uint32_t invocationsPerMultiprocessor = 2048; ///< resident at a time
    std::uint32_t onePassWorkgroupSize = 256;
    std::uint32_t onePassWorkgroupsPerMultiprocessor = 0; ///< as many as its registers allow
    std::uint32_t sortWorkgroupSize = 256;
    std::uint32_t sortKeys = 16;
    std::uint32_t onesweepWorkgroupSize = 256;
    std::uint32_t onesweepKeys = 12;
    std::uint32_t onesweepAloneWorkgroupSize = 256;
    std::uint32_t onesweepAloneKeys = 12;
    std::uint32_t onesweepFewWorkgroupSize = 256;
    std::uint32_t onesweepFewKeys = 12;
    std::uint32_t onesweepLookBack = 4;
};

// By 'aureole bench scan'; the figures are in tests/bench/README.md. Forward progress is the driver's own promise for
// NVIDIA GPUs since Volta. Vulkan promises none, so a device that is not listed does without.
constexpr std::array kMeasured = {
    Row{.driver = "NVIDIA ",
        .forwardProgress = true,
        .rows = 8,
        .onePassWorkgroupSize = 128,
        .onePassWorkgroupsPerMultiprocessor = 8,
        .onesweepWorkgroupSize = 384,
        .onesweepKeys = 20,
        .onesweepAloneKeys = 20,
        .onesweepFewWorkgroupSize = 512,
        .onesweepFewKeys = 16},
    Row{.driver = "llvmpipe ",
        .workgroupSize = 128,
        .onePassWorkgroupSize = 128,
        .sortWorkgroupSize = 64,
        .onesweepWorkgroupSize = 64,
        .onesweepKeys = 16,
        .onesweepAloneWorkgroupSize = 64,
        .onesweepAloneKeys = 16,
        .onesweepFewWorkgroupSize = 64,
        .onesweepFewKeys = 16,
        .onesweepLookBack = 1},
};
constexpr Row kUnknown = {};
/// lavapipe ends the loops of a subgroup after 65,536 steps in total, and leaves them with wrong results; a subgroup
/// may wait for 32 runs of digits one after the other.
constexpr std::uint32_t kMostPatienceElsewhere = 512;
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
    defaults.mostPatience = row.forwardProgress ? ~0U : kMostPatienceElsewhere;
    const auto fitting = [&](std::uint32_t workgroupSize) {
        return std::max(info.subgroupSize, std::min(workgroupSize, info.maxWorkgroupInvocations));
    };
    defaults.workgroupSize = fitting(row.workgroupSize);
    defaults.onePassWorkgroupSize = fitting(row.onePassWorkgroupSize);
    defaults.sortWorkgroupSize = fitting(row.sortWorkgroupSize);
    defaults.sortKeys = row.sortKeys;
    defaults.onesweepWorkgroupSize = fitting(row.onesweepWorkgroupSize);
    defaults.onesweepKeys = row.onesweepKeys;
    defaults.onesweepAloneWorkgroupSize = fitting(row.onesweepAloneWorkgroupSize);
    defaults.onesweepAloneKeys = row.onesweepAloneKeys;
    defaults.onesweepFewWorkgroupSize = fitting(row.onesweepFewWorkgroupSize);
    defaults.onesweepFewKeys = row.onesweepFewKeys;
    defaults.onesweepLookBack = row.onesweepLookBack;
    defaults.rows = row.rows;
    defaults.workgroups = info.multiprocessors == 0
                              ? kWorkgroupsOfUnknown
                              : info.multiprocessors * (row.invocationsPerMultiprocessor / row.workgroupSize);
    // Where waiting may take all patience, a workgroup must not wait for tile after tile.
    defaults.onePassWorkgroups =
        defaults.forwardProgress ? info.multiprocessors * row.onePassWorkgroupsPerMultiprocessor : 0;
    return defaults;
}

} // namespace aureole::scan
