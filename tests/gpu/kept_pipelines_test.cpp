#include "gpu/kept_pipelines.h"

#include <utility>
#include <vector>

#include "gpu/physical_device.h"
#include "gpu/selection.h"
#include "gpu_test/affine.h"
#include "gpu_test/gpu_test.h"

namespace aureole::gpu {
namespace {

class KeptPipelinesTest : public GpuTest {
protected:
    KeptPipelinesTest() {
        const DeviceRequest request = testDeviceRequest();
        const Validation validation = chooseValidation(request);
        auto instance = std::make_unique<Instance>(validation);
        std::vector<PhysicalDevice> devices = listPhysicalDevices(*instance);
        std::vector<DeviceInfo> infos;
        for (const PhysicalDevice& device : devices) {
            infos.push_back(device.info);
        }
        const std::size_t chosen = selectDevice(infos, request);
        context_ = std::make_shared<Context>(std::move(instance), std::move(devices[chosen]), validation.bounds);
    }

    static PipelineOptions affine(std::uint32_t factor) {
        return {.name = "affine",
                .shader = shaders::affine(),
                .pushConstantBytes = sizeof(AffinePush),
                .specialization = {{0, factor}, {1, kAffineGroupSize}}};
    }

    std::shared_ptr<Context> context_;
};

TEST_F(KeptPipelinesTest, EqualOptionsGiveTheSamePipeline) {
    KeptPipelines kept(8);
    const auto first = kept.get(context_, affine(2));
    EXPECT_EQ(kept.get(context_, affine(2)), first);
    PipelineOptions other = affine(2);
    EXPECT_NE(kept.get(context_, affine(3)), first);
    other.name = "renamed";
    EXPECT_NE(kept.get(context_, other), first);
    EXPECT_EQ(kept.get(context_, other)->name, "renamed");
    other = affine(2);
    other.pushConstantBytes += 4;
    EXPECT_NE(kept.get(context_, other), first);
    other = affine(2);
    other.requiredSubgroupSize = context_->physical().info.maxSubgroupSize;
    EXPECT_NE(kept.get(context_, other), first);
    other = affine(2);
    other.specialization.pop_back();
    EXPECT_NE(kept.get(context_, other), first);
    other = affine(2);
    other.shader = shaders::types();
    EXPECT_NE(kept.get(context_, other), first);
    EXPECT_EQ(kept.get(context_, affine(2)), first);
}

TEST_F(KeptPipelinesTest, ThoseNotAskedForLongestGo) {
    KeptPipelines kept(2);
    const std::weak_ptr two = kept.get(context_, affine(2));
    const std::weak_ptr three = kept.get(context_, affine(3));
    kept.get(context_, affine(2));
    const std::weak_ptr four = kept.get(context_, affine(4));
    EXPECT_FALSE(two.expired());
    EXPECT_TRUE(three.expired());
    EXPECT_FALSE(four.expired());
    kept.clear();
    EXPECT_TRUE(two.expired());
    EXPECT_TRUE(four.expired());
}

TEST_F(KeptPipelinesTest, NoneStayWithoutRoom) {
    KeptPipelines kept(0);
    const std::weak_ptr two = kept.get(context_, affine(2));
    EXPECT_TRUE(two.expired());
}

} // namespace
} // namespace aureole::gpu
