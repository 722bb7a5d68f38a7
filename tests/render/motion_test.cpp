// Instances that move, from frame to frame and while the shutter is open, on the device.

#include <vector>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "grid_scenes.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "statistics.h"

namespace aureole {
namespace {

class MotionOnDevice : public gpu::GpuTest {};

PoseKey keyAt(std::uint32_t frame, const glm::dvec3& translation, double degrees, const glm::dvec3& scale) {
    PoseKey key;
    key.frame = frame;
    key.translation = translation;
    key.axis = glm::normalize(glm::dvec3(1.0, 2.0, 3.0));
    key.angle = glm::radians(degrees);
    key.scale = scale;
    return key;
}

/// A lamp over a floor: both matt and bright, so that they light each other.
Scene lampOverFloor(const PoseKey& still, const std::vector<PoseKey>& keys) {
    Scene scene = mattScene(0.5F, 0.25F, 0.5F);
    const std::uint32_t floor = addGrid(scene, boxMesh({-2.0F, -0.25F, -2.0F}, {2.0F, 0.0F, 2.0F}), 0, 16);
    const std::uint32_t lamp = addGrid(scene, boxMesh(glm::vec3(-0.4F, -0.2F, -0.1F), {0.6F, 0.2F, 0.3F}), 0, 16);
    placeGrid(scene, floor, glm::dmat4(1.0));
    placeMoving(scene, lamp, still, keys);
    scene.cameras = {cameraAt({1.0, 3.0, 6.0}, {0.0, 0.5, 0.0}, 40.0)};
    return scene;
}

/// At a frame an instance, and what it lights, is as one that stands in that place, to the byte: all frames are in one
/// space.
TEST_F(MotionOnDevice, AFrameIsThatOfWhatStandsThere) {
    const std::vector<PoseKey> keys = {keyAt(0, {-1.0, 0.5, 0.0}, 0.0, glm::dvec3(1.0)),
                                       keyAt(4, {1.0, 1.5, 0.5}, 80.0, {1.0, 2.0, 1.5})};
    const PoseKey between = keyAt(0, {0.0, 1.0, 0.25}, 40.0, {1.0, 1.5, 1.25});
    const Scene moves = lampOverFloor(keys[0], keys);
    const Scene stands = lampOverFloor(between, keys);
    const std::vector<Octree> octrees = octreesOf(moves);
    const FilmSums frame = renderFrame(device(), moves, octrees, 2.0, 8);
    expectSameSums(frame, renderGrids(device(), stands, octrees, 8));
    // One scene goes from frame to frame, and back to none.
    DeviceScene scene(device(), moves, octrees);
    View view = defaultView(moves);
    view.moment = 3.0;
    PathTracer tracer(device(), scene.moveTo(device(), view), view);
    tracer.render(0, 8, [](double) { return true; });
    EXPECT_NE(tracer.film().radiance, frame.radiance);
    view.moment = 2.0;
    scene.moveTo(device(), view);
    tracer.setView(view);
    tracer.render(0, 8, [](double) { return true; });
    expectSameSums(tracer.film(), frame);
    view.moment.reset();
    scene.moveTo(device(), view);
    tracer.setView(view);
    tracer.render(0, 8, [](double) { return true; });
    expectSameSums(tracer.film(), renderGrids(device(), moves, octrees, 8));
}

} // namespace
} // namespace aureole
