#include <cmath>
#include <optional>
#include <utility>

#include "integrator/alias_table.h"
#include "integrator/environment_table.h"
#include "integrator/light_tables.h"
#include "model/photometry.h"
#include "scene/scene.h"
#include "scene/view.h"

namespace aureole {

namespace {

shared::Light lightOf(std::uint32_t type) {
    shared::Light light{};
    light.type = type;
    return light;
}

shared::Light makeSun(const Sun& sun) {
    shared::Light light = lightOf(LIGHT_SUN);
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

/// Lights are first chosen by their power, but for a tenth of all choices that are spread evenly.
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

/// Returns the flux of the light that is drawn for.
double setEnvironment(const Scene& scene, LightTables& tables) {
    const EnvironmentTable table = bakeEnvironment(scene.environment, scene.file.string());
    // With one sample of each strategy, its mean is what the other makes up for.
    const double removed = scene.integrator.lightSampling == LightSampling::Mis ? 1.0 : 0.0;
    EnvironmentSampling sampling = sampleByLuminance(table, removed);
    if (!(sampling.total > 0.0)) {
        return 0.0;
    }
    tables.environmentSize = table.size;
    tables.environmentGroup = scene.environment.lightGroup;
    if (sampling.flux > 0.0) {
        tables.environmentPick = makeAliasTable(sampling.cellWeights);
    }
    tables.environment = std::move(sampling.texels);
    return sampling.flux;
}

/// Makes the tree of the punctual lights that have a place and of the boxes, which emit `boxPower`. One light of the
/// kind LIGHT_PLACED comes to stand behind the others for all of the tree, and the punctual ones behind it. Returns
/// their power; where that is 0, there is none of these.
double placeLights(std::span<const PunctualLight> punctualLights, const Space& space,
                   std::span<const PlacedLight> boxes, double boxPower, LightTables& tables) {
    tables.lights.push_back(lightOf(LIGHT_PLACED));
    std::vector<PlacedLight> placed;
    double power = 0.0;
    for (const PunctualLight& source : punctualLights) {
        const double own = source.type == LightType::Directional ? 0.0 : punctualPower(source, 0.0);
        if (own <= 0.0) {
            continue;
        }
        power += own;
        const shared::Light light = makePunctual(source, space);
        PlacedLight& leaf = placed.emplace_back();
        leaf.middle = light.position;
        leaf.intensity = luminanceOf(light.intensity);
        leaf.leaf = static_cast<std::uint32_t>(tables.lights.size());
        if (source.type == LightType::Spot) {
            leaf.axis = light.direction;
            leaf.cone = glm::radians(source.outerConeAngle);
        }
        tables.lights.push_back(light);
    }
    const auto punctual = static_cast<std::ptrdiff_t>(placed.size());
    placed.insert(placed.end(), boxes.begin(), boxes.end());
    if (!placed.empty()) {
        tables.tree = makeLightTree(placed);
        tables.tree.trails.erase(tables.tree.trails.begin(), tables.tree.trails.begin() + punctual);
    }
    power += boxes.empty() ? 0.0 : boxPower;
    if (!(power > 0.0)) {
        tables.lights.pop_back();
    }
    return power;
}

} // namespace

LightTables makeLightTables(const Scene& scene, const Space& space, const Bounds& bounds, double surfacePower,
                            std::span<const PlacedLight> boxes, std::optional<double> moment) {
    const std::vector<PunctualLight> punctualLights = lightsAt(scene, moment);
    LightTables tables;
    std::vector<double> powers;
    using Place = std::optional<std::uint32_t>;
    const auto add = [&](const shared::Light& light, double power) {
        if (!(power > 0.0)) {
            return Place();
        }
        tables.lights.push_back(light);
        powers.push_back(power);
        return Place(static_cast<std::uint32_t>(powers.size() - 1));
    };
    const double radius = bounds.empty() ? 1.0 : 0.5 * glm::length(bounds.extent());
    const double crossSection = kPi * radius * radius;

    shared::Light sky = lightOf(LIGHT_ENVIRONMENT);
    sky.group = scene.environment.lightGroup;
    const Place environment = add(sky, setEnvironment(scene, tables) * crossSection);
    Place sun;
    if (scene.environment.sun) {
        sun = add(makeSun(*scene.environment.sun), luminanceOf(scene.environment.sun->irradiance) * crossSection);
    }
    for (const PunctualLight& light : punctualLights) {
        if (light.type == LightType::Directional) {
            add(makePunctual(light, space), punctualPower(light, crossSection));
        }
    }
    const Place surfaces = boxes.empty() ? add(lightOf(LIGHT_SURFACES), surfacePower) : std::nullopt;
    const double placedPower = placeLights(punctualLights, space, boxes, surfacePower, tables);
    const bool hasPlaced = placedPower > 0.0;
    if (hasPlaced) {
        powers.push_back(placedPower);
    }

    setChoice(tables, std::move(powers));
    const auto count = static_cast<std::uint32_t>(tables.choice.size());
    tables.sun = sun.value_or(count);
    tables.surfaces = surfaces.value_or(count);
    tables.placed = hasPlaced ? count - 1 : count;
    if (environment) {
        tables.environmentProbability = tables.lights[*environment].probability;
    }
    return tables;
}

shared::LightParams describeLights(const LightTables& tables) {
    shared::LightParams params{};
    params.environmentSize = tables.environmentSize;
    params.lightCount = static_cast<std::uint32_t>(tables.choice.size());
    params.environmentProbability = tables.environmentProbability;
    params.environmentGroup = tables.environmentGroup;
    params.sun = tables.sun;
    params.placed = tables.placed;
    params.root = tables.tree.root;
    return params;
}

} // namespace aureole
