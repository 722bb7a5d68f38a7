#include <cstring>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "octree_samples.h"

namespace aureole {
namespace {

class GpuTraversal : public gpu::GpuTest {};

/// A million rays over all octrees, compared bit by bit with the CPU.
TEST_F(GpuTraversal, GivesTheVoxelsFacesAndDistancesOfTheCpu) {
    const RayCaster caster(device());
    const std::vector<OctreeSample> samples = sampleOctrees();
    const std::size_t raysEach = 1000000 / samples.size() + 1;
    for (const OctreeSample& sample : samples) {
        SCOPED_TRACE(sample.name);
        const Octree& octree = sample.octree;
        const std::vector<shared::GridRay> rays = sampleRays(sample, raysEach, 17);
        const std::vector<shared::RayHit> expected = castOnCpu(octree, rays);
        const std::vector<shared::RayHit> found = caster.cast(DeviceOctree(device(), octree), rays);
        std::size_t differing = 0;
        for (std::size_t i = 0; i < rays.size(); ++i) {
            differing += std::memcmp(&expected[i], &found[i], sizeof(shared::RayHit)) == 0 ? 0 : 1;
        }
        EXPECT_EQ(differing, 0U);
    }
}

/// cast() only returns once the completion counter equals the number of rays, so none is lost when dispatches are cut
/// short.
TEST_F(GpuTraversal, LosesNoRayWhenDispatchesAreCutShort) {
    const RayCaster caster(device());
    const std::vector<OctreeSample> samples = sampleOctrees();
    const Octree& octree = samples[1].octree;
    const std::vector<shared::GridRay> rays = sampleRays(samples[1], 20000, 19);
    const DeviceOctree onDevice(device(), octree);
    const std::vector<shared::RayHit> expected = castOnCpu(octree, rays);
    for (const std::uint32_t steps : {5U, 17U, 4096U}) {
        const std::vector<shared::RayHit> found = caster.cast(onDevice, rays, steps);
        EXPECT_EQ(std::memcmp(expected.data(), found.data(), found.size() * sizeof(shared::RayHit)), 0) << steps;
    }
}

} // namespace
} // namespace aureole
