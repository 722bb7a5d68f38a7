#include "gpu_test/affine.h"
#include "gpu_test/gpu_test.h"

#include "gpu/workgroups.h"

namespace aureole::gpu {
namespace {

class KernelFiguresTest : public GpuTest {};

TEST_F(KernelFiguresTest, HaveTheWidthOfWorkgroupsAndWhatTheOwnerTells) {
    DeviceRequest request = testDeviceRequest();
    request.kernelFigures = true;
    const Device other = Device::open(request);
    const auto make = [&](const Shader& shader, std::uint32_t push, std::vector<Specialization> specialization) {
        other.createPipeline({.name = "kernel",
                              .shader = shader,
                              .pushConstantBytes = push,
                              .specialization = std::move(specialization),
                              .figures = {{"bytes", 12.0}}});
        const KernelFigures& kernel = other.kernels().back();
        EXPECT_EQ(kernel.name, "kernel");
        EXPECT_EQ(kernel.fromOwner, (std::vector<std::pair<std::string, double>>{{"bytes", 12.0}}));
        return kernel.workgroup;
    };
    EXPECT_EQ(make(shaders::subgroups(), sizeof(std::uint64_t), {}), 128U) << "as the shader says";
    EXPECT_EQ(make(shaders::affine(), 16, {{0, 3}, {1, 96}}), 96U) << "as its constant says";
    EXPECT_EQ(other.kernels().size(), 2U);
    EXPECT_TRUE(device().kernels().empty()) << "nobody asked for them";
}

/// As NVIDIA's calculator of occupancy has it for a multiprocessor of Hopper's, in lanes.
TEST(Occupancy, IsWhatRegistersWorkgroupsAndMemoryLeave) {
    DeviceInfo info;
    info.subgroupSize = 32;
    EXPECT_EQ(occupancy(info, 256, 64, 0), 0.0) << "the driver does not tell";
    info.subgroupsPerMultiprocessor = 64;
    const auto lanes = [&](std::uint32_t workgroup, std::uint32_t registers, std::uint32_t memory) {
        return occupancy(info, workgroup, registers, memory) * 2048.0;
    };
    EXPECT_EQ(lanes(256, 32, 0), 2048.0);
    EXPECT_EQ(lanes(1024, 64, 0), 1024.0);
    EXPECT_EQ(lanes(1024, 65, 0), 0.0) << "no workgroup fits";
    EXPECT_EQ(lanes(256, 80, 0), 768.0);
    EXPECT_EQ(lanes(256, 104, 0), 512.0);
    EXPECT_EQ(lanes(256, 45, 0), 1280.0);
    EXPECT_EQ(lanes(96, 32, 0), 2016.0);
    EXPECT_EQ(lanes(256, 32, 48 * 1024), 1024.0);
    EXPECT_EQ(occupancy(info, 256, 0, 0), 0.0) << "the driver does not tell registers";
}

} // namespace
} // namespace aureole::gpu
