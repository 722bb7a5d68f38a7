#include "scene/animation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>

#include "core/error.h"
#include "scene/scene.h"

namespace aureole {

namespace {

/// All that a key says, as one vector.
using KeyValues = std::array<double, 12>;

KeyValues valuesOf(const CameraKey& key, bool ownFocus) {
    const double focus =
        ownFocus && key.focusDistance <= 0.0 ? glm::length(key.target - key.position) : key.focusDistance;
    return {key.position.x, key.position.y, key.position.z, key.target.x,    key.target.y, key.target.z,
            key.up.x,       key.up.y,       key.up.z,       key.verticalFov, key.height,   focus};
}

KeyValues mixed(const KeyValues& a, const KeyValues& b, double t) {
    KeyValues result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = a[i] + (b[i] - a[i]) * t;
    }
    return result;
}

/// How far apart two keys are for the eye: by position and target.
double distance(const KeyValues& a, const KeyValues& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 6; ++i) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return std::sqrt(sum);
}

/// The spline through four points, at `t` of the way from the second to the third.
KeyValues catmullRom(const std::array<KeyValues, 4>& p, double t) {
    std::array<double, 4> knots{};
    const double middle = std::sqrt(distance(p[1], p[2]));
    for (std::size_t i = 1; i < 4; ++i) {
        // Of neighbouring keys in one place, the knots stay apart all the same.
        knots[i] = knots[i - 1] + std::max(std::sqrt(distance(p[i - 1], p[i])), 1e-3 * middle);
    }
    const double at = knots[1] + (knots[2] - knots[1]) * t;
    const auto between = [&](const KeyValues& a, const KeyValues& b, std::size_t low, std::size_t high) {
        return mixed(a, b, (at - knots[low]) / (knots[high] - knots[low]));
    };
    const KeyValues a1 = between(p[0], p[1], 0, 1);
    const KeyValues a2 = between(p[1], p[2], 1, 2);
    const KeyValues a3 = between(p[2], p[3], 2, 3);
    return between(between(a1, a2, 0, 2), between(a2, a3, 1, 3), 1, 2);
}

KeyValues onPath(const Animation& animation, double frame) {
    const std::vector<CameraKey>& keys = animation.keys;
    const bool ownFocus =
        std::any_of(keys.begin(), keys.end(), [](const CameraKey& key) { return key.focusDistance > 0.0; });
    const auto values = [&](std::size_t i) { return valuesOf(keys[i], ownFocus); };
    const auto after =
        std::upper_bound(keys.begin(), keys.end(), frame, [](double f, const CameraKey& key) { return f < key.frame; });
    if (after == keys.begin() || after == keys.end()) {
        return values(after == keys.begin() ? 0 : keys.size() - 1);
    }
    const auto second = static_cast<std::size_t>(after - keys.begin());
    const std::size_t first = second - 1;
    const KeyValues a = values(first);
    const KeyValues b = values(second);
    const double t = (frame - keys[first].frame) / (keys[second].frame - keys[first].frame);
    // A camera that stands still stays so, whatever its neighbours do.
    if (!animation.smooth || distance(a, b) == 0.0) {
        return mixed(a, b, t);
    }
    // Beyond the ends the path goes on as it came.
    const KeyValues before = first > 0 ? values(first - 1) : mixed(b, a, 2.0);
    const KeyValues beyond = second + 1 < keys.size() ? values(second + 1) : mixed(a, b, 2.0);
    return catmullRom({before, a, b, beyond}, t);
}

Camera onTurntable(const Animation& animation, Camera camera, double frame) {
    const double angle = glm::radians(animation.degrees) * frame / animation.frames;
    const glm::dmat3 turn(glm::rotate(glm::dmat4(1.0), angle, animation.axis));
    camera.position = animation.centre + turn * (camera.position - animation.centre);
    camera.target = animation.centre + turn * (camera.target - animation.centre);
    camera.up = turn * camera.up;
    return camera;
}

/// Where the camera is at a frame, be it a place to look from or not.
Camera placeAtFrame(const Scene& scene, double frame) {
    const Animation& animation = scene.animation.value();
    Camera camera = scene.cameras.at(animation.camera);
    if (animation.kind == AnimationKind::Turntable) {
        return onTurntable(animation, camera, frame);
    }
    if (animation.keys.empty()) {
        return camera;
    }
    const KeyValues v = onPath(animation, frame);
    camera.position = {v[0], v[1], v[2]};
    camera.target = {v[3], v[4], v[5]};
    camera.up = {v[6], v[7], v[8]};
    // A spline may leave the range that its keys are in.
    camera.verticalFov = std::clamp(v[9], kMinimumFov, kMaximumFov);
    camera.height = std::max(v[10], 1e-6);
    camera.focusDistance = std::max(v[11], 0.0);
    return camera;
}

std::optional<std::string> faultOf(const Camera& camera, double frame) {
    const glm::dvec3 axis = camera.target - camera.position;
    if (glm::length(axis) == 0.0) {
        return fmt::format("found 'target' equal to 'position' for the camera '{}' at frame {:g}, expected them apart",
                           camera.name, frame);
    }
    if (glm::length(glm::cross(axis, camera.up)) <= 1e-9 * glm::length(axis) * glm::length(camera.up)) {
        return fmt::format("found 'up' zero or parallel to the view axis of the camera '{}' at frame {:g}, expected it "
                           "to point aside",
                           camera.name, frame);
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> faultOfFrame(const Scene& scene, std::uint32_t frame) {
    return faultOf(placeAtFrame(scene, frame), frame);
}

Camera cameraAtFrame(const Scene& scene, double frame) {
    Camera camera = placeAtFrame(scene, frame);
    if (const std::optional<std::string> fault = faultOf(camera, frame)) {
        fail(ExitCode::BadInput, "{}: /animation: {}", scene.file.string(), *fault);
    }
    return camera;
}

} // namespace aureole
