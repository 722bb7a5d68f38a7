#include <vector>

#include <gtest/gtest.h>

#include "gpu/selection.h"
#include "gpu_test/error_test.h"

namespace aureole::gpu {
namespace {

DeviceInfo hardware(std::uint32_t index, const char* name, bool discrete, std::uint64_t gigabytes) {
    DeviceInfo info;
    info.index = index;
    info.name = name;
    info.uuid = "0123456789abcdef0123456789abcd0" + std::to_string(index);
    info.isDiscrete = discrete;
    info.memoryBytes = gigabytes << 30;
    return info;
}

DeviceInfo software(std::uint32_t index) {
    DeviceInfo info = hardware(index, "llvmpipe (LLVM 15.0.6, 256 bits)", false, 512);
    info.isCpu = true;
    return info;
}

const std::vector<DeviceInfo> kMachine = {software(0), hardware(1, "Intel(R) UHD Graphics 770", false, 64),
                                          hardware(2, "NVIDIA GeForce RTX 4090", true, 24),
                                          hardware(3, "NVIDIA GeForce RTX 4060", true, 8)};

TEST(Selection, DiscreteHardwareComesFirstThenMemory) {
    EXPECT_EQ(selectDevice(kMachine, {}), 2U);
    EXPECT_EQ(selectDevice(kMachine, {.allowCpu = true}), 2U);
    EXPECT_EQ(selectDevice(std::vector{software(0), hardware(1, "A", false, 1)}, {.allowCpu = true}), 1U);
    EXPECT_EQ(selectDevice(std::vector{hardware(0, "A", true, 8), hardware(1, "A", true, 8)}, {}), 0U);
}

TEST(Selection, ByIndexUuidAndPartOfTheName) {
    EXPECT_EQ(selectDevice(kMachine, {.selector = "1"}), 1U);
    EXPECT_EQ(selectDevice(kMachine, {.selector = "uuid:0123456789abcdef0123456789abcd03"}), 3U);
    EXPECT_EQ(selectDevice(kMachine, {.selector = "uuid:01234567-89AB-cdef-0123-456789abcd03"}), 3U);
    EXPECT_EQ(selectDevice(kMachine, {.selector = "uhd"}), 1U);
    EXPECT_EQ(selectDevice(kMachine, {.selector = "4060"}), 3U); // no such index, so a part of a name
    EXPECT_EQ(selectDevice(kMachine, {.selector = "geforce"}), 2U);
}

TEST(Selection, SoftwareOnlyWhereAllowedOrAlone) {
    EXPECT_EQ(selectDevice(std::vector{software(0)}, {}), 0U);
    EXPECT_EQ(selectDevice(kMachine, {.selector = "0", .allowCpu = true}), 0U);
    for (const char* selector : {"0", "llvmpipe"}) {
        expectError(ExitCode::NoDevice, {selector, "llvmpipe", "--allow-cpu", "RTX 4090"},
                    [&] { selectDevice(kMachine, {.selector = selector}); });
    }
    // A hardware device that cannot be used does not let software in by the back door.
    DeviceInfo old = hardware(1, "GeForce GT 710", true, 2);
    old.unusable = "lacks Vulkan 1.3";
    const std::vector<DeviceInfo> oldMachine = {software(0), old};
    expectError(ExitCode::NoDevice, {"--allow-cpu", "GT 710", "lacks Vulkan 1.3"},
                [&] { selectDevice(oldMachine, {}); });
    EXPECT_EQ(selectDevice(oldMachine, {.allowCpu = true}), 0U);
    expectError(ExitCode::NoDevice, {"'GeForce GT 710' lacks Vulkan 1.3"},
                [&] { selectDevice(oldMachine, {.selector = "1", .allowCpu = true}); });
}

TEST(Selection, ErrorsNameWhatWasFoundAndTheNearest) {
    expectError(ExitCode::NoDevice,
                {"no device fits 'GeFroce'", "did you mean 'GeForce'?", "found 0:", "RTX 4060", "software",
                 "uuid:0123456789abcdef0123456789abcd02"},
                [] { selectDevice(kMachine, {.selector = "GeFroce"}); });
    expectError(ExitCode::NoDevice, {"no device fits '9'", "found"}, [] { selectDevice(kMachine, {.selector = "9"}); });
    expectError(ExitCode::NoDevice, {"did you mean 'uuid:0123456789abcdef0123456789abcd01'"},
                [] { selectDevice(kMachine, {.selector = "uuid:0123456789abcdef0123456789abcx01"}); });
    expectError(ExitCode::NoDevice, {"found no Vulkan device"}, [] { selectDevice({}, {}); });
    expectError(ExitCode::NoDevice, {"found no Vulkan device"}, [] { selectDevice({}, {.allowCpu = true}); });
}

using Places = std::vector<std::size_t>;

TEST(Selection, AllAreTheHardwareDevices) {
    EXPECT_EQ(selectDevices(kMachine, {.selector = "all"}), (Places{1, 2, 3}));
    EXPECT_EQ(selectDevices(kMachine, {.selector = "all", .allowCpu = true}), (Places{1, 2, 3}));
    const std::vector<DeviceInfo> soft = {software(0), software(1)};
    EXPECT_EQ(selectDevices(soft, {.selector = "all", .allowCpu = true}), (Places{0, 1}));
    expectError(ExitCode::NoDevice, {"no usable hardware device", "--allow-cpu"},
                [&] { selectDevices(soft, {.selector = "all"}); });
    std::vector<DeviceInfo> old = kMachine;
    old[2].unusable = "lacks Vulkan 1.3";
    EXPECT_EQ(selectDevices(old, {.selector = "all"}), (Places{1, 3}));
}

TEST(Selection, ListsNameDevicesInTheirOrder) {
    EXPECT_EQ(selectDevices(kMachine, {.selector = "3,1"}), (Places{3, 1}));
    EXPECT_EQ(selectDevices(kMachine, {.selector = "4060,uuid:0123456789abcdef0123456789abcd02"}), (Places{3, 2}));
    EXPECT_EQ(selectDevices(kMachine, {.selector = "1,1"}), (Places{1, 1}));
    EXPECT_EQ(selectDevices(kMachine, {.selector = "4090"}), (Places{2}));
    // A name with a comma in it.
    EXPECT_EQ(selectDevices(kMachine, {.selector = "15.0.6, 256", .allowCpu = true}), (Places{0}));
    expectError(ExitCode::Usage, {"'2'", "'4090'", "same device"},
                [&] { selectDevices(kMachine, {.selector = "2,4090"}); });
    expectError(ExitCode::Usage, {"found 'all' in '1,all'", "alone"},
                [&] { selectDevices(kMachine, {.selector = "1,all"}); });
    expectError(ExitCode::NoDevice, {"llvmpipe", "--allow-cpu"}, [&] { selectDevices(kMachine, {.selector = "1,0"}); });
    expectError(ExitCode::NoDevice, {"'7'"}, [&] { selectDevices(kMachine, {.selector = "1,7"}); });
}

/// Also where some device has a comma or a space in its name.
TEST(Selection, EmptyPlacesOfAListAreRefused) {
    for (const char* selector : {",", "1,,2", "1,", ",1", " ", "1, ,2"}) {
        const std::string found = fmt::format("--device: found '{}'", selector);
        expectError(ExitCode::Usage, {found.c_str(), "single commas"},
                    [&] { selectDevices(kMachine, {.selector = selector}); });
        expectError(ExitCode::Usage, {found.c_str(), "single commas"},
                    [&] { selectDevice(kMachine, {.selector = selector}); });
    }
}

TEST(Selection, OneDeviceIsNotSeveral) {
    for (const char* selector : {"all", "1,2"}) {
        expectError(ExitCode::Usage, {selector, "one device"}, [&] { selectDevice(kMachine, {.selector = selector}); });
    }
}

} // namespace
} // namespace aureole::gpu
