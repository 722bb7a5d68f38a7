#include <cmath>
#include <utility>

#include "integrator/environment_table.h"
#include "integrator/path_setup.h"
#include "model/photometry.h"

namespace aureole {

namespace {

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

/// Lights are chosen by their power, but for a tenth of all choices that are spread evenly.
void setChoice(LightTables& tables, std::vector<double> powers) {
    const std::size_t count = powers.size();
    if (count == 0) {
        return;
    }
    double total = 0.0;
    for (const double power : powers) {
        total += power;
    }
    for (double& power : powers) {
        power += 0.1 * total / static_cast<double>(count);
    }
    tables.choice = makeAliasTable(powers);
    for (std::size_t i = 0; i < count; ++i) {
        tables.lights[i].probability = tables.choice[i].probability;
    }
}

/// What is left to the other strategy of an environment's light, as a share of its mean. With n samples by one strategy
/// for each of the other and densities of that in no more than a hemisphere, 2 / (1 + n) (see sampleByLuminance).
double compensation(const IntegratorSettings& settings, const LightTables& tables) {
    return settings.lightSampling == LightSampling::Mis ? 2.0 / (1.0 + double{tables.environmentProbability}) : 0.0;
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

    const EnvironmentTable table = bakeEnvironment(scene.environment, scene.file.string());
    const double flux = table.flux();
    shared::Light sky{};
    sky.type = LIGHT_ENVIRONMENT;
    sky.group = scene.environment.lightGroup;
    const bool hasSky = add(sky, flux * crossSection);
    tables.environmentSize = table.size;
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

    setChoice(tables, std::move(powers));
    const auto count = static_cast<std::uint32_t>(tables.lights.size());
    tables.environmentGroup = scene.environment.lightGroup;
    if (hasSky) {
        tables.environmentProbability = tables.lights[0].probability;
        EnvironmentSampling sampling = sampleByLuminance(table, compensation(scene.integrator, tables));
        tables.environmentPick = makeAliasTable(sampling.cellWeights);
        tables.environment = std::move(sampling.texels);
    }
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

} // namespace aureole
