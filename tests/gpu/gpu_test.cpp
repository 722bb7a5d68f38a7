#include "gpu_test/gpu_test.h"

#include <cstdlib>
#include <optional>
#include <string_view>

#include "full_sweep.h"

namespace aureole::gpu {

namespace {

std::optional<Device>& sharedDevice() {
    static std::optional<Device> device;
    return device;
}

/// Lets the device go before the process ends, and has the validation layer look for what was left behind.
class DeviceEnvironment : public ::testing::Environment {
public:
    void TearDown() override {
        const std::uint64_t before = totalValidationMessages();
        sharedDevice().reset();
        EXPECT_EQ(totalValidationMessages(), before) << "validation messages while the device was destroyed";
    }
};

const ::testing::Environment* const kEnvironment =
    ::testing::AddGlobalTestEnvironment(new DeviceEnvironment); // GoogleTest deletes it

std::string_view environment(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): tests set none while others read
    return value == nullptr ? "" : value;
}

} // namespace

DeviceRequest testDeviceRequest() {
    DeviceRequest request;
    request.selector = environment("AUREOLE_TEST_DEVICE");
    request.allowCpu = true;
    request.validation = environment("AUREOLE_TEST_VALIDATION") != "0";
    // The suites of the renderer and of transforms have more than 64, and a software device makes each anew.
    request.keptPipelines = 512;
    return request;
}

void GpuTest::SetUp() {
    messagesBefore_ = totalValidationMessages();
    if (!sharedDevice()) {
        sharedDevice() = Device::open(testDeviceRequest());
    }
}

void GpuTest::TearDown() {
    EXPECT_EQ(totalValidationMessages(), messagesBefore_) << "validation messages, see the log";
}

const Device& GpuTest::device() {
    return *sharedDevice();
}

std::uint32_t GpuTest::samplesOf(std::uint32_t quick, std::uint32_t full) {
    return quickOrFull(quick, device().info().isCpu ? full / 8 : full);
}

} // namespace aureole::gpu
