#include <filesystem>
#include <string>
#include <utility>

#include "gpu/instance.h"
#include "gpu/vulkan.h"
#include "gpu_test/error_test.h"
#include "gpu_test/gpu_test.h"
#include "gpu_test/scoped_environment.h"

namespace aureole::gpu {
namespace {

class DeviceTest : public GpuTest {};

TEST_F(DeviceTest, TellsWhatItIs) {
    const DeviceInfo& info = device().info();
    EXPECT_FALSE(info.name.empty());
    EXPECT_EQ(info.uuid.size(), 32U);
    EXPECT_FALSE(info.driver.empty());
    EXPECT_TRUE(info.apiVersion.starts_with("1."));
    EXPECT_TRUE(info.unusable.empty());
    EXPECT_GE(info.memoryBytes, std::uint64_t{1} << 28);
    EXPECT_GE(info.maxAllocationBytes, std::uint64_t{1} << 30); // what Vulkan 1.3 guarantees
    EXPECT_GE(info.subgroupSize, info.minSubgroupSize);
    EXPECT_LE(info.subgroupSize, info.maxSubgroupSize);
    EXPECT_GE(info.workgroupMemoryBytes, 16384U);
    EXPECT_GE(info.maxWorkgroupInvocations, 128U);
}

TEST_F(DeviceTest, IsListed) {
    const std::vector<DeviceInfo> infos = listDevices();
    ASSERT_GT(infos.size(), device().info().index);
    for (std::uint32_t i = 0; i < infos.size(); ++i) {
        EXPECT_EQ(infos[i].index, i);
    }
    EXPECT_EQ(infos[device().info().index].uuid, device().info().uuid);
    EXPECT_EQ(infos[device().info().index].name, device().info().name);
}

TEST_F(DeviceTest, OpensByEverySelector) {
    DeviceRequest request = testDeviceRequest();
    const DeviceInfo& info = device().info();
    for (const std::string& selector : {std::to_string(info.index), "uuid:" + info.uuid, info.name}) {
        request.selector = selector;
        EXPECT_EQ(Device::open(request).info().name, info.name) << selector;
    }
    request.selector = "Voodoo2";
    expectError(ExitCode::NoDevice, {"'Voodoo2'", "found", info.name.c_str()}, [&] { Device::open(request); });
}

TEST_F(DeviceTest, WithoutADriverThereIsAMessage) {
    // The loader's older and newer name of the variable.
    const ScopedEnvironment older("VK_ICD_FILENAMES", "/nonexistent.json");
    const ScopedEnvironment newer("VK_DRIVER_FILES", "/nonexistent.json");
    expectError(ExitCode::NoDevice, {"no Vulkan driver"}, [] { Device::open({}); });
    expectError(ExitCode::NoDevice, {"no Vulkan driver"}, [] { listDevices(); });
}

TEST(Loader, ThatIsMissingIsAMessage) {
    expectError(ExitCode::NoDevice, {"no Vulkan on this machine", "libnovulkan.so"},
                [] { openLoader("libnovulkan.so"); });
    expectError(ExitCode::NoDevice, {"libm.so.6", "expected the Vulkan loader"}, [] { openLoader("libm.so.6"); });
}

TEST(Check, MapsResultsToExitCodes) {
    EXPECT_NO_THROW(check(VK_SUCCESS, "vkCall", "thing"));
    expectError(ExitCode::NoDevice, {"thing", "lost", "vkCall"},
                [] { check(VK_ERROR_DEVICE_LOST, "vkCall", "thing"); });
    expectError(ExitCode::OutOfMemory, {"thing", "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
                [] { check(VK_ERROR_OUT_OF_DEVICE_MEMORY, "vkCall", "thing"); });
    expectError(ExitCode::Internal, {"thing", "vkCall", "VK_ERROR_UNKNOWN", "-13"},
                [] { check(VK_ERROR_UNKNOWN, "vkCall", "thing"); });
}

/// Copies twice to one place without a barrier, which the synchronization checks report.
void raceWithItself(const Device& device) {
    const Buffer source = device.createBuffer(64, MemoryKind::Device, "source");
    const Buffer target = device.createBuffer(64, MemoryKind::Device, "raced target");
    CommandEncoder commands = device.encoder();
    commands.copy(source, 0, target, 0, 64);
    commands.copy(source, 0, target, 0, 64);
    device.submit(std::move(commands)).wait();
}

// Not of the fixture, which fails on messages.
TEST(Validation, CountsMessagesWhereItIsOn) {
    const DeviceRequest request = testDeviceRequest();
    const std::uint64_t before = totalValidationMessages();
    const Device device = Device::open(request);
    EXPECT_EQ(device.validationMessages(), 0U);
    raceWithItself(device);
    EXPECT_EQ(device.validationMessages(), request.validation ? 1U : 0U);
    EXPECT_EQ(totalValidationMessages() - before, device.validationMessages());
}

TEST(Validation, IsSwitchedOnByTheEnvironment) {
    DeviceRequest request = testDeviceRequest();
    const bool possible = std::exchange(request.validation, false);
    const ScopedEnvironment on("AUREOLE_VALIDATION", possible ? "1" : "0");
    const Device device = Device::open(request);
    raceWithItself(device);
    EXPECT_EQ(device.validationMessages(), possible ? 1U : 0U);
}

TEST(Validation, WithoutTheLayerIsAnError) {
    const ScopedEnvironment layers("VK_LAYER_PATH", "/nonexistent");
    expectError(ExitCode::Usage, {"VK_LAYER_KHRONOS_validation", "not installed"},
                [] { Device::open({.allowCpu = true, .validation = true}); });
}

} // namespace
} // namespace aureole::gpu
