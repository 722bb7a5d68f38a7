#include "scene/json/model_stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace aureole {

namespace {

constexpr double kFieldOfView = 30.0; ///< degrees: a portrait lens, so that near parts do not swell
constexpr double kMargin = 1.12;      ///< the frame's size over the model's: as much as shows where it stands

/// The direction from the model to what stands at these angles, in degrees.
glm::dvec3 directionAt(double azimuth, double elevation) {
    const double turn = glm::radians(azimuth);
    const double up = glm::radians(elevation);
    return {std::sin(turn) * std::cos(up), std::sin(up), std::cos(turn) * std::cos(up)};
}

struct Lamp {
    const char* name;
    double azimuth; ///< from the camera's to the right
    double elevation;
    double diameter;
    glm::dvec3 irradiance;
};

/// Softboxes and what is around them.
struct Studio {
    std::array<Lamp, 3> lamps;    ///< key, fill and rim
    std::optional<double> zenith; ///< radiance straight up; without, that of the floor
    double floorAlbedo;
};

constexpr Studio kStudio = {{{{"key", -62.0, 45.0, 28.0, {3.8, 3.7, 3.5}},
                              {"fill", 50.0, 25.0, 70.0, {0.2, 0.215, 0.24}},
                              {"rim", 155.0, 35.0, 24.0, {2.1, 2.1, 2.2}}}},
                            0.05,
                            0.2};
constexpr Studio kWhite = {{{{"key", -58.0, 58.0, 45.0, {1.5, 1.47, 1.43}},
                             {"fill", 50.0, 25.0, 80.0, {0.08, 0.085, 0.09}},
                             {"rim", 160.0, 56.0, 40.0, {1.1, 1.1, 1.12}}}},
                           0.35,
                           0.85};

/// Puts a sky into the scene that goes to `zenith` straight up, and a floor under lamps that bring it that irradiance,
/// whose radiance L, which this returns, goes on at the horizon and below. As environments of the type 'gradient' go
/// from L to z, L + (z - L) sqrt(cos), the sky brings the floor pi (0.2 L + 0.8 z), so that
/// L = albedo (0.2 L + 0.8 z + E / pi), or, where z is L too, albedo (L + E / pi).
glm::dvec3 addBackdrop(Json& scene, double albedo, const std::optional<double>& zenith, const glm::dvec3& irradiance) {
    const glm::dvec3 floor = zenith ? albedo * (0.8 * *zenith + irradiance / kPi) / (1.0 - 0.2 * albedo)
                                    : albedo * irradiance / kPi / (1.0 - albedo);
    scene["environment"] = {{"type", "gradient"},
                            {"zenith", toJson(zenith ? glm::dvec3(*zenith) : floor)},
                            {"horizon", toJson(floor)},
                            {"ground", toJson(floor)}};
    scene["materials"]["floor"] = {{"albedo", albedo}};
    return floor;
}

/// Returns the floor's radiance.
glm::dvec3 addStudio(Json& scene, const Studio& studio, const ModelView& view) {
    glm::dvec3 irradiance(0.0);
    for (const Lamp& lamp : studio.lamps) {
        irradiance += lamp.irradiance * std::sin(glm::radians(lamp.elevation));
    }
    const glm::dvec3 floor = addBackdrop(scene, studio.floorAlbedo, studio.zenith, irradiance);
    for (const Lamp& lamp : studio.lamps) {
        scene["environment"]["softboxes"][lamp.name] = {
            {"direction", toJson(directionAt(view.azimuth + lamp.azimuth, lamp.elevation))},
            {"angularDiameter", lamp.diameter},
            {"irradiance", toJson(lamp.irradiance)}};
    }
    return floor;
}

/// What a light brings a surface there that faces it, or has that normal, as if it were no nearer than `nearest`, which
/// is above 0. Cones have no soft edge here.
glm::dvec3 irradianceAt(const PunctualLight& light, const glm::dvec3& place, double nearest,
                        const std::optional<glm::dvec3>& normal = {}) {
    const bool isFar = light.type == LightType::Directional;
    const double distance = isFar ? 1.0 : glm::length(place - light.position);
    const glm::dvec3 way = isFar            ? light.direction
                           : distance > 0.0 ? (place - light.position) / distance
                                            : light.direction;
    if (light.type == LightType::Spot &&
        glm::dot(way, light.direction) < std::cos(glm::radians(light.outerConeAngle))) {
        return glm::dvec3(0.0);
    }
    const double cosine = normal ? std::max(-glm::dot(way, *normal), 0.0) : 1.0;
    const double counted = isFar ? 1.0 : std::max(distance, nearest);
    return glm::dvec3(light.intensity) * cosine / (counted * counted);
}

/// The simulated sky goes on below the horizon as ground of its albedo.
void addOutdoor(Json& scene, const ModelView& view) {
    constexpr double kGround = 0.3;
    // Azimuths of skies are counted from -Z to +X.
    scene["environment"] = {{"type", "sky"},
                            {"turbidity", 3},
                            {"groundAlbedo", kGround},
                            {"sun", {{"elevation", 42}, {"azimuth", 180.0 - (view.azimuth - 50.0)}}}};
    scene["materials"]["floor"] = {{"albedo", kGround}};
}

} // namespace

