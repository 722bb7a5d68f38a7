#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "emissive_palette.h"
#include "error_of.h"
#include "film/picture.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "merged_parts.h"
#include "octree_samples.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "shared/octree/attributes.h"
#include "voxel/build/voxel_material.h"

namespace aureole {
namespace {

class PathTracerTest : public gpu::GpuTest {
protected:
    /// A few emissive and grey voxels under a sky, a sun and a point light.
    void SetUp() override {
        GpuTest::SetUp();
        scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
        octree = octreeOf(2, {{3, 3, 3}, {4, 3, 3}, {5, 3, 4}, {8, 8, 8}, {9, 2, 9}, {4, 12, 5}});
        octree.palette = emissivePalette({glm::vec3(4.0F, 2.0F, 1.0F)});
        octree.materialRuns = singleRun(2);
        octree.attributes[3].shading |= 1U << ATTRIBUTE_MATERIAL_SHIFT;
        Camera camera;
        camera.position = glm::dvec3(24.0, 20.0, 30.0);
        camera.target = glm::dvec3(6.0, 6.0, 6.0);
        camera.apertureRadius = 0.3;
        camera.verticalFov = 25.0;
        scene.cameras = {camera};
        scene.environment.radiance = glm::vec3(0.3F, 0.4F, 0.6F);
        scene.environment.sun = Sun{glm::normalize(glm::dvec3(1, 2, 1)), 2.0, glm::vec3(3.0F)};
        PunctualLight lamp;
        lamp.position = glm::dvec3(12.0, 12.0, 12.0);
        lamp.intensity = glm::vec3(20.0F);
        scene.lights = {lamp};
        scene.film.width = 37;
        scene.film.height = 21;
        scene.voxels.normals = VoxelNormals::Face;
    }

    FilmSums render(const IndexRanges& ranges, const WavefrontOptions& options = {}, const View* view = nullptr) const {
        const DeviceScene onDevice(device(), scene, octree);
        PathTracer tracer(device(), onDevice, view != nullptr ? *view : defaultView(scene), options);
        for (const auto& [first, end] : ranges) {
            EXPECT_EQ(tracer.render(first, end, [](double) { return true; }), end);
        }
        return tracer.film();
    }

    PictureMean meanBy(LightSampling strategy) {
        scene.integrator.lightSampling = strategy;
        return pictureMean(render({{0, 512}}));
    }

