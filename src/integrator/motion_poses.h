#pragma once

// From what moves while the shutter is open to the poses that paths read (shared/path/motion_pose.h).

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/motion_pose.h"

namespace aureole {

/// The pose of something, in the world, at a time in frames.
using PoseOverTime = std::function<InstancePose(double moment)>;

/// When poses are taken: at `steps` + 1 times, from opening to closing.
struct PoseTimes {
    ShutterTimes shutter;
    std::uint32_t steps = 1;

    double at(std::uint32_t step) const { return shutter.at(static_cast<double>(step) / steps); }
};

/// The angle between two turns, in radians: that of the shorter way.
double angleOfTurn(const glm::dquat& from, const glm::dquat& to);

/// The fewest steps, a power of two up to 32, between which poses go as shared::poseAt has them: to within 1e-5 of
/// `size`, which is that of the scene, and of a radian. What turns faster than that can follow has up to 512.
PoseTimes poseTimesFor(std::span<const PoseOverTime> moving, const ShutterTimes& shutter, double size);

/// Adds the poses of what moves, in a backend's space: `unit` is what lengths of it are multiplied by, along its axes,
/// and `middle` stands in MotionPose::middle.
void addMotionPoses(const PoseOverTime& moves, const PoseTimes& times, const Space& space, const glm::dvec3& unit,
                    const glm::dvec3& middle, std::vector<shared::MotionPose>& poses);

/// The camera of a view, whose scale is half the width and the height of the picture, at distance 1 from the lens or,
/// orthographic, in metres, and the distance of the focus. Throws Error (BadInput) at times when it sees nothing.
PoseOverTime cameraMotion(const Scene& scene, const View& view);

/// Whether the camera moves while the shutter is open, in frames of an animation.
bool blursCamera(const Scene& scene);

/// The poses of the camera of a view, for PathParams::cameraPoses.
std::vector<shared::MotionPose> makeCameraPoses(const Scene& scene, const View& view, const PoseTimes& times,
                                                const Space& space);

} // namespace aureole
