#include <algorithm>
#include <array>
#include <cmath>

#include "scene/path_setup.h"

namespace aureole {

namespace {

double luminanceOf(const glm::vec3& c) {
    return luminance(c.x, c.y, c.z);
}

glm::vec3 gradientRadiance(const Environment& environment, double y) {
    if (y >= 0.0) {
        return glm::mix(environment.horizon, environment.zenith, static_cast<float>(std::sqrt(y)));
    }
    return glm::mix(environment.horizon, environment.ground, glm::smoothstep(0.0F, 0.05F, static_cast<float>(-y)));
}

/// The image's radiance at (u, v) in texels, bilinear, wrapping along u.
glm::vec3 imageRadiance(const Image& image, const std::array<const Channel*, 3>& rgb, double u, std::uint32_t row) {
    const double x = u - std::floor(u / image.width) * image.width;
    const auto x0 = std::min(static_cast<std::uint32_t>(x), image.width - 1);
    const std::uint32_t x1 = (x0 + 1) % image.width;
    const auto f = static_cast<float>(x - x0);
    glm::vec3 value;
    for (int c = 0; c < 3; ++c) {
        const float* values = rgb[static_cast<std::size_t>(c)]->values.data() + std::size_t{row} * image.width;
        value[c] = values[x0] + (values[x1] - values[x0]) * f;
    }
    return value;
}

void bakeEnvironment(const Environment& environment, const std::string& file, LightTables& tables) {
    const bool isImage = environment.type == EnvironmentType::Image;
    tables.environmentSize = isImage ? glm::uvec2(environment.image.width, environment.image.height)
                             : environment.type == EnvironmentType::Gradient ? glm::uvec2(64, 256)
                                                                             : glm::uvec2(64, 32);
    const glm::uvec2 size = tables.environmentSize;
    tables.environment.resize(std::size_t{size.x} * size.y);
    std::array<const Channel*, 3> rgb{};
    if (isImage) {
        rgb = environment.image.rgb(file);
    }
    const double shift = environment.rotation / 360.0 * size.x;
    for (std::uint32_t y = 0; y < size.y; ++y) {
        const double up = std::cos((y + 0.5) / size.y * kPi);
        for (std::uint32_t x = 0; x < size.x; ++x) {
            const glm::vec3 radiance = isImage ? imageRadiance(environment.image, rgb, x + shift, y)
                                       : environment.type == EnvironmentType::Gradient
                                           ? gradientRadiance(environment, up)
                                           : environment.radiance;
            tables.environment[std::size_t{y} * size.x + x] = radiance * environment.scale;
        }
    }
}

/// Weights of the texels: the brightest of a texel and its neighbours, since bilinear lookups reach them, by solid
/// angle.
std::vector<double> texelWeights(const LightTables& tables) {
    const glm::uvec2 size = tables.environmentSize;
    std::vector<double> weights(tables.environment.size());
    for (std::uint32_t y = 0; y < size.y; ++y) {
        const double solidAngle = std::sin((y + 0.5) / size.y * kPi);
        for (std::uint32_t x = 0; x < size.x; ++x) {
            double brightest = 0.0;
            for (std::uint32_t j = y == 0 ? 0 : y - 1; j <= std::min(y + 1, size.y - 1); ++j) {
                for (std::uint32_t i = 0; i < 3; ++i) {
                    const std::uint32_t column = (x + size.x + i - 1) % size.x;
                    brightest = std::max(brightest, luminanceOf(tables.environment[std::size_t{j} * size.x + column]));
                }
            }
            weights[std::size_t{y} * size.x + x] = brightest * solidAngle;
        }
    }
    return weights;
}

/// Radiance integrated over all directions, by luminance.
double environmentFlux(const LightTables& tables) {
    const glm::uvec2 size = tables.environmentSize;
    double sum = 0.0;
    for (std::uint32_t y = 0; y < size.y; ++y) {
        const double solidAngle = std::sin((y + 0.5) / size.y * kPi) * kPi / size.y * 2.0 * kPi / size.x;
        for (std::uint32_t x = 0; x < size.x; ++x) {
            sum += luminanceOf(tables.environment[std::size_t{y} * size.x + x]) * solidAngle;
        }
    }
    return sum;
}

shared::Light makeSun(const Sun& sun) {
    shared::Light light{};
    light.type = LIGHT_SUN;
    light.direction = glm::normalize(sun.direction);
    const double half = std::sin(glm::radians(sun.angularDiameter) / 4.0);
    const double height = 2.0 * half * half; // 1 - cos, without cancellation
    light.coneHeight = static_cast<float>(height);
    light.group = sun.lightGroup;
    // The irradiance of a disc of uniform radiance L that faces the surface is pi L sin^2(radius).
    light.intensity = sun.irradiance / static_cast<float>(kPi * height * (2.0 - height));
    return light;
}

shared::Light makePunctual(const PunctualLight& source, const Space& space) {
    shared::Light light{};
    light.type = source.type == LightType::Point  ? LIGHT_POINT
                 : source.type == LightType::Spot ? LIGHT_SPOT
                                                  : LIGHT_DIRECTIONAL;
    light.position = space.point(source.position);
    light.direction = glm::normalize(source.direction);
    light.intensity = source.intensity;
    light.group = source.lightGroup;
    if (source.type != LightType::Directional) {
        light.intensity *= static_cast<float>(space.scale * space.scale); // distances are in the backend's unit
    }
    light.cosInner = static_cast<float>(std::cos(glm::radians(source.innerConeAngle)));
    light.cosOuter = static_cast<float>(std::cos(glm::radians(source.outerConeAngle)));
    return light;
}

double punctualPower(const PunctualLight& light, double crossSection) {
    const double brightness = luminanceOf(light.intensity);
    switch (light.type) {
    case LightType::Point:
        return 4.0 * kPi * brightness;
    case LightType::Spot:
        return 2.0 * kPi * (1.0 - std::cos(glm::radians(light.outerConeAngle))) * brightness;
    case LightType::Directional:
        break;
    }
    return crossSection * brightness;
}

} // namespace

LightTables makeLightTables(const Scene& scene, const Space& space, const Bounds& bounds, double surfacePower) {
    LightTables tables;
    std::vector<double> powers;
    const auto add = [&](const shared::Light& light, double power) {
        if (power > 0.0) {
            tables.lights.push_back(light);
            powers.push_back(power);
        }
        return power > 0.0;
    };
    const double radius = bounds.empty() ? 1.0 : 0.5 * glm::length(bounds.extent());
    const double crossSection = kPi * radius * radius;

    bakeEnvironment(scene.environment, scene.file.string(), tables);
    const double flux = environmentFlux(tables);
    shared::Light sky{};
    sky.type = LIGHT_ENVIRONMENT;
    sky.group = scene.environment.lightGroup;
    const bool hasSky = add(sky, flux * crossSection);
    tables.environmentPick =
        makeAliasTable(hasSky ? texelWeights(tables) : std::vector<double>(tables.environment.size(), 1.0));
    bool hasSun = false;
    if (scene.environment.sun) {
        hasSun = add(makeSun(*scene.environment.sun), luminanceOf(scene.environment.sun->irradiance) * crossSection);
    }
    const auto sunIndex = static_cast<std::uint32_t>(tables.lights.size() - 1);
    for (const PunctualLight& light : scene.lights) {
        add(makePunctual(light, space), punctualPower(light, crossSection));
    }
    shared::Light surfaces{};
    surfaces.type = LIGHT_SURFACES;
    const bool hasSurfaces = add(surfaces, surfacePower);

    const auto count = static_cast<std::uint32_t>(tables.lights.size());
    double total = 0.0;
    for (const double power : powers) {
        total += power;
    }
    for (double& power : powers) {
        power += 0.1 * total / count;
    }
    if (count > 0) {
        tables.choice = makeAliasTable(powers);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        tables.lights[i].probability = tables.choice[i].probability;
    }
    tables.environmentGroup = scene.environment.lightGroup;
    tables.environmentProbability = hasSky ? tables.lights[0].probability : 0.0F;
    tables.sun = hasSun ? sunIndex : count;
    tables.surfaces = hasSurfaces ? count - 1 : count;
    return tables;
}

shared::LightParams describeLights(const LightTables& tables) {
    shared::LightParams params{};
    params.environmentSize = tables.environmentSize;
    params.lightCount = static_cast<std::uint32_t>(tables.lights.size());
    params.environmentProbability = tables.environmentProbability;
    params.environmentGroup = tables.environmentGroup;
    params.sun = tables.sun;
    params.surfaces = tables.surfaces;
    return params;
}

shared::PathParams makePathParams(const Scene& scene, const View& view, const Space& space, const LightTables& tables) {
    shared::PathParams params{};
    params.camera = makeCameraParams(scene, view, space);
    params.lights = describeLights(tables);
    params.seed = seedOf(scene, view);
    params.maxDepth = scene.integrator.maxDepth;
    params.strategy = scene.integrator.lightSampling == LightSampling::Bsdf     ? STRATEGY_BSDF
                      : scene.integrator.lightSampling == LightSampling::Lights ? STRATEGY_LIGHTS
                                                                                : STRATEGY_MIS;
    params.samplerKind = scene.integrator.sampler == SamplerKind::Sobol ? SAMPLER_SOBOL : SAMPLER_INDEPENDENT;
    params.sampling = scene.integrator.sampling == DirectionSampling::Bsdf     ? SAMPLING_BSDF
                      : scene.integrator.sampling == DirectionSampling::Cosine ? SAMPLING_COSINE
                                                                               : SAMPLING_UNIFORM;
    return params;
}

} // namespace aureole
