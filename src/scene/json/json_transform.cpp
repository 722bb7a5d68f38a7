// Where instances stand, and how they move: "translate", "rotate", "scale", "matrix" and "keys".

#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>

#include "scene/json/scene_draft.h"

namespace aureole {

namespace {

glm::dmat4 rotationOf(double degrees, const glm::dvec3& axis) {
    return glm::rotate(glm::dmat4(1.0), degrees * kPi / 180.0, axis);
}

/// Angles about X, then Y, then Z, in degrees, or {"axis", "angle"}.
glm::dmat4 readRotation(const ValueReader& value) {
    if (!value.json().is_object()) {
        glm::dvec3 angles{0.0};
        value.read(angles);
        return rotationOf(angles.z, {0.0, 0.0, 1.0}) * rotationOf(angles.y, {0.0, 1.0, 0.0}) *
               rotationOf(angles.x, {1.0, 0.0, 0.0});
    }
    glm::dvec3 axis{0.0};
    double angle = 0.0;
    bool good = false;
    value.readObject([&](ObjectReader& in) {
        const auto axisValue = in.require("axis");
        const auto angleValue = in.require("angle");
        good = axisValue && axisValue->read(axis);
        good = angleValue && angleValue->read(angle, {}) && good;
        if (good && glm::length(axis) < 1e-12) {
            axisValue->expected("an axis of a length above 0");
            good = false;
        }
    });
    return good ? rotationOf(angle, glm::normalize(axis)) : glm::dmat4(1.0);
}

/// One factor or three. Negative ones mirror; 0 would flatten the asset.
glm::dvec3 readScale(const ValueReader& value) {
    glm::dvec3 scale{1.0};
    if (value.json().is_array()) {
        value.read(scale);
    } else {
        double factor = 1.0;
        value.read(factor, {});
        scale = glm::dvec3(factor);
    }
    if (scale.x * scale.y * scale.z == 0.0) {
        value.expected("factors other than 0");
        return glm::dvec3(1.0);
    }
    return scale;
}

/// 16 numbers, column by column as in glTF.
glm::dmat4 readMatrix(const ValueReader& value) {
    std::array<double, 16> numbers{};
    if (!value.readNumbers(numbers.data(), numbers.size(), {})) {
        return glm::dmat4(1.0);
    }
    glm::dmat4 matrix(1.0);
    for (glm::length_t column = 0; column < 4; ++column) {
        for (glm::length_t row = 0; row < 4; ++row) {
            matrix[column][row] = numbers[4 * static_cast<std::size_t>(column) + static_cast<std::size_t>(row)];
        }
    }
    if (numbers[3] != 0.0 || numbers[7] != 0.0 || numbers[11] != 0.0 || numbers[15] != 1.0) {
        value.expected("an affine matrix, column by column: every fourth number 0, the last one 1");
    } else if (glm::determinant(glm::dmat3(matrix)) == 0.0) {
        value.expected("a matrix that can be inverted");
    }
    return matrix;
}

/// "rotate" as one angle about an axis. Angles about one of X, Y and Z alone stay as many turns as they are.
void keepTurn(const ValueReader& value, const glm::dmat4& matrix, PoseKey& key) {
    const Json& json = value.json();
    if (json.is_object()) {
        ValueReader(json["axis"], value.pointer(), value.log()).read(key.axis);
        key.axis = glm::normalize(key.axis);
        key.angle = glm::radians(json["angle"].get<double>());
        return;
    }
    int axes = 0;
    for (int i = 0; i < 3; ++i) {
        const double angle = json[static_cast<std::size_t>(i)].get<double>();
        if (angle != 0.0) {
            ++axes;
            key.axis = glm::dvec3(0.0);
            key.axis[i] = 1.0;
            key.angle = glm::radians(angle);
        }
    }
    if (axes > 1) {
        const glm::dquat turn = glm::quat_cast(glm::dmat3(matrix));
        key.angle = glm::angle(turn);
        key.axis = glm::axis(turn);
    } else if (axes == 0) {
        key.angle = 0.0;
    }
}

/// Lays what an object says of a pose over `key`.
void readPose(ObjectReader& in, PoseKey& key) {
    in.vector("translate", key.translation);
    const std::size_t before = in.log().problems.size();
    if (const auto rotate = in.find("rotate")) {
        const glm::dmat4 matrix = readRotation(*rotate);
        if (in.log().problems.size() == before) {
            keepTurn(*rotate, matrix, key);
        }
    }
    if (const auto scale = in.find("scale")) {
        key.scale = readScale(*scale);
    }
}

/// Notes where a key is not as it may be behind the last one. Both are at frames that were read.
void checkKeyAfter(const ObjectReader& in, const PoseKey& last, const PoseKey& key) {
    if (key.frame <= last.frame) {
        in.problem(fmt::format("found frame {} after frame {}, expected ascending frames", key.frame, last.frame));
    }
    const glm::dvec3 product = key.scale * last.scale;
    if (!(product.x > 0.0 && product.y > 0.0 && product.z > 0.0)) {
        in.problem(in.has("scale") ? "scale" : "frame",
                   fmt::format("found factors of a sign other than those of the key of frame {}, expected the same: "
                               "between them the asset would be flat",
                               last.frame));
    }
}

} // namespace

glm::dmat4 readTransform(ObjectReader& in) {
    const auto matrix = in.find("matrix");
    if (matrix && (in.has("translate") || in.has("rotate") || in.has("scale"))) {
        matrix->expected("either 'matrix' alone or 'translate', 'rotate' and 'scale'");
    }
    glm::dvec3 translation{0.0};
    in.vector("translate", translation);
    const auto rotate = in.find("rotate");
    const auto scale = in.find("scale");
    if (matrix) {
        return readMatrix(*matrix);
    }
    return glm::translate(glm::dmat4(1.0), translation) * (rotate ? readRotation(*rotate) : glm::dmat4(1.0)) *
           glm::scale(glm::dmat4(1.0), scale ? readScale(*scale) : glm::dvec3(1.0));
}

std::uint32_t readMotion(const std::string& name, ObjectReader& in, SceneDraft& draft) {
    const auto keys = in.find("keys");
    if (!keys) {
        return kNone;
    }
    if (in.has("matrix")) {
        keys->expected("no keys beside 'matrix': they move what 'translate', 'rotate' and 'scale' place");
        return kNone;
    }
    InstanceMotion motion;
    motion.name = name;
    PoseKey still;
    if (in.log().problems.empty()) { // else they have been told of
        readPose(in, still);
    }
    motion.still = poseOf(still);
    std::optional<PoseKey> last;
    const bool read = keys->readArray([&](const ValueReader& element) {
        element.readObject([&](ObjectReader& object) {
            PoseKey key = still;
            const bool hasFrame = object.require("frame") && object.integer("frame", key.frame, 0, kMaximumFrames - 1);
            readPose(object, key);
            object.choice<Ease>("ease", key.ease,
                                {{"none", Ease::None}, {"in", Ease::In}, {"out", Ease::Out}, {"both", Ease::Both}});
            if (hasFrame && last) {
                checkKeyAfter(object, *last, key);
            }
            last = hasFrame ? key : last;
            motion.keys.push_back(key);
        });
    });
    if (read && motion.keys.empty()) {
        keys->expected("at least one key");
    }
    if (motion.keys.empty()) {
        return kNone;
    }
    draft.scene.motions.push_back(std::move(motion));
    return static_cast<std::uint32_t>(draft.scene.motions.size() - 1);
}

} // namespace aureole
