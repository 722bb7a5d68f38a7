#include "import/assimp/cameras_lights.h"

#include <algorithm>
#include <cmath>

#include "core/log.h"
#include "import/assimp/convert.h"

namespace aureole {

namespace {

glm::dvec3 place(const glm::dmat4& world, const aiVector3D& point) {
    return glm::dvec3(world * glm::dvec4(glm::dvec3(toVec3(point)), 1.0));
}

glm::dvec3 turn(const glm::dmat4& world, const aiVector3D& direction, const glm::dvec3& otherwise) {
    const glm::dvec3 turned = glm::dmat3(world) * glm::dvec3(toVec3(direction));
    const double length = glm::length(turned);
    return length > 0.0 ? turned / length : otherwise;
}

} // namespace

Camera convertCamera(const aiCamera& source, const glm::dmat4& world) {
    Camera camera;
    camera.name = source.mName.C_Str();
    camera.position = place(world, source.mPosition);
    camera.target = camera.position + turn(world, source.mLookAt, {0.0, 0.0, -1.0});
    camera.up = turn(world, source.mUp, {0.0, 1.0, 0.0});
    const glm::dvec3 forward = camera.target - camera.position;
    if (glm::length(glm::cross(forward, camera.up)) < 1e-6) { // as good as no direction at all
        camera.up = std::abs(forward.y) < 0.5 ? glm::dvec3(0.0, 1.0, 0.0) : glm::dvec3(0.0, 0.0, -1.0);
    }
    // assimp 5.2 loses the angle of COLLADA cameras and gives its default with degrees taken for radians.
    constexpr double kLeastAngle = 0.02;
    if (!(double{source.mHorizontalFOV} >= kLeastAngle)) {
        logWarning("camera '{}': its angle of view cannot be read, {} degrees are used", camera.name,
                   camera.verticalFov);
        return camera;
    }
    // The header calls the angle half of what the importers store: the whole horizontal angle.
    constexpr double kUsualAspect = 16.0 / 9.0;
    const double aspect = source.mAspect > 0.0F ? double{source.mAspect} : kUsualAspect;
    const double horizontal = std::min(double{source.mHorizontalFOV}, kPi - kLeastAngle);
    camera.verticalFov = glm::degrees(2.0 * std::atan(std::tan(0.5 * horizontal) / aspect));
    return camera;
}

std::optional<Camera> convert3dsCamera(aiCamera source, const glm::dmat4& world) {
    if (source.mLookAt == aiVector3D(0.0F, 0.0F, 1.0F)) {
        logWarning("camera '{}': where a camera looks whose target has keys is not read of 3DS files, it is left out",
                   source.mName.C_Str());
        return {};
    }
    source.mUp = {0.0F, 0.0F, 1.0F};
    constexpr double kAngleByLens = 2400.0; // degrees times millimetres, as 3DS files have it
    const double lens = glm::degrees(double{source.mHorizontalFOV});
    source.mHorizontalFOV = static_cast<float>(lens > 0.0 ? glm::radians(kAngleByLens / lens) : 0.0);
    return convertCamera(source, world);
}

bool isPunctual(const aiLight& source) {
    return source.mType == aiLightSource_POINT || source.mType == aiLightSource_SPOT ||
           source.mType == aiLightSource_DIRECTIONAL;
}

PunctualLight convertLight(const aiLight& source, const glm::dmat4& world) {
    PunctualLight light;
    light.name = source.mName.C_Str();
    light.type = source.mType == aiLightSource_POINT
                     ? LightType::Point
                     : (source.mType == aiLightSource_SPOT ? LightType::Spot : LightType::Directional);
    light.position = place(world, source.mPosition);
    light.direction = turn(world, source.mDirection, {0.0, -1.0, 0.0});
    light.intensity = toVec3(source.mColorDiffuse);
    // assimp's cones are whole angles, ours go from the axis.
    if (light.type == LightType::Spot) {
        light.outerConeAngle = std::clamp(glm::degrees(0.5 * double{source.mAngleOuterCone}), 0.0, 90.0);
        light.innerConeAngle =
            std::clamp(glm::degrees(0.5 * double{source.mAngleInnerCone}), 0.0, light.outerConeAngle);
    }
    return light;
}

} // namespace aureole
