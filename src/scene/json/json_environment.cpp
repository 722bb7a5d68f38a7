// "environment": radiance from all around, and the sun.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "image/image_file.h"
#include "scene/json/scene_draft.h"
#include "sky/hosek_data.h"
#include "sky/hosek_sky.h"
#include "sky/sky_model.h"

namespace aureole {

namespace {

/// An equirectangular picture reduced to R, G, B. Throws Error (BadInput) where it holds what is no radiance, or more
/// than the format allows elsewhere: the squares of such numbers would overflow.
Image loadEnvironmentImage(const std::filesystem::path& path) {
    const Image source = readImage(path, Links::Refuse);
    Image image;
    image.width = source.width;
    image.height = source.height;
    const auto planes = source.rgb(path.string());
    for (std::size_t i = 0; i < planes.size(); ++i) {
        std::vector<float> values = planes[i]->values;
        // Lossy compression (DWA) leaves some blacks a little below 0.
        constexpr float kRounding = 1e-3F;
        const float least = -kRounding * *std::max_element(values.begin(), values.end());
        const bool isRadiance = std::all_of(values.begin(), values.end(),
                                            [&](float v) { return std::isfinite(v) && (v >= 0.0F || v >= least); });
        for (float& value : values) {
            value = std::max(value, 0.0F);
        }
        if (!isRadiance) {
            fail(ExitCode::BadInput, "{}: channel {} holds negative or non-finite values, expected radiance",
                 path.string(), planes[i]->name);
        }
        const float largest = *std::max_element(values.begin(), values.end());
        if (double{largest} > kMaximumNumber) {
            fail(ExitCode::BadInput, "{}: channel {} holds {:g}, expected at most {:g}", path.string(), planes[i]->name,
                 largest, kMaximumNumber);
        }
        image.channels.push_back({std::string(1, "RGB"[i]), std::move(values)});
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

/// Notes the keys of a sky's sun, for a sun that is not in a sky.
bool noteAngles(ObjectReader& in) {
    bool found = false;
    for (const char* key : {"elevation", "azimuth"}) {
        if (in.has(key)) {
            in.find(key);
            in.problem(key,
                       fmt::format("found '{}', expected 'direction', a vector towards the sun: only the sun of an "
                                   "environment of the type 'sky' is placed by angles",
                                   key));
            found = true;
        }
    }
    return found;
}

void readSun(ObjectReader& in, SceneDraft& draft) {
    Sun sun;
    const auto direction = noteAngles(in) ? in.find("direction") : in.require("direction");
    if (direction) {
        readDirection(*direction, sun.direction);
    }
    in.number("angularDiameter", sun.angularDiameter, {0.001, 180.0});
    in.colour("irradiance", sun.irradiance);
    sun.lightGroup = readLightGroup(in, draft);
    draft.scene.environment.sun = sun;
}

void readFog(ObjectReader& in, SceneDraft& draft) {
    Fog fog;
    in.colour("scattering", fog.scattering, kNotNegative);
    in.colour("absorption", fog.absorption, kNotNegative);
    in.number("anisotropy", fog.anisotropy, {kMinimumAnisotropy, kMaximumAnisotropy});
    in.number("height", fog.height);
    if (fog.scattering == glm::vec3(0.0F) && fog.absorption == glm::vec3(0.0F)) {
        in.problem("found fog of nothing, expected 'scattering' or 'absorption' above 0, per metre");
    }
    if (in.has("anisotropy") && fog.scattering == glm::vec3(0.0F)) {
        in.problem("anisotropy", "found 'anisotropy' of fog that does not scatter, expected 'scattering' beside it");
    }
    draft.scene.environment.fog = fog;
}

/// Softboxes by name, which --set uses; their order is that of the file.
void readSoftboxes(ObjectReader& in, SceneDraft& draft) {
    constexpr Range kDiameters{4.0, 120.0};
    in.named("softboxes", [&](const std::string&, ObjectReader& reader) {
        Softbox softbox;
        if (const auto direction = reader.require("direction")) {
            readDirection(*direction, softbox.direction);
        }
        reader.number("angularDiameter", softbox.angularDiameter, kDiameters);
        reader.colour("irradiance", softbox.irradiance);
        draft.scene.environment.softboxes.push_back(softbox);
    });
}

enum class SkyKind { Simulated, HosekWilkie };

/// Where the sun of a sky stands: a direction, or elevation and azimuth. Hosek and Wilkie have no sun below the
/// horizon.
glm::dvec3 readSkyDirection(ObjectReader& in, SkyKind kind) {
    double elevation = 45.0;
    double azimuth = -135.0;
    const double lowest = kind == SkyKind::HosekWilkie ? 0.0 : -90.0;
    const auto high = in.find("elevation");
    const bool isLow = high && kind == SkyKind::HosekWilkie && high->json().is_number() &&
                       high->json().get<double>() < lowest && high->json().get<double>() >= -90.0;
    if (isLow) {
        high->expected("an angle from 0 to 90 degrees, as Hosek and Wilkie's model has no sun below the horizon; the "
                       "model 'simulated' has");
    }
    const bool hasElevation = !isLow && in.number("elevation", elevation, {lowest, 90.0});
    const bool hasAzimuth = in.number("azimuth", azimuth);
    const glm::dvec3 direction = skyDirection(elevation, azimuth);
    const auto value = in.find("direction");
    if (!value) {
        return direction;
    }
    if (hasElevation || hasAzimuth) {
        in.problem("found 'direction' beside 'elevation' or 'azimuth', expected one or the other");
    }
    glm::dvec3 given = direction;
    readDirection(*value, given);
    if (kind == SkyKind::HosekWilkie && given.y < 0.0) {
        value->expected("one that is not below the horizon, where Hosek and Wilkie's model has no sun");
        return direction;
    }
    return given;
}

/// Turned about +Y as the images are.
glm::dvec3 turned(const glm::dvec3& direction, double degrees) {
    const double c = std::cos(glm::radians(degrees));
    const double s = std::sin(glm::radians(degrees));
    return {c * direction.x + s * direction.z, direction.y, c * direction.z - s * direction.x};
}

void readHosek(ObjectReader& in, SceneDraft& draft) {
    const auto data = in.find("data");
    if (!data) {
        in.problem(fmt::format("expected the key 'data', which is missing: a folder with the model's figures, as in "
                               "\"data\": \"hosek\"; tools/sky_figures.sh writes {} into one",
                               sky::kHosekFile));
        return;
    }
    const std::string folder =
        data->json().is_string() ? (draft.folder / data->json().get<std::string>()).string() : "FOLDER";
    const std::string advice = fmt::format("'tools/sky_figures.sh {}' would write it", folder);
    const auto file = readAssetPathIn(*data, sky::kHosekFile, advice, draft.folder);
    if (!file) {
        return;
    }
    noteErrors(*data, [&] {
        draft.scene.environment.sky.hosek = std::make_shared<const sky::HosekData>(sky::readHosekData(*file));
        hashFile(draft, *file);
    });
}

SkyKind readSkyKind(ObjectReader& in, SceneDraft& draft) {
    SkyKind kind = SkyKind::Simulated;
    const bool isGiven = in.has("model");
    const bool isKnown =
        in.choice<SkyKind>("model", kind, {{"simulated", SkyKind::Simulated}, {"hosek-wilkie", SkyKind::HosekWilkie}});
    if (isGiven && !isKnown) {
        in.find("data"); // blames the model alone
    }
    if (kind == SkyKind::HosekWilkie) {
        readHosek(in, draft);
    }
    return kind;
}

void readSky(ObjectReader& in, SceneDraft& draft) {
    Environment& environment = draft.scene.environment;
    Sky& sky = environment.sky;
    const SkyKind kind = readSkyKind(in, draft);
    in.number("turbidity", sky.turbidity, {1.0, 10.0});
    in.colour("groundAlbedo", sky.groundAlbedo, kUnit);
    double rotation = 0.0;
    in.number("rotation", rotation);
    bool enabled = true;
    float scale = 1.0F;
    Sun sun;
    in.object("sun", [&](ObjectReader& reader) {
        sky.sunDirection = readSkyDirection(reader, kind);
        reader.boolean("enabled", enabled);
        reader.number("angularDiameter", sun.angularDiameter, {0.001, 180.0});
        reader.number("scale", scale, kNotNegative);
        sun.lightGroup = readLightGroup(reader, draft);
    });
    sky.sunDirection = turned(sky.sunDirection, rotation);
    if (enabled) {
        sun.direction = sky.sunDirection;
        const glm::vec3 irradiance = sky.hosek ? hosekSunIrradiance(*sky.hosek, sky.turbidity, sun.direction)
                                               : sunIrradiance(sky.turbidity, sun.direction);
        sun.irradiance = irradiance * scale * environment.scale;
        environment.sun = sun;
    }
}

/// What an unknown type would need is anyone's guess: asks for everything, so that only the type is blamed.
void passOver(ObjectReader& in) {
    for (const char* key : {"radiance", "zenith", "horizon", "ground", "file", "rotation", "scale", "model", "data",
                            "turbidity", "groundAlbedo", "sun", "softboxes", "fog"}) {
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
        in.object("fog", [&](ObjectReader& fog) { readFog(fog, draft); });
        if (environment.type == EnvironmentType::Sky) {
            readSky(in, draft);
            return;
        }
        in.object("sun", [&](ObjectReader& sun) { readSun(sun, draft); });
        if (environment.type != EnvironmentType::Image) {
            readSoftboxes(in, draft);
        }
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
