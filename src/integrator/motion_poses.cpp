#include "integrator/motion_poses.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "integrator/camera_params.h"

namespace aureole {

namespace {

constexpr std::uint32_t kMostSteps = 32;
/// Of what turns by more than half a turn between poses, which would seem to turn the other way, or not at all.
constexpr std::uint32_t kMostStepsOfTurns = 512;
/// By how much a pose may be off, as a share of the scene's size, and in radians.
constexpr double kMostError = 1e-5;

/// Where poses are looked at between two that are kept. Whole turns show at the outer ones, however many there are:
/// multiples of these shares stay away from whole numbers.
constexpr std::array<double, 3> kShares = {0.2763932022500210, 0.5, 0.7236067977499790};

/// Whether a pose at a share of the way between two others is what paths make of these.
bool liesBetween(const InstancePose& from, const InstancePose& at, const InstancePose& to, double share, double size) {
    const glm::dvec3 place = from.translation + (to.translation - from.translation) * share;
    const glm::dvec3 scale = from.scale + (to.scale - from.scale) * share;
    const double most = kMostError * size;
    return glm::length(place - at.translation) <= most &&
           glm::length(scale - at.scale) <= kMostError * glm::length(at.scale) &&
           angleOfTurn(glm::slerp(from.turn, to.turn, share), at.turn) <= kMostError;
}

bool suffices(const PoseOverTime& moves, const PoseTimes& times, double size) {
    InstancePose from = moves(times.at(0));
    for (std::uint32_t step = 0; step < times.steps; ++step) {
        const InstancePose to = moves(times.at(step + 1));
        for (const double share : kShares) {
            const InstancePose at = moves(times.shutter.at((step + share) / times.steps));
            if (!liesBetween(from, at, to, share, size)) {
                return false;
            }
        }
        from = to;
    }
    return true;
}

/// Whether turns are lost in a quarter of the steps or more. (One that jumps, such as a clip that begins again, loses
/// that step, however many there are.)
bool losesTurns(const PoseOverTime& moves, const PoseTimes& times) {
    constexpr double kLost = 0.1;
    std::uint32_t lost = 0;
    glm::dquat from = moves(times.at(0)).turn;
    for (std::uint32_t step = 0; step < times.steps; ++step) {
        const glm::dquat to = moves(times.at(step + 1)).turn;
        const bool follows = std::all_of(kShares.begin(), kShares.end(), [&](double share) {
            const glm::dquat at = moves(times.shutter.at((step + share) / times.steps)).turn;
            return angleOfTurn(glm::slerp(from, to, share), at) <= kLost;
        });
        lost += follows ? 0 : 1;
        from = to;
    }
    return 4 * lost >= times.steps;
}

} // namespace

double angleOfTurn(const glm::dquat& from, const glm::dquat& to) {
    // Of the quaternions it is half as large; by both lengths it is accurate where it is small too.
    const glm::dquat near = glm::dot(from, to) < 0.0 ? -to : to;
    return 4.0 * std::atan2(glm::length(from - near), glm::length(from + near));
}

PoseTimes poseTimesFor(std::span<const PoseOverTime> moving, const ShutterTimes& shutter, double size) {
    PoseTimes times{shutter, 1};
    for (const PoseOverTime& moves : moving) {
        while (shutter.blurs() && times.steps < kMostSteps && !suffices(moves, times, size)) {
            times.steps *= 2;
        }
        while (times.steps >= kMostSteps && times.steps < kMostStepsOfTurns && losesTurns(moves, times)) {
            times.steps *= 2;
        }
    }
    return times;
}

void addMotionPoses(const PoseOverTime& moves, const PoseTimes& times, const Space& space, const glm::dvec3& unit,
                    const glm::dvec3& middle, std::vector<shared::MotionPose>& poses) {
    glm::dquat last(1.0, 0.0, 0.0, 0.0);
    for (std::uint32_t step = 0; step <= times.steps; ++step) {
        const InstancePose pose = moves(times.at(step));
        glm::dquat turn = glm::normalize(pose.turn);
        if (step > 0) {
            turn = glm::dot(last, turn) < 0.0 ? -turn : turn;
            poses.back().angle = static_cast<float>(0.5 * angleOfTurn(last, turn));
        }
        last = turn;
        shared::MotionPose& added = poses.emplace_back();
        added.turn = {turn.x, turn.y, turn.z, turn.w};
        added.place = space.point(pose.translation);
        added.size = pose.scale * unit;
        added.middle = middle;
    }
}

PoseOverTime cameraMotion(const Scene& scene, const View& view) {
    return [&scene, view](double moment) {
        View at = view;
        at.moved = view.moment ? cameraAtFrame(scene, moment) : cameraOf(scene, view);
        const CameraAxes axes = cameraAxes(scene, at);
        const glm::dmat3 turn(axes.right, axes.up, -axes.forward);
        return InstancePose{at.moved->position, glm::quat_cast(turn), {axes.halfWidth, axes.halfHeight, axes.focus}};
    };
}

bool blursCamera(const Scene& scene) {
    return scene.film.blurs() && scene.animation && scene.animation->movesCamera();
}

std::vector<shared::MotionPose> makeCameraPoses(const Scene& scene, const View& view, const PoseTimes& times,
                                                const Space& space) {
    const bool flat = cameraOf(scene, view).projection == Projection::Orthographic;
    const double across = flat ? space.scale : 1.0;
    std::vector<shared::MotionPose> poses;
    addMotionPoses(cameraMotion(scene, view), times, space, {across, across, space.scale}, glm::dvec3(0.0), poses);
    return poses;
}

} // namespace aureole
