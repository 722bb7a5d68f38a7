#pragma once

// How instances move: by keys at frames of an animation.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <glm/gtc/quaternion.hpp>

#include "core/math.h"
#include "import/import.h"
#include "model/light.h"

namespace aureole {

struct Scene;
struct View;

/// How far something has come between two keys, by the share of the time that is over.
enum class Ease {
    None, ///< evenly
    In,   ///< by the square of that share, as what falls
    Out,  ///< as what is thrown up: In, backwards
    Both, ///< from rest to rest, 3 t^2 - 2 t^3
};

/// Where an instance is at a frame. Applied in this order: scale, turn, translation.
struct PoseKey {
    std::uint32_t frame = 0;
    glm::dvec3 translation{0.0};
    glm::dvec3 axis{0.0, 1.0, 0.0}; ///< unit length
    double angle = 0.0;             ///< radians, counter-clockwise about the axis; may be several turns
    glm::dvec3 scale{1.0};          ///< of no factor 0
    Ease ease = Ease::None;         ///< on the way to the next key
};

/// The same at any time.
struct InstancePose {
    glm::dvec3 translation{0.0};
    glm::dquat turn{1.0, 0.0, 0.0, 0.0};
    glm::dvec3 scale{1.0};

    glm::dmat4 matrix() const;
};

/// The time that a picture takes, in frames: of one that nothing blurs, a moment.
struct ShutterTimes {
    double open = 0.0;
    double close = 0.0;

    bool blurs() const { return close > open; }
    double middle() const { return 0.5 * (open + close); }
    /// The time at a share of it.
    double at(double share) const { return open + (close - open) * share; }
};

/// How a clip of a model file moves a part of it, in an instance that is not stretched by different factors.
struct PlayedClip {
    std::shared_ptr<const std::vector<ClipPose>> poses; ///< in the model
    InstancePose instance;                              ///< of the model; factors are equal but for signs
    double start = 0.0;                                 ///< the second that frame 0 shows
    double framesPerSecond = 24.0;
    bool loops = true; ///< it begins again behind its end; else it stays there
};

/// How one instance moves: by keys, or as a clip has it.
struct InstanceMotion {
    std::string name;          ///< of the instance
    InstancePose still;        ///< where it is in a picture that is no frame of an animation
    std::vector<PoseKey> keys; ///< at least one, their frames ascending; none where there is a clip
    std::optional<PlayedClip> clip;

    /// The frames from where to where it moves, of a clip once.
    double firstFrame() const;
    double lastFrame() const;
};

InstancePose poseOf(const PoseKey& key);

/// A transform as a pose; none where it stretches by different factors, or has no inverse.
std::optional<InstancePose> evenPoseOf(const glm::dmat4& transform);

/// The pose between two keys, of which `share` of the way is gone. Where both turn about one axis, or one of them not
/// at all, the angle goes evenly from one to the other, be it several turns; else the instance turns by the shorter
/// way about one axis (Shoemake, "Animating Rotation with Quaternion Curves", 1985).
InstancePose poseBetween(const PoseKey& from, const PoseKey& to, double share);

/// The pose at a time, in frames, which need not be whole; before the first key and after the last one, theirs, but of
/// a clip that begins again.
InstancePose poseAt(const InstanceMotion& motion, double moment);

/// The transform of an instance, or of what is in it, at a time, where `still` is that of a picture that is no frame.
/// `motion` is an index into Scene::motions, or kNone. Without a moment, and of what does not move, it is `still`.
glm::dmat4 transformAt(const Scene& scene, std::uint32_t motion, const glm::dmat4& still, std::optional<double> moment);

/// When the shutter is open for a view; none of a picture that is no frame, in which nothing moves.
std::optional<ShutterTimes> shutterTimes(const Scene& scene, const View& view);

/// The scene's punctual lights, where those that move with instances are at that time.
std::vector<PunctualLight> lightsAt(const Scene& scene, std::optional<double> moment);

/// What bounds become wherever an instance gets in its motion: at least that.
Bounds boundsOfMotion(const InstanceMotion& motion, const Bounds& inInstance);

} // namespace aureole