Json framedCamera(const std::vector<glm::dvec3>& points, const ModelView& view, double aspect) {
    const glm::dvec3 forward = -directionAt(view.azimuth, view.elevation);
    // Seen from straight above or below, the front is the lower edge or the upper one.
    const bool vertical = std::abs(forward.y) > 0.9999;
    const glm::dvec3 above =
        vertical ? directionAt(view.azimuth, 0.0) * (forward.y < 0.0 ? -1.0 : 1.0) : glm::dvec3(0.0, 1.0, 0.0);
    const glm::dvec3 right = glm::normalize(glm::cross(forward, above));
    const glm::dvec3 up = glm::cross(right, forward);
    const double tangentY = std::tan(0.5 * glm::radians(kFieldOfView)) / kMargin;
    const glm::dvec2 tangent(tangentY * aspect, tangentY);
    Bounds box;
    std::for_each(points.begin(), points.end(), [&](const glm::dvec3& point) { box.add(point); });
    // How far to the right and up, to the left and down the points lie, and how far a cone of the frame's slopes
    // reaches that holds them all and has its tip at the depth of the box's centre.
    constexpr double kNowhere = -std::numeric_limits<double>::infinity();
    glm::dvec2 far(kNowhere);
    glm::dvec2 near(kNowhere);
    glm::dvec2 farCone(kNowhere);
    glm::dvec2 nearCone(kNowhere);
    for (const glm::dvec3& point : points) {
        const glm::dvec3 at = point - box.centre();
        const glm::dvec2 across(glm::dot(at, right), glm::dot(at, up));
        const double depth = glm::dot(at, forward);
        far = glm::max(far, across);
        near = glm::max(near, -across);
        farCone = glm::max(farCone, across - tangent * depth);
        nearCone = glm::max(nearCone, -across - tangent * depth);
    }
    const glm::dvec2 distances = (farCone + nearCone) / (2.0 * tangent);
    const double distance = std::max(distances.x, distances.y);
    const glm::dvec2 middle = 0.5 * (view.orthographic ? far - near : farCone - nearCone);
    const glm::dvec2 extent = kMargin * (far + near);
    const glm::dvec3 target = box.centre() + middle.x * right + middle.y * up;
    Json camera = {{"position", toJson(target - distance * forward)}, {"target", toJson(target)}};
    if (vertical) {
        camera["up"] = toJson(above);
    }
    if (view.orthographic) {
        camera["projection"] = "orthographic";
        camera["height"] = std::max(extent.y, extent.x / aspect);
    } else {
        camera["verticalFov"] = kFieldOfView;
    }
    return camera;
}

void addMeteredFilm(Json& scene) {
    scene["film"] = {{"exposure", "auto"}, {"exposurePercentile", 98}, {"tonemap", "aces"}, {"denoise", "auto"}};
}

void addStage(Json& scene, ModelStage stage, const ModelView& view) {
    addMeteredFilm(scene);
    switch (stage) {
    case ModelStage::Studio:
    case ModelStage::None:
        addStudio(scene, kStudio, view);
        break;
    case ModelStage::Outdoor:
        addOutdoor(scene, view);
        break;
    case ModelStage::White: {
        // The backdrop is white, whatever stands before it, and noise does not show in it.
        constexpr double kOver = 1.03;
        const glm::dvec3 floor = addStudio(scene, kWhite, view);
        scene["film"]["exposure"] = std::log2(kOver / std::min({floor.x, floor.y, floor.z}));
        scene["film"]["tonemap"] = "linear";
        scene["film"].erase("exposurePercentile");
        break;
    }
    }
}

bool addFill(Json& scene, std::span<const PunctualLight> lights, const Bounds& model, const glm::dvec3& floorBehind) {
    constexpr double kFill = 0.25;    // what the sky brings, over what the lights do
    constexpr double kNearest = 0.25; // of the model's diagonal: lanterns have their light in their middle
    const double nearest = kNearest * glm::length(model.extent());
    double key = 0.0;
    glm::dvec3 behind(0.0);
    for (const PunctualLight& light : lights) {
        const glm::dvec3 brought = irradianceAt(light, model.centre(), nearest);
        key += (brought.x + brought.y + brought.z) / 3.0;
        behind += irradianceAt(light, floorBehind, nearest, glm::dvec3(0.0, 1.0, 0.0));
    }
    if (!(key > 0.0 && std::max({key, behind.x, behind.y, behind.z}) <= kMaximumNumber)) {
        return false;
    }
    addMeteredFilm(scene);
    addBackdrop(scene, kStudio.floorAlbedo, kFill * key / kPi, behind);
    return true;
}

void addDaylight(Json& scene, const Daylight& light) {
    const glm::dvec3 albedo(light.groundAlbedo);
    const glm::dvec3 sky(light.skyRadiance);
    const glm::dvec3 sun = glm::dvec3(light.sunIrradiance) * std::max(light.sunDirection.y, 0.0);
    scene["environment"] = {{"type", "gradient"},
                            {"zenith", toJson(sky)},
                            {"horizon", toJson(sky)},
                            {"ground", toJson(albedo * (sky + sun / kPi))},
                            {"sun",
                             {{"direction", toJson(light.sunDirection)},
                              {"angularDiameter", light.sunDiameter},
                              {"irradiance", toJson(light.sunIrradiance)}}}};
    scene["materials"]["floor"] = {{"albedo", toJson(albedo)}};
    scene["film"] = {{"exposure", light.exposure}, {"tonemap", "aces"}, {"denoise", "auto"}};
}

} // namespace aureole
