#pragma once

// The device that GPU tests share. Link aureole_gpu_test_support and derive fixtures from GpuTest.
//
//   AUREOLE_TEST_DEVICE        a selector (see gpu::DeviceRequest); else the best device, software included
//   AUREOLE_TEST_VALIDATION=0  runs without the validation layer, on machines that lack it

#include <cstdint>

#include <gtest/gtest.h>

#include "gpu/device.h"

namespace aureole::gpu {

/// What the environment asks the tests to open, with validation unless it is switched off.
DeviceRequest testDeviceRequest();

/// A fixture with a device, opened once a process. A test fails where the validation layer has a message during it;
/// the program fails where it has one while the device goes. Without a device every test fails.
class GpuTest : public ::testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    static const Device& device();

    /// Samples a pixel: the quick count, or in exhaustive sweeps as many as take a GPU seconds. Those would take a
    /// software device a quarter of an hour; an eighth does there.
    static std::uint32_t samplesOf(std::uint32_t quick, std::uint32_t full);

private:
    std::uint64_t messagesBefore_ = 0;
};

} // namespace aureole::gpu
