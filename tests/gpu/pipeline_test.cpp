#include <array>
#include <cstdint>
#include <vector>

#include "gpu_test/affine.h"
#include "gpu_test/error_test.h"
#include "gpu_test/gpu_test.h"

namespace aureole::gpu {
namespace {

class PipelineTest : public GpuTest {
protected:
    /// What 512 invocations see: (subgroup size, invocations in the subgroup) each.
    static std::vector<std::array<std::uint32_t, 2>> seen(std::uint32_t requiredSize) {
        const Pipeline pipeline = device().createPipeline({.name = "subgroups",
                                                           .shader = shaders::subgroups(),
                                                           .pushConstantBytes = sizeof(std::uint64_t),
                                                           .requiredSubgroupSize = requiredSize});
        std::vector<std::array<std::uint32_t, 2>> result(512);
        const Buffer buffer =
            device().createBuffer(std::as_bytes(std::span(result)).size(), MemoryKind::Device, "seen");
        CommandEncoder commands = device().encoder();
        commands.dispatch(pipeline, buffer.address(), 4);
        device().submit(std::move(commands)).wait();
        device().download(buffer, 0, std::as_writable_bytes(std::span(result)));
        return result;
    }
};

TEST_F(PipelineTest, EverySubgroupSizeOfTheDeviceCanBeRequired) {
    const DeviceInfo& info = device().info();
    ASSERT_GE(info.minSubgroupSize, 1U);
    for (std::uint32_t size = info.minSubgroupSize; size <= info.maxSubgroupSize; size *= 2) {
        for (const auto& [subgroupSize, invocations] : seen(size)) {
            ASSERT_EQ(subgroupSize, size);
            ASSERT_EQ(invocations, size) << "subgroups are not full";
        }
    }
}

TEST_F(PipelineTest, WithoutARequirementTheSizeIsTheDriversOwn) {
    for (const auto& [subgroupSize, invocations] : seen(0)) {
        ASSERT_EQ(subgroupSize, device().info().subgroupSize);
    }
}

TEST_F(PipelineTest, SubgroupSizesThatTheDeviceLacksAreErrors) {
    for (const std::uint32_t size : {device().info().maxSubgroupSize * 2, 3U, 0x80000000U}) {
        expectError(ExitCode::Internal, {"subgroups", "subgroup size", "power of two"}, [&] { seen(size); });
    }
}

TEST_F(PipelineTest, WrongOptionsAreErrors) {
    expectError(ExitCode::Internal, {"empty", "no SPIR-V"}, [&] { device().createPipeline({.name = "empty"}); });
    for (const std::uint32_t bytes : {132U, 6U}) {
        expectError(ExitCode::Internal, {"affine", "push constants", "multiple of 4"}, [&] {
            device().createPipeline({.name = "affine", .shader = shaders::affine(), .pushConstantBytes = bytes});
        });
    }
}

} // namespace
} // namespace aureole::gpu