    Scene scene;
    Octree octree;
};

/// What is drawn on the device for bloom is the picture that the host makes of the film, to the rounding of a division;
/// pixels beyond what bloom takes are told of.
TEST_F(PathTracerTest, DrawsMeansOnTheDevice) {
    const DeviceScene onDevice(device(), scene, octree);
    PathTracer tracer(device(), onDevice, defaultView(scene));
    EXPECT_FALSE(tracer.hasMeansAlone()) << "without samples";
    tracer.render(0, 7, [](double) { return true; });
    ASSERT_TRUE(tracer.hasMeansAlone());
    const FilmSums head = tracer.filmWithoutSums();
    const Image expected = filmImage(tracer.film(), false);
    EXPECT_EQ(head.samples, tracer.samples());
    EXPECT_EQ(head.pixelCount(), expected.pixelCount());
    float brightest = 0.0F;
    for (const Channel& channel : expected.channels) {
        brightest = std::max(brightest, *std::max_element(channel.values.begin(), channel.values.end()));
    }
    const std::uint64_t word = 3 * sizeof(float) * expected.pixelCount();
    const gpu::Buffer drawn = device().createBuffer(word + sizeof(std::uint32_t), gpu::MemoryKind::Readback, "means");
    for (const bool fits : {true, false}) {
        gpu::CommandEncoder commands = device().encoder();
        commands.fill(drawn, 0, drawn.size(), 0);
        commands.barrier();
        tracer.drawMeans(commands, drawn.address(), drawn.address() + word, brightest * (fits ? 1.01F : 0.99F));
        device().submit(std::move(commands)).wait();
        std::uint32_t unusual = 0;
        std::memcpy(&unusual, &drawn.mapped()[word], sizeof(unusual));
        EXPECT_EQ(unusual, fits ? 0U : 1U);
        for (std::size_t c = 0; c < 3; ++c) {
            const std::vector<float>& plane = expected.find(std::string(1, "RGB"[c]))->values;
            for (std::size_t i = 0; i < plane.size(); ++i) {
                float value = 0.0F;
                std::memcpy(&value, &drawn.mapped()[(c * plane.size() + i) * sizeof(float)], sizeof(value));
                ASSERT_NEAR(value, plane[i], 3e-7F * plane[i]) << c << " " << i;
            }
        }
    }
}

TEST_F(PathTracerTest, SameSeedGivesTheSameBytes) {
    const FilmSums a = render({{0, 20}});
    const FilmSums b = render({{0, 20}});
    EXPECT_EQ(a.radiance, b.radiance);
    EXPECT_EQ(a.squared, b.squared);
    scene.integrator.seed = 1;
    EXPECT_NE(render({{0, 20}}).radiance, a.radiance);
}

TEST_F(PathTracerTest, ResumedRunGivesTheBytesOfAnUnbrokenOne) {
    EXPECT_EQ(render({{0, 8}, {8, 24}}).radiance, render({{0, 24}}).radiance);
}

TEST_F(PathTracerTest, TwoRangesMergedEqualOne) {
    const Image whole = filmImage(render({{0, 21}}), true);
    const std::vector<Image> parts = {filmImage(render({{13, 21}}), true), filmImage(render({{0, 13}}), true)};
    const Image merged = mergeImages(parts, {"b", "a"});
    expectMergedIsWhole(merged, whole);
    EXPECT_EQ(merged.attributes.at("aureole.samples"), "0:21");
}

/// Of more pixels than a buffer takes it is told how many would do, and how.
TEST_F(PathTracerTest, AFilmBeyondWhatABufferTakesIsRefused) {
    scene.film.aovs = AovSet::all();
    const DeviceScene onDevice(device(), scene, octree);
    View view = defaultView(scene);
    view.size = view.cropSize = {16384, 16384};
    const testing::Caught caught = testing::errorOf([&] { PathTracer(device(), onDevice, view); });
    EXPECT_EQ(caught.code, ExitCode::OutOfMemory);
    for (const std::string& part : {std::string("16384x16384 pixels"), std::string("--crop"), std::string("layers"),
                                    std::to_string(device().info().maxAllocationBytes)}) {
        EXPECT_TRUE(caught.names(part)) << caught.message;
    }
}

TEST_F(PathTracerTest, CropIsThatPartOfTheWholePicture) {
    const FilmSums whole = render({{0, 8}});
    View view = defaultView(scene);
    view.cropOrigin = {10, 5};
    view.cropSize = {13, 9};
    const FilmSums crop = render({{0, 8}}, {}, &view);
    for (std::size_t y = 0; y < 9; ++y) {
        for (std::size_t x = 0; x < 13 * 3; ++x) {
            ASSERT_EQ(crop.radiance[y * 39 + x], whole.radiance[(y + 5) * 37 * 3 + 30 + x]);
        }
    }
}

/// All strategies estimate the same picture. (Point lights are found by light sampling alone, so they are left out.)
TEST_F(PathTracerTest, StrategiesAgreeInTheMean) {
    scene.lights.clear();
    const PictureMean bsdf = meanBy(LightSampling::Bsdf);
    const PictureMean mis = meanBy(LightSampling::Mis);
    const PictureMean lights = meanBy(LightSampling::Lights);
    EXPECT_NEAR(bsdf.value, mis.value, 3.5 * (bsdf.error + mis.error));
    EXPECT_NEAR(lights.value, mis.value, 3.5 * (lights.error + mis.error));
    EXPECT_LT(mis.error, bsdf.error);
}

/// A ray that ignores its own sheet can enter an emissive voxel of the same floor from the side, by a face that no
/// light sample lies on: all that light is for scattered rays to bring.
TEST_F(PathTracerTest, StrategiesAgreeOnFacesBetweenSolidVoxels) {
    std::vector<glm::uvec3> floor;
    for (std::uint32_t i = 0; i < 256; ++i) {
        floor.emplace_back(i % 16, 4, i / 16);
    }
    octree = octreeOf(2, floor);
    octree.palette = emissivePalette({glm::vec3(4.0F, 2.0F, 1.0F)});
    octree.materialRuns = singleRun(2);
    const glm::vec3 tilted = glm::normalize(glm::vec3(1.0F, 1.0F, 0.0F));
    for (const glm::uvec3& voxel : floor) {
        const std::uint32_t emits = voxel.x == 8 && voxel.z % 8 == 4 ? 1 : 0;
        // A crease of which no more is known is never ignored.
        setSurface(
            octree, voxel,
            {glm::vec3(emits == 0 ? 1.0F : 0.0F), tilted, 1.0F, 0.0F, emits, tilted, emits, 0, 3 * emits, 0.0F, 0});
    }
    scene.lights.clear();
    scene.environment = Environment{};
    scene.voxels.normals = VoxelNormals::Smooth;
    // On the floor beside them only.
    scene.cameras[0].position = glm::dvec3(6.5, 25.0, 8.0);
    scene.cameras[0].target = glm::dvec3(6.5, 5.0, 8.001);
    scene.cameras[0].apertureRadius = 0.0;
    scene.cameras[0].verticalFov = 3.0;
    const PictureMean bsdf = meanBy(LightSampling::Bsdf);
    ASSERT_GT(bsdf.value, 20.0 * bsdf.error);
    const std::vector<LightSampling> all = {LightSampling::Mis, LightSampling::Lights};
    for (const LightSampling strategy : std::span(all).first(fullSweep() ? 2 : 1)) {
        const PictureMean other = meanBy(strategy);
        EXPECT_NEAR(other.value, bsdf.value, 3.5 * (other.error + bsdf.error)) << static_cast<int>(strategy);
    }
}

} // namespace
} // namespace aureole
