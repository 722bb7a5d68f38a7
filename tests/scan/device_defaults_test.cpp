// The table of devices.

#include <gtest/gtest.h>

#include "scan/device_defaults.h"

namespace aureole::scan {
namespace {

gpu::DeviceInfo deviceOf(const char* driver, std::uint32_t subgroupSize) {
    gpu::DeviceInfo info;
    info.driver = driver;
    info.subgroupSize = subgroupSize;
    info.maxWorkgroupInvocations = 1024;
    return info;
}

TEST(DeviceDefaults, OnlyListedDriversMayWait) {
    EXPECT_TRUE(defaultsFor(deviceOf("NVIDIA 580.159", 32)).forwardProgress);
    EXPECT_FALSE(defaultsFor(deviceOf("NVK Mesa 25.0", 32)).forwardProgress);
    EXPECT_FALSE(defaultsFor(deviceOf("llvmpipe Mesa 22.3.6 (LLVM 15.0.6)", 8)).forwardProgress);
    EXPECT_FALSE(defaultsFor(deviceOf("radv Mesa 22.3.6", 64)).forwardProgress);
}

TEST(DeviceDefaults, PatienceEndsWhereNothingIsPromised) {
    EXPECT_EQ(defaultsFor(deviceOf("NVIDIA 580.159", 32)).mostPatience, ~0U);
    // 32 runs of digits in one loop each must stay below lavapipe's 65,536 steps.
    for (const char* driver : {"llvmpipe Mesa 22.3.6 (LLVM 15.0.6)", "radv Mesa 22.3.6"}) {
        EXPECT_LT(32 * defaultsFor(deviceOf(driver, 8)).mostPatience, 65536U / 2);
    }
}

TEST(DeviceDefaults, SizesKeepWithinTheDevice) {
    gpu::DeviceInfo narrow = deviceOf("something", 128);
    narrow.maxWorkgroupInvocations = 128;
    const DeviceDefaults defaults = defaultsFor(narrow);
    EXPECT_EQ(defaults.workgroupSize, 128U);
    EXPECT_EQ(defaults.sortWorkgroupSize, 128U);
    EXPECT_EQ(defaults.onesweepWorkgroupSize, 128U);
    EXPECT_GT(defaults.workgroups, 0U);
    gpu::DeviceInfo large = deviceOf("NVIDIA 580.159", 32);
    large.multiprocessors = 132;
    EXPECT_EQ(defaultsFor(large).workgroups % 132, 0U);
}

} // namespace
} // namespace aureole::scan
