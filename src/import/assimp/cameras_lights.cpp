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
