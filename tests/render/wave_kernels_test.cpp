// Kernels are made before a scene has its octree: for what that will be like.

#include "render/wave_kernels.h"

#include <string>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "json_test_util.h"
#include "scene/load.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

class WaveKernelsTest : public gpu::GpuTest {
protected:
    /// The scene as it is voxelised, and what was expected of it before, are alike.
    static void expectForeseen(const std::string& name, const std::string& surface) {
        const Scene scene = loadScene(scenesFolder() / (name + ".json"),
                                      {{"/voxels/resolution", "100"}, {"/voxels/surface", '"' + surface + '"'}});
        VoxelizeOptions options;
        options.resolution = scene.voxels.resolution;
        options.surface = scene.voxels.surface;
        const Octree octree = voxelizeScene(scene, options);
        const DeviceScene onDevice(device(), scene, octree);
        const View view = defaultView(scene);
        const bool isCpu = device().info().isCpu;
        EXPECT_EQ(expectedWaveTraits(scene, isCpu), waveTraits(onDevice, onDevice.params(view)))
            << name << ' ' << surface;
    }
};

TEST_F(WaveKernelsTest, AreForeseenForDemoScenes) {
    expectForeseen("cornell", "cubes");
    expectForeseen("cornell", "planes");
    expectForeseen("still_life", "planes");
    expectForeseen("glass", "field");
    expectForeseen("balls", "cubes");
}

} // namespace
} // namespace aureole
