// "environment": radiance from all around, and the sun.

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "image/image_file.h"
#include "scene/scene_draft.h"
#include "scene/sky/sky_model.h"

namespace aureole {

namespace {

/// An equirectangular picture reduced to R, G, B. Throws Error (BadInput) where it holds what is no radiance, or more
/// than the format allows elsewhere: the squares of such numbers would overflow.
Image loadEnvironmentImage(const std::filesystem::path& path) {
    const Image source = readImage(path);
    Image image;
    image.width = source.width;
    image.height = source.height;
    const auto planes = source.rgb(path.string());
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const std::vector<float>& values = planes[i]->values;
        const bool isRadiance =
            std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v) && v >= 0.0F; });
        if (!isRadiance) {
            fail(ExitCode::BadInput, "{}: channel {} holds negative or non-finite values, expected radiance",
                 path.string(), planes[i]->name);
        }
        const float largest = *std::max_element(values.begin(), values.end());
        if (double{largest} > kMaximumNumber) {
            fail(ExitCode::BadInput, "{}: channel {} holds {:g}, expected at most {:g}", path.string(), planes[i]->name,
                 largest, kMaximumNumber);
        }
        image.channels.push_back({std::string(1, "RGB"[i]), values});
    }
    return image;
}

void readImageEnvironment(ObjectReader& in, SceneDraft& draft) {
    Environment& environment = draft.scene.environment;
    if (const auto file = in.require("file")) {
        if (const auto path = readAssetPath(*file, draft.folder)) {
            noteErrors(*file, [&] {
                environment.image = loadEnvironmentImage(*path);
                hashFile(draft, *path);
            });
        }
    }
    in.number("rotation", environment.rotation);
}

/// Of a length above 0, returned at unit length.
void readDirection(const ValueReader& value, glm::dvec3& direction) {
    glm::dvec3 read;
    if (!value.read(read)) {
        return;
    }
    if (glm::length(read) < 1e-12) {
        value.expected("a direction of a length above 0");
    } else {
        direction = glm::normalize(read);
    }
}

void readSun(ObjectReader& in, SceneDraft& draft) {
    Sun sun;
    if (const auto direction = in.require("direction")) {
        readDirection(*direction, sun.direction);
    }
    in.number("angularDiameter", sun.angularDiameter, {0.001, 180.0});
    in.colour("irradiance", sun.irradiance);
    sun.lightGroup = readLightGroup(in, draft);
    draft.scene.environment.sun = sun;
}

/// Where the sun of a sky stands: a direction, or elevation and azimuth.
glm::dvec3 readSkyDirection(ObjectReader& in) {
    double elevation = 45.0;
    double azimuth = -135.0;
    const bool hasElevation = in.number("elevation", elevation, {-90.0, 90.0});
    const bool hasAzimuth = in.number("azimuth", azimuth);
    glm::dvec3 direction = skyDirection(elevation, azimuth);
    if (const auto value = in.find("direction")) {
        readDirection(*value, direction);
        if (hasElevation || hasAzimuth) {
            in.problem("found 'direction' beside 'elevation' or 'azimuth', expected one or the other");
        }
    }
    return direction;
}

/// Turned about +Y as the images are.
glm::dvec3 turned(const glm::dvec3& direction, double degrees) {
    const double c = std::cos(glm::radians(degrees));
    const double s = std::sin(glm::radians(degrees));
    return {c * direction.x + s * direction.z, direction.y, c * direction.z - s * direction.x};
}

void readSky(ObjectReader& in, SceneDraft& draft) {
    Environment& environment = draft.scene.environment;
    Sky& sky = environment.sky;
    in.number("turbidity", sky.turbidity, {1.0, 10.0});
    in.colour("groundAlbedo", sky.groundAlbedo, kUnit);
    double rotation = 0.0;
    in.number("rotation", rotation);
    bool enabled = true;
    float scale = 1.0F;
    Sun sun;
    in.object("sun", [&](ObjectReader& reader) {
        sky.sunDirection = readSkyDirection(reader);
        reader.boolean("enabled", enabled);
        reader.number("angularDiameter", sun.angularDiameter, {0.001, 180.0});
        reader.number("scale", scale, kNotNegative);
        sun.lightGroup = readLightGroup(reader, draft);
    });
    sky.sunDirection = turned(sky.sunDirection, rotation);
    if (enabled) {
        sun.direction = sky.sunDirection;
        sun.irradiance = sunIrradiance(sky.turbidity, sun.direction) * scale * environment.scale;
        environment.sun = sun;
    }
}

/// What an unknown type would need is anyone's guess: asks for everything, so that only the type is blamed.
void passOver(ObjectReader& in) {
    for (const char* key :
         {"radiance", "zenith", "horizon", "ground", "file", "rotation", "scale", "turbidity", "groundAlbedo", "sun"}) {
        in.find(key);
    }
}

} // namespace

void readEnvironment(ObjectReader& root, SceneDraft& draft) {
    Environment& environment = draft.scene.environment;
    root.object("environment", [&](ObjectReader& in) {
        in.require("type");
        const bool known = in.choice<EnvironmentType>("type", environment.type,
                                                      {{"constant", EnvironmentType::Constant},
                                                       {"gradient", EnvironmentType::Gradient},
                                                       {"image", EnvironmentType::Image},
                                                       {"sky", EnvironmentType::Sky}});
        environment.lightGroup = readLightGroup(in, draft);
        if (!known) {
            passOver(in);
            return;
        }
        in.number("scale", environment.scale, kNotNegative);
        if (environment.type == EnvironmentType::Sky) {
            readSky(in, draft);
            return;
        }
        in.object("sun", [&](ObjectReader& sun) { readSun(sun, draft); });
        if (environment.type == EnvironmentType::Constant) {
            in.colour("radiance", environment.radiance);
        } else if (environment.type == EnvironmentType::Gradient) {
            in.colour("zenith", environment.zenith);
            in.colour("horizon", environment.horizon);
            in.colour("ground", environment.ground);
        } else {
            readImageEnvironment(in, draft);
        }
    });
}

} // namespace aureole
