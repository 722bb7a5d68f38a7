#include "scene/motion.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

#include "scene/scene.h"
#include "scene/view.h"

namespace aureole {

namespace {

double eased(Ease ease, double share) {
    switch (ease) {
    case Ease::In:
        return share * share;
    case Ease::Out:
        return share * (2.0 - share);
    case Ease::Both:
        return share * share * (3.0 - 2.0 * share);
    case Ease::None:
        break;
    }
    return share;
}

/// The angle of a key about an axis; none where it turns about another.
std::optional<double> angleAbout(const PoseKey& key, const glm::dvec3& axis) {
    constexpr double kSame = 1e-12;
    if (key.angle == 0.0) {
        return 0.0;
    }
    if (glm::length(key.axis - axis) <= kSame) {
        return key.angle;
    }
    return glm::length(key.axis + axis) <= kSame ? std::optional(-key.angle) : std::nullopt;
}

glm::dquat turnBetween(const PoseKey& from, const PoseKey& to, double share) {
    const glm::dvec3& axis = from.angle != 0.0 ? from.axis : to.axis;
    const std::optional<double> a = angleAbout(from, axis);
    const std::optional<double> b = angleAbout(to, axis);
    return a && b ? glm::angleAxis(*a + (*b - *a) * share, axis)
                  : glm::slerp(glm::angleAxis(from.angle, from.axis), glm::angleAxis(to.angle, to.axis), share);
}

/// What is posed in a model as an instance of that has it: instance * pose, where a mirror of the instance goes through
/// the turn.
InstancePose within(const InstancePose& instance, const ClipPose& pose) {
    const glm::dvec3 sides = glm::sign(instance.scale);
    const double turns = sides.x * sides.y * sides.z; // a mirror turns axes of turns round
    const glm::dquat turn(pose.turn.w, turns * sides.x * pose.turn.x, turns * sides.y * pose.turn.y,
                          turns * sides.z * pose.turn.z);
    return {instance.translation + instance.turn * (instance.scale * pose.translation), instance.turn * turn,
            instance.scale * pose.scale};
}

/// Where a clip has something at a time in frames.
InstancePose poseAt(const PlayedClip& clip, double moment) {
    const std::vector<ClipPose>& poses = *clip.poses;
    const double duration = poses.back().seconds;
    double seconds = clip.start + moment / clip.framesPerSecond;
    if (clip.loops && duration > 0.0) {
        seconds -= duration * std::floor(seconds / duration);
    }
    const auto after = std::upper_bound(poses.begin(), poses.end(), seconds,
                                        [](double second, const ClipPose& pose) { return second < pose.seconds; });
    if (after == poses.begin() || after == poses.end()) {
        return within(clip.instance, after == poses.begin() ? poses.front() : poses.back());
    }
    const ClipPose& from = *(after - 1);
    const double share = (seconds - from.seconds) / (after->seconds - from.seconds);
    return within(clip.instance,
                  {seconds, from.translation + (after->translation - from.translation) * share,
                   glm::slerp(from.turn, after->turn, share), from.scale + (after->scale - from.scale) * share});
}

} // namespace

double InstanceMotion::firstFrame() const {
    return clip ? -clip->start * clip->framesPerSecond : keys.front().frame;
}

double InstanceMotion::lastFrame() const {
    return clip ? firstFrame() + clip->poses->back().seconds * clip->framesPerSecond : keys.back().frame;
}

std::optional<InstancePose> evenPoseOf(const glm::dmat4& transform) {
    constexpr double kEven = 1e-9;
    const double size = std::cbrt(std::abs(glm::determinant(glm::dmat3(transform))));
    if (!(size > 0.0) || !std::isfinite(size)) {
        return std::nullopt;
    }
    InstancePose pose;
    pose.translation = glm::dvec3(transform[3]);
    pose.scale = glm::dvec3(size);
    glm::dmat3 axes = glm::dmat3(transform) / size;
    if (glm::determinant(axes) < 0.0) {
        pose.scale.x = -size;
        axes[0] = -axes[0];
    }
    const glm::dmat3 product = glm::transpose(axes) * axes;
    for (int i = 0; i < 3; ++i) {
        if (glm::length(product[i] - glm::dmat3(1.0)[i]) > kEven) {
            return std::nullopt;
        }
    }
    pose.turn = glm::normalize(glm::quat_cast(axes));
    return pose;
}

glm::dmat4 InstancePose::matrix() const {
    return glm::translate(glm::dmat4(1.0), translation) * glm::mat4_cast(turn) * glm::scale(glm::dmat4(1.0), scale);
}

InstancePose poseOf(const PoseKey& key) {
    return {key.translation, glm::angleAxis(key.angle, key.axis), key.scale};
}

InstancePose poseBetween(const PoseKey& from, const PoseKey& to, double share) {
    return {from.translation + (to.translation - from.translation) * share, turnBetween(from, to, share),
            from.scale + (to.scale - from.scale) * share};
}

InstancePose poseAt(const InstanceMotion& motion, double moment) {
    if (motion.clip) {
        return poseAt(*motion.clip, moment);
    }
    const std::vector<PoseKey>& keys = motion.keys;
    const auto after =
        std::upper_bound(keys.begin(), keys.end(), moment, [](double m, const PoseKey& key) { return m < key.frame; });
    if (after == keys.begin() || after == keys.end()) {
        return poseOf(after == keys.begin() ? keys.front() : keys.back());
    }
    const PoseKey& before = *(after - 1);
    const double share = (moment - before.frame) / (after->frame - before.frame);
    return poseBetween(before, *after, eased(before.ease, share));
}

glm::dmat4 transformAt(const Scene& scene, std::uint32_t motion, const glm::dmat4& still,
                       std::optional<double> moment) {
    if (motion == kNone || !moment) {
        return still;
    }
    const InstanceMotion& moves = scene.motions.at(motion);
    return poseAt(moves, *moment).matrix() * glm::inverse(moves.still.matrix()) * still;
}

std::optional<ShutterTimes> shutterTimes(const Scene& scene, const View& view) {
    if (!view.moment) {
        return std::nullopt;
    }
    return ShutterTimes{*view.moment + scene.film.shutterOpen, *view.moment + scene.film.shutterClose};
}

std::vector<PunctualLight> lightsAt(const Scene& scene, std::optional<double> moment) {
    std::vector<PunctualLight> lights = scene.lights;
    for (PunctualLight& light : lights) {
        if (light.motion != kNone && moment) {
            const glm::dmat4 move = transformAt(scene, light.motion, glm::dmat4(1.0), moment);
            light.position = move * glm::dvec4(light.position, 1.0);
            light.direction = glm::normalize(glm::dmat3(move) * light.direction);
        }
    }
    return lights;
}

Bounds boundsOfMotion(const InstanceMotion& motion, const Bounds& inInstance) {
    Bounds bounds = transformed(inInstance, motion.still.matrix());
    const glm::dvec3 corner = glm::max(glm::abs(inInstance.min), glm::abs(inInstance.max));
    for (std::size_t i = 0; i < motion.keys.size(); ++i) {
        const PoseKey& key = motion.keys[i];
        bounds.add(transformed(inInstance, poseOf(key).matrix()));
        if (i + 1 == motion.keys.size()) {
            break;
        }
        const PoseKey& next = motion.keys[i + 1];
        if (key.angle == next.angle && (key.axis == next.axis || key.angle == 0.0)) {
            continue; // corners go straight from here to there
        }
        const double radius = glm::length(corner * glm::max(glm::abs(key.scale), glm::abs(next.scale)));
        for (const PoseKey* end : {&key, &next}) {
            bounds.add(end->translation - radius);
            bounds.add(end->translation + radius);
        }
    }
    for (std::size_t i = 0; motion.clip && i < motion.clip->poses->size(); ++i) {
        const InstancePose pose = within(motion.clip->instance, (*motion.clip->poses)[i]);
        const InstancePose last = within(motion.clip->instance, (*motion.clip->poses)[i == 0 ? 0 : i - 1]);
        bounds.add(transformed(inInstance, pose.matrix()));
        if (pose.turn != last.turn) {
            const double radius = glm::length(corner * glm::max(glm::abs(pose.scale), glm::abs(last.scale)));
            bounds.add(glm::min(pose.translation, last.translation) - radius);
            bounds.add(glm::max(pose.translation, last.translation) + radius);
        }
    }
    return bounds;
}

} // namespace aureole
