#include <cstdint>
#include <vector>

#include "gpu_test/affine.h"
#include "gpu_test/error_test.h"
#include "gpu_test/gpu_test.h"

namespace aureole::gpu {
namespace {

// The validation layer reports what is destroyed while in use, or left behind.
class LifetimeTest : public GpuTest {
protected:
    /// A device that keeps no pipelines, so that they go when their owners and the commands let go of them.
    static Device openForgetful() {
        DeviceRequest request = testDeviceRequest();
        request.keptPipelines = 0;
        return Device::open(request);
    }
};

TEST_F(LifetimeTest, RecordedCommandsKeepWhatTheyUse) {
    const Device own = openForgetful();
    const Buffer target = own.createBuffer(4096, MemoryKind::Device, "target");
    CommandEncoder commands = own.encoder();
    {
        const Buffer source = own.createBuffer(4096, MemoryKind::Device, "source");
        const Pipeline pipeline = makeAffine(own, 2);
        commands.fill(source, 0, 4096, 20);
        commands.barrier();
        commands.copy(source, 0, target, 0, 4096);
        commands.barrier();
        recordAffine(commands, pipeline, target, 2);
    }
    own.submit(std::move(commands)).wait();
    EXPECT_EQ(readWords(own, target), std::vector<std::uint32_t>(1024, 42));
}

TEST_F(LifetimeTest, SubmissionsMayGoBeforeTheyHaveRun) {
    const Device own = openForgetful();
    const Buffer buffer =
        own.createBufferWith(std::span<const std::uint32_t>(std::vector<std::uint32_t>(4096, 0)), "values");
    for (int i = 0; i < 100; ++i) {
        const Pipeline pipeline = makeAffine(own, 1);
        CommandEncoder commands = own.encoder();
        recordAffine(commands, pipeline, buffer, 1);
        static_cast<void>(own.submit(std::move(commands)));
    }
    EXPECT_EQ(readWords(own, buffer), std::vector<std::uint32_t>(4096, 100));
}

TEST_F(LifetimeTest, BuffersMayGoBeforeTheCommandsThatReachThemHaveRun) {
    // lavapipe crashes on freed memory; other devices are lost.
    const Pipeline pipeline = makeAffine(device(), 3);
    Submission last;
    for (int i = 0; i < 50; ++i) {
        const Buffer buffer = device().createBuffer(1 << 20, MemoryKind::Device, "short-lived");
        CommandEncoder commands = device().encoder();
        recordAffine(commands, pipeline, buffer, 1);
        commands.barrier();
        recordAffine(commands, pipeline, buffer, 1);
        last = device().submit(std::move(commands));
    }
    last.wait();
}

TEST_F(LifetimeTest, EncodersMayGoUnsubmitted) {
    const Buffer buffer = device().createBuffer(64, MemoryKind::Device, "values");
    for (int i = 0; i < 3; ++i) {
        CommandEncoder commands = device().encoder();
        commands.beginPass("dropped");
        commands.fill(buffer, 0, 64, 1);
    }
    CommandEncoder first = device().encoder();
    CommandEncoder second = device().encoder();
    second.fill(buffer, 0, 64, 9);
    first = std::move(second);
    device().submit(std::move(first)).wait();
    EXPECT_EQ(readWords(device(), buffer), std::vector<std::uint32_t>(16, 9));
}

TEST_F(LifetimeTest, WhatADeviceMadeMayOutliveIt) {
    Buffer buffer;
    Pipeline pipeline;
    Submission dropped;
    Submission waited;
    {
        const Device own = openForgetful();
        buffer = own.createBuffer(1 << 20, MemoryKind::Device, "survivor");
        pipeline = makeAffine(own, 1);
        for (Submission* submission : {&dropped, &waited}) {
            CommandEncoder commands = own.encoder();
            commands.beginPass("pass");
            recordAffine(commands, pipeline, buffer, 1);
            *submission = own.submit(std::move(commands));
        }
    }
    dropped = {};
    waited.wait();
    EXPECT_EQ(waited.passTimes().size(), 1U);
    EXPECT_NE(buffer.address(), 0U);
}

TEST_F(LifetimeTest, DevicesGoWithWorkUnderWay) {
    const Device own = openForgetful();
    const Pipeline pipeline = makeAffine(own, 1);
    const Buffer buffer = own.createBuffer(1 << 20, MemoryKind::Device, "values");
    CommandEncoder commands = own.encoder();
    recordAffine(commands, pipeline, buffer, 1);
    static_cast<void>(own.submit(std::move(commands)));
}

TEST_F(LifetimeTest, ObjectsOfAnotherDeviceAreErrors) {
    const Device own = Device::open(testDeviceRequest());
    const Buffer foreign = own.createBuffer(64, MemoryKind::Device, "foreign");
    CommandEncoder commands = device().encoder();
    expectError(ExitCode::Internal, {"'foreign'", "another device"}, [&] { commands.fill(foreign, 0, 64, 1); });
    expectError(ExitCode::Internal, {"another device"}, [&] { own.submit(device().encoder()); });
}

} // namespace
} // namespace aureole::gpu
