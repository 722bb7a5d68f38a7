#include "render/device_team.h"

#include <numeric>
#include <span>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "octree_samples.h"
#include "render/path_tracer.h"
#include "renders.h"

namespace aureole {
namespace {

/// A few grey voxels under a sky, which two devices render, with all layers: to the sums of one device, byte by byte.
/// The second one is the first, opened once more.
class DeviceTeamTest : public gpu::GpuTest {
protected:
    DeviceTeamTest() {
        Camera camera;
        camera.position = glm::dvec3(24.0, 20.0, 30.0);
        camera.target = glm::dvec3(6.0, 6.0, 6.0);
        camera.verticalFov = 25.0;
        scene_.cameras = {camera};
        scene_.environment.radiance = glm::vec3(0.3F, 0.4F, 0.6F);
        scene_.film.width = 37;
        scene_.film.height = 21;
        scene_.voxels.normals = VoxelNormals::Face;
        scene_.film.aovs = AovSet::all();
    }

    DeviceTeam team() const {
        return {{device(), gpu::Device::open(gpu::testDeviceRequest())},
                scene_,
                std::span(&octree_, 1),
                defaultView(scene_)};
    }

    static std::uint64_t samplesOf(const DeviceTeam& team) {
        const std::vector<DeviceUse> uses = team.uses();
        return std::accumulate(uses.begin(), uses.end(), std::uint64_t{0},
                               [](std::uint64_t sum, const DeviceUse& use) { return sum + use.samples; });
    }

    /// By one device alone.
    FilmSums filmOf(std::uint32_t samples) const {
        const DeviceScene onDevice(device(), scene_, octree_);
        PathTracer alone(device(), onDevice, defaultView(scene_));
        EXPECT_EQ(alone.render(0, samples, [](double) { return true; }), samples);
        return alone.film();
    }

    Octree octree_ = octreeOf(2, {{3, 3, 3}, {4, 3, 3}, {5, 3, 4}, {8, 8, 8}, {9, 2, 9}, {4, 12, 5}});
    Scene scene_;
};

/// The two devices begin with a piece each: a batch of 8, and what is left.
TEST_F(DeviceTeamTest, FinishesUpToTheEndAndKeepsWhatIsBeyond) {
    DeviceTeam stopped = team();
    stopped.expect(13);
    const std::uint32_t reached = stopped.render(0, 8, [](double) { return false; });
    EXPECT_TRUE(reached == 0 || reached == 8) << reached;
    ASSERT_EQ(stopped.finish(8), 8U);
    EXPECT_EQ(stopped.state().samples, (IndexRanges{{0, 8}}));
    EXPECT_EQ(samplesOf(stopped), 8U);
    expectSameSums(stopped.film(), filmOf(8));
    ASSERT_EQ(stopped.finish(13), 13U);
    EXPECT_EQ(samplesOf(stopped), 13U);
    expectSameSums(stopped.film(), filmOf(13));
}

/// Devices work ahead of what they are asked for; whoever asks for no more gets that too.
TEST_F(DeviceTeamTest, FinishAddsWhatIsRenderedAhead) {
    DeviceTeam ahead = team();
    ahead.expect(80000);
    const std::uint32_t reached = ahead.render(0, 8, [](double) { return true; });
    const std::uint32_t end = ahead.finish(80000);
    EXPECT_GE(end, reached);
    EXPECT_LT(end, 80000U);
    EXPECT_EQ(end % PathTracer::kBatchSize, 0U);
    EXPECT_EQ(ahead.state().samples, (IndexRanges{{0, end}}));
    EXPECT_EQ(samplesOf(ahead), end);
    EXPECT_EQ(ahead.finish(80000), end);
    expectSameSums(ahead.film(), filmOf(end));
    EXPECT_GE(ahead.render(end, end + 16, [](double) { return true; }), end + 16);
}

} // namespace
} // namespace aureole
