// "environment": radiance from all around, and the sun.

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "image/image_file.h"
#include "scene/scene_draft.h"

namespace aureole {

namespace {

/// An equirectangular picture reduced to R, G, B. Throws Error (BadInput) where it holds what is no radiance.
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
    in.number("scale", environment.scale, kNotNegative);
}

void readSun(ObjectReader& in, Environment& environment) {
    Sun sun;
    if (const auto direction = in.require("direction"); direction && direction->read(sun.direction)) {
        if (glm::length(sun.direction) < 1e-12) {
            direction->expected("a direction of a length above 0");
        } else {
            sun.direction = glm::normalize(sun.direction);
        }
    }
    in.number("angularDiameter", sun.angularDiameter, {0.001, 180.0});
    in.colour("irradiance", sun.irradiance);
    environment.sun = sun;
}

} // namespace

void readEnvironment(ObjectReader& root, SceneDraft& draft) {
    Environment& environment = draft.scene.environment;
    root.object("environment", [&](ObjectReader& in) {
        in.require("type");
        const bool known = in.choice<EnvironmentType>("type", environment.type,
                                                      {{"constant", EnvironmentType::Constant},
                                                       {"gradient", EnvironmentType::Gradient},
                                                       {"image", EnvironmentType::Image}});
        in.object("sun", [&](ObjectReader& sun) { readSun(sun, environment); });
        if (!known) {
            for (const char* key : {"radiance", "zenith", "horizon", "ground", "file", "rotation", "scale"}) {
                in.find(key);
            }
        } else if (environment.type == EnvironmentType::Constant) {
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
