#include "import/vox/vox_look.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/log.h"
#include "import/vox/vox_values.h"
#include "model/texture_sample.h"
#include "settings/limits.h"

namespace aureole::vox {

namespace {

/// The direction in the file's axes that pitch and yaw, in degrees, look along.
glm::dvec3 forwardOf(double pitch, double yaw) {
    const double up = glm::radians(pitch);
    const double turn = glm::radians(yaw);
    return {-std::sin(turn) * std::cos(up), std::cos(turn) * std::cos(up), std::sin(up)};
}

glm::dvec3 inWorld(const glm::dvec3& vector) {
    return glm::dvec3(worldFromFile() * glm::dvec4(vector, 0.0));
}

/// Nothing for one that was never saved.
std::optional<Camera> cameraOf(std::int32_t number, const Dictionary& properties) {
    const double radius = numberOr(properties, "_radius", 0.0);
    const auto focus = numbersOf(properties, "_focus", 3);
    const auto angle = numbersOf(properties, "_angle", 3);
    constexpr double kNearest = 1e-3;
    if (!(radius >= kNearest) || !focus || !angle) {
        return std::nullopt;
    }
    Camera camera;
    camera.name = "camera " + std::to_string(number);
    const glm::dvec3 forward = forwardOf((*angle)[0], (*angle)[1]);
    const double turn = glm::radians((*angle)[1]);
    const glm::dvec3 right(std::cos(turn), std::sin(turn), 0.0);
    const double roll = glm::radians((*angle)[2]);
    const glm::dvec3 up = std::cos(roll) * glm::cross(right, forward) - std::sin(roll) * right;
    const glm::dvec3 target((*focus)[0], (*focus)[1], (*focus)[2]);
    camera.target = inWorld(target);
    camera.position = inWorld(target - radius * forward);
    camera.up = inWorld(up);
    camera.verticalFov = std::clamp(numberOr(properties, "_fov", 45.0), double{kMinimumFov}, double{kMaximumFov});
    const auto mode = properties.find("_mode");
    if (mode != properties.end() && (mode->second == "orth" || mode->second == "iso")) {
        camera.projection = Projection::Orthographic;
        camera.height = 2.0 * radius * std::tan(0.5 * glm::radians(camera.verticalFov));
    } else if (mode != properties.end() && mode->second == "pano") {
        camera.projection = Projection::Equirectangular;
    }
    return camera;
}

/// "255 128 0", or `otherwise`.
glm::vec3 colourOr(const Dictionary& properties, const char* key, std::uint8_t otherwise) {
    const auto numbers = numbersOf(properties, key, 3);
    glm::vec3 colour(0.0F);
    for (glm::length_t i = 0; i < 3; ++i) {
        const double value = numbers ? (*numbers)[static_cast<std::size_t>(i)] : otherwise;
        colour[i] = srgbToLinear(static_cast<std::uint8_t>(std::clamp(std::round(value), 0.0, 255.0)));
    }
    return colour;
}

constexpr float kBrightest = 1e4F;

float intensityOf(const Dictionary& properties, double otherwise) {
    return std::clamp(static_cast<float>(numberOr(properties, "_i", otherwise)), 0.0F, kBrightest);
}

constexpr double kIntensity = 0.7; ///< of sun and sky, where nobody changed it
constexpr double kAngle = 50.0;
constexpr double kArea = 0.07;
constexpr std::uint8_t kGround = 80; ///< a grey

/// Whether all that is said is what MagicaVoxel says by itself.
bool isUntouched(const Dictionary& sun, const Dictionary& sky, const Dictionary& ground, const Dictionary& film) {
    const auto angle = numbersOf(sun, "_angle", 2);
    const auto isWhite = [](const Dictionary& of) { return colourOr(of, "_k", 255) == glm::vec3(1.0F); };
    return (!angle || *angle == std::vector{kAngle, kAngle}) && numberOr(sun, "_i", kIntensity) == kIntensity &&
           numberOr(sky, "_i", kIntensity) == kIntensity && numberOr(sun, "_area", kArea) == kArea && isWhite(sun) &&
           isWhite(sky) && colourOr(ground, "_color", kGround) == colourOr({}, "_color", kGround) &&
           numberOr(film, "_expo", 1.0) == 1.0;
}

/// A value that is read here, of how many numbers it is.
struct Numbers {
    const char* key;
    std::size_t count;
};

constexpr std::array<Numbers, 4> kOfCamera = {{{"_radius", 1}, {"_focus", 3}, {"_angle", 3}, {"_fov", 1}}};
constexpr std::array<Numbers, 4> kOfSun = {{{"_angle", 2}, {"_i", 1}, {"_area", 1}, {"_k", 3}}};
constexpr std::array<Numbers, 2> kOfSky = {{{"_i", 1}, {"_k", 3}}};
constexpr std::array<Numbers, 1> kOfGround = {{{"_color", 3}}};
constexpr std::array<Numbers, 1> kOfFilm = {{{"_expo", 1}}};
constexpr std::array<Numbers, 11> kOfMaterial = {{{"_weight", 1},
                                                  {"_rough", 1},
                                                  {"_metal", 1},
                                                  {"_ri", 1},
                                                  {"_ior", 1},
                                                  {"_trans", 1},
                                                  {"_alpha", 1},
                                                  {"_d", 1},
                                                  {"_g", 1},
                                                  {"_emit", 1},
                                                  {"_flux", 1}}};

} // namespace

glm::dmat4 worldFromFile() {
    return {{1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, -1.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
}

void warnOfUnreadable(const VoxFile& file, const std::string& name) {
    std::vector<std::string> unreadable;
    const auto check = [&](const Dictionary& properties, std::span<const Numbers> expected, const std::string& of) {
        for (const auto& [key, count] : expected) {
            if (const auto value = properties.find(key);
                value != properties.end() && !numbersOf(properties, key, count)) {
                constexpr std::size_t kLongest = 40;
                unreadable.push_back(fmt::format("{} '{}' of {}, expected {} number{}", key,
                                                 value->second.substr(0, kLongest), of, count, count > 1 ? "s" : ""));
            }
        }
    };
    for (const auto& [index, properties] : file.materials) {
        check(properties, kOfMaterial, "material " + std::to_string(index));
    }
    for (const auto& [number, properties] : file.cameras) {
        check(properties, kOfCamera, "camera " + std::to_string(number));
    }
    for (const auto& [type, properties] : file.settings) {
        check(properties,
              type == "_inf"      ? std::span<const Numbers>(kOfSun)
              : type == "_uni"    ? std::span<const Numbers>(kOfSky)
              : type == "_ground" ? std::span<const Numbers>(kOfGround)
              : type == "_film"   ? std::span<const Numbers>(kOfFilm)
                                  : std::span<const Numbers>(),
              type);
    }
    constexpr std::size_t kShown = 5;
    if (!unreadable.empty()) {
        const std::size_t more = unreadable.size() - std::min(kShown, unreadable.size());
        unreadable.resize(unreadable.size() - more);
        logWarning("{}: found values that are left out: {}{}", name, fmt::join(unreadable, "; "),
                   more > 0 ? fmt::format("; and {} more", more) : "");
    }
}

std::vector<Camera> camerasOf(const VoxFile& file) {
    std::vector<Camera> cameras;
    for (const auto& [number, properties] : file.cameras) {
        if (std::optional<Camera> camera = cameraOf(number, properties)) {
            cameras.push_back(std::move(*camera));
        }
    }
    return cameras;
}

std::optional<Daylight> daylightOf(const VoxFile& file) {
    const auto settings = [&](const char* type) {
        const auto found = file.settings.find(type);
        return found == file.settings.end() ? Dictionary{} : found->second;
    };
    const Dictionary sun = settings("_inf");
    const Dictionary sky = settings("_uni");
    const Dictionary ground = settings("_ground");
    const Dictionary film = settings("_film");
    if (isUntouched(sun, sky, ground, film)) {
        return std::nullopt;
    }
    const auto angle = numbersOf(sun, "_angle", 2);
    constexpr double kNarrowest = 0.5; // degrees; a point would make noise and nothing else
    constexpr double kWidest = 90.0;
    Daylight light;
    light.sunDirection =
        glm::normalize(-inWorld(angle ? forwardOf(-(*angle)[0], (*angle)[1]) : forwardOf(-kAngle, kAngle)));
    light.sunDiameter = std::clamp(glm::degrees(numberOr(sun, "_area", kArea)), kNarrowest, kWidest);
    light.sunIrradiance = static_cast<float>(kPi) * intensityOf(sun, kIntensity) * colourOr(sun, "_k", 255);
    light.skyRadiance = intensityOf(sky, kIntensity) * colourOr(sky, "_k", 255);
    light.groundAlbedo = colourOr(ground, "_color", kGround);
    constexpr double kLeast = 1.0 / 1024.0;
    light.exposure = std::log2(std::clamp(numberOr(film, "_expo", 1.0), kLeast, 1.0 / kLeast));
    return light;
}

} // namespace aureole::vox
