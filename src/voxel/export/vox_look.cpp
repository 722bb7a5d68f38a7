#include "voxel/export/vox_look.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/log.h"
#include "image/colour/srgb.h"
#include "model/photometry.h"
#include "scene/exposure.h"

namespace aureole {

namespace {

/// MagicaVoxel's axes from ours.
glm::dvec3 inFile(const glm::dvec3& v) {
    return {v.x, -v.z, v.y};
}

std::string textOf(const glm::dvec3& v) {
    return fmt::format("{:.9g} {:.9g} {:.9g}", v.x, v.y, v.z);
}

std::string textOf(double value) {
    return fmt::format("{:.9g}", value);
}

/// Pitch, yaw and roll in degrees of one that looks along `forward`: a yaw turns from y to -x, a roll
/// counter-clockwise.
glm::dvec3 anglesOf(const glm::dvec3& forward, const glm::dvec3& up) {
    constexpr double kUpright = 1e-9;
    const double level = std::hypot(forward.x, forward.y);
    const glm::dvec3 ahead = level > kUpright ? forward : forward.z < 0.0 ? up : -up; // what is ahead in the picture
    const double yaw = std::atan2(-ahead.x, ahead.y);
    const glm::dvec3 right(std::cos(yaw), std::sin(yaw), 0.0);
    const double roll = std::atan2(-glm::dot(up, right), glm::dot(up, glm::cross(right, forward)));
    return glm::degrees(glm::dvec3(std::atan2(forward.z, level), yaw, roll));
}

VoxAttributes cameraEntries(const Camera& camera, const glm::dmat4& voxelsFromWorld) {
    const auto place = [&](const glm::dvec3& p) { return inFile(glm::dvec3(voxelsFromWorld * glm::dvec4(p, 1.0))); };
    const glm::dvec3 focus = place(camera.target);
    const glm::dvec3 way = focus - place(camera.position);
    const double radius = glm::length(way);
    double fov = glm::radians(camera.verticalFov);
    if (camera.projection == Projection::Orthographic) {
        const double height = camera.height * glm::length(glm::dvec3(voxelsFromWorld[1]));
        fov = 2.0 * std::atan(0.5 * height / radius);
    }
    const char* const mode = camera.projection == Projection::Orthographic      ? "orth"
                             : camera.projection == Projection::Equirectangular ? "pano"
                                                                                : "pers";
    return {{"_mode", mode},
            {"_focus", textOf(focus)},
            {"_angle", textOf(anglesOf(way / radius, glm::normalize(inFile(camera.up))))},
            {"_radius", textOf(radius)},
            {"_frustum", textOf(std::tan(0.5 * fov))},
            {"_fov", textOf(glm::degrees(fov))}};
}

/// A colour of 8 bits in sRGB and its strength, whose product it is.
struct Shade {
    double strength = 0.0;
    std::string colour = "255 255 255";
};

std::string colourText(const glm::dvec3& colour) {
    const auto byte = [](double value) { return byteOf(srgbEncode(std::max(value, 0.0))); };
    return fmt::format("{} {} {}", byte(colour.r), byte(colour.g), byte(colour.b));
}

Shade shadeOf(const glm::dvec3& light) {
    const double strength = std::max({light.r, light.g, light.b});
    return strength > 0.0 ? Shade{strength, colourText(light / strength)} : Shade{};
}

/// The sun, or what stands for it.
struct Lamp {
    glm::dvec3 direction{0.0, 1.0, 0.0};
    double diameter = 4.0; ///< degrees
    glm::dvec3 irradiance{0.0};
};

Lamp lampOf(const Environment& environment) {
    if (environment.sun) {
        return {environment.sun->direction, environment.sun->angularDiameter, environment.sun->irradiance};
    }
    const auto dimmer = [](const Softbox& a, const Softbox& b) {
        return luminanceOf(a.irradiance) < luminanceOf(b.irradiance);
    };
    const auto brightest = std::max_element(environment.softboxes.begin(), environment.softboxes.end(), dimmer);
    return brightest == environment.softboxes.end()
               ? Lamp{}
               : Lamp{brightest->direction, brightest->angularDiameter, glm::dvec3(brightest->irradiance)};
}

} // namespace

std::vector<VoxDictionary> voxCameras(const Scene& scene, const glm::dmat4& voxelsFromWorld) {
    constexpr std::size_t kMost = 10;
    std::vector<VoxDictionary> cameras;
    for (std::size_t i = 0; i < std::min(scene.cameras.size(), kMost); ++i) {
        cameras.push_back({static_cast<std::int64_t>(i), cameraEntries(scene.cameras[i], voxelsFromWorld)});
    }
    if (scene.cameras.size() > kMost) {
        logWarning("{}: found {} cameras, of which the first {} are exported, as many as MagicaVoxel has",
                   scene.file.string(), scene.cameras.size(), kMost);
    }
    return cameras;
}

std::vector<VoxAttributes> voxLight(const Scene& scene) {
    const Environment& environment = scene.environment;
    const Lamp lamp = lampOf(environment);
    const glm::dvec3 towards = inFile(lamp.direction);
    const Shade sun = shadeOf(lamp.irradiance / kPi);
    std::vector<VoxAttributes> light = {{{"_type", "_inf"},
                                         {"_i", textOf(sun.strength)},
                                         {"_k", sun.colour},
                                         {"_angle", fmt::format("{:.9g} {:.9g}", glm::degrees(std::asin(towards.z)),
                                                                glm::degrees(std::atan2(towards.x, -towards.y)))},
                                         {"_area", textOf(glm::radians(lamp.diameter))},
                                         {"_disk", "0"}}};
    if (environment.type == EnvironmentType::Constant || environment.type == EnvironmentType::Gradient) {
        const bool isGradient = environment.type == EnvironmentType::Gradient;
        const glm::dvec3 above =
            double{environment.scale} * (isGradient ? 0.5 * glm::dvec3(environment.zenith + environment.horizon)
                                                    : glm::dvec3(environment.radiance));
        const Shade sky = shadeOf(above);
        light.push_back({{"_type", "_uni"}, {"_i", textOf(sky.strength)}, {"_k", sky.colour}});
        const glm::dvec3 received = above + lamp.irradiance * std::max(lamp.direction.y, 0.0) / kPi;
        if (isGradient && received.r > 0.0 && received.g > 0.0 && received.b > 0.0) { // what is below is a lit ground
            light.push_back(
                {{"_type", "_ground"},
                 {"_color", colourText(double{environment.scale} * glm::dvec3(environment.ground) / received)},
                 {"_hor", "0.1"}});
        }
    } else {
        logWarning("{}: found a sky that is a picture or simulated, which is left out: MagicaVoxel's is even",
                   scene.file.string());
    }
    if (const std::optional<double> stops = exposureStops(scene.film, scene.cameras.front())) {
        light.push_back({{"_type", "_film"},
                         {"_expo", textOf(std::exp2(*stops))},
                         {"_aces", scene.film.tonemap == ToneMap::Aces ? "1" : "0"}});
    } else {
        logWarning("{}: found an exposure that is metered, which is left out: MagicaVoxel has a number",
                   scene.file.string());
    }
    return light;
}

} // namespace aureole
