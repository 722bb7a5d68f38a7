#include "edge_scenes.h"

#include "model/primitives.h"
#include "sky/sky_model.h"

namespace aureole {

namespace {

void useImage(Scene& scene, std::uint32_t width, std::uint32_t height, float value) {
    scene.environment.type = EnvironmentType::Image;
    scene.environment.image = makeImage(width, height, {"R", "G", "B"});
    for (Channel& channel : scene.environment.image.channels) {
        channel.values.back() = value;
    }
}

PunctualLight lightOf(LightType type, float intensity) {
    PunctualLight light;
    light.type = type;
    light.position = glm::dvec3(0.0, 5.0, 0.0);
    light.intensity = glm::vec3(intensity);
    return light;
}

std::vector<SceneChange> lightChanges() {
    return {
        {"no lights at all",
         [](Scene& s) {
             s.environment.radiance = glm::vec3(0.0F);
             s.materials[2].emission = glm::vec3(0.0F);
         }},
        {"lamp without a size", [](Scene& s) { s.meshInstances[2].worldFromMesh = glm::dmat4(0.0); }},
        {"lamp as thin as nothing", [](Scene& s) { s.meshInstances[2].worldFromMesh[0] = glm::dvec4(0.0); }},
        {"emission of 1e8", [](Scene& s) { s.materials[2].emission = glm::vec3(1e8F); }},
        {"emission of 1e-30", [](Scene& s) { s.materials[2].emission = glm::vec3(1e-30F); }},
        {"a point light of 0 and one of 1e8",
         [](Scene& s) {
             s.lights = {lightOf(LightType::Point, 0.0F), lightOf(LightType::Point, 1e8F)};
         }},
        {"a point light of 1e8 on the floor",
         [](Scene& s) {
             s.lights = {lightOf(LightType::Point, 1e8F)};
             s.lights[0].position = glm::dvec3(1.0, 0.0, 1.0);
         }},
        {"a spot as narrow as nothing",
         [](Scene& s) {
             s.lights = {lightOf(LightType::Spot, 10.0F)};
             s.lights[0].outerConeAngle = 0.0;
         }},
        {"a spot of a half space",
         [](Scene& s) {
             s.lights = {lightOf(LightType::Spot, 1e8F)};
             s.lights[0].innerConeAngle = s.lights[0].outerConeAngle = 90.0;
         }},
        {"a directional light along the floor",
         [](Scene& s) {
             s.lights = {lightOf(LightType::Directional, 1e8F)};
             s.lights[0].direction = glm::dvec3(1.0, 0.0, 0.0);
         }},
        {"the smallest sun",
         [](Scene& s) {
             s.environment.sun = Sun{glm::dvec3(0, 1, 0), 0.001, glm::vec3(1e8F)};
         }},
        {"a sun of half the sky",
         [](Scene& s) {
             s.environment.sun = Sun{glm::dvec3(0, 1, 0), 180.0, glm::vec3(1e8F)};
         }},
        {"a sun below the floor",
         [](Scene& s) {
             s.environment.sun = Sun{glm::dvec3(0, -1, 0), 0.53, glm::vec3(9.0F)};
         }},
        {"a black sun",
         [](Scene& s) {
             s.environment.sun = Sun{glm::dvec3(0, 1, 0), 0.53, glm::vec3(0.0F)};
         }},
    };
}

/// The ball becomes glass, or whatever else.
void useModel(Scene& scene, MaterialModel model, float roughness) {
    Material& material = scene.materials[1];
    material.model = model;
    material.albedo = glm::vec3(1.0F);
    material.roughness = roughness;
}

std::vector<SceneChange> materialChanges() {
    return {
        {"white surfaces without end",
         [](Scene& s) { s.materials[0].albedo = s.materials[1].albedo = glm::vec3(1.0F); }},
        {"black surfaces", [](Scene& s) { s.materials[0].albedo = s.materials[1].albedo = glm::vec3(0.0F); }},
        {"metal of roughness 0",
         [](Scene& s) {
             useModel(s, MaterialModel::MetallicRoughness, 0.0F);
             s.materials[1].metalness = 1.0F;
         }},
        {"plastic of roughness 0", [](Scene& s) { useModel(s, MaterialModel::MetallicRoughness, 0.0F); }},
        {"plastic of roughness 1e-4", [](Scene& s) { useModel(s, MaterialModel::MetallicRoughness, 1e-4F); }},
        {"mirrors without loss",
         [](Scene& s) {
             useModel(s, MaterialModel::Mirror, 0.0F);
             s.materials[0] = s.materials[1];
         }},
        {"glass of index 1",
         [](Scene& s) {
             useModel(s, MaterialModel::Dielectric, 0.0F);
             s.materials[1].ior = 1.0F;
         }},
        {"rough glass of index 1",
         [](Scene& s) {
             useModel(s, MaterialModel::Dielectric, 0.5F);
             s.materials[1].ior = 1.0F;
         }},
        {"rough glass of the largest index",
         [](Scene& s) {
             useModel(s, MaterialModel::Dielectric, 1.0F);
             s.materials[1].ior = 4.0F;
         }},
        {"black glass",
         [](Scene& s) {
             useModel(s, MaterialModel::Dielectric, 0.0F);
             s.materials[1].absorption = glm::vec3(1e30F);
         }},
        {"the camera in glass",
         [](Scene& s) {
             useModel(s, MaterialModel::Dielectric, 0.0F);
             s.cameras[0].position = glm::dvec3(0.1, 1.2, 0.3);
         }},
        {"a light in glass",
         [](Scene& s) {
             useModel(s, MaterialModel::Dielectric, 0.2F);
             s.lights = {lightOf(LightType::Point, 1e8F)};
             s.lights[0].position = glm::dvec3(0.0, 1.0, 0.0);
         }},
        {"a pane of index 1",
         [](Scene& s) {
             useModel(s, MaterialModel::ThinGlass, 0.0F);
             s.materials[1].ior = 1.0F;
         }},
    };
}

std::vector<SceneChange> otherChanges() {
    return {
        {"an image of one texel", [](Scene& s) { useImage(s, 1, 1, 2.0F); }},
        {"an image with the largest number", [](Scene& s) { useImage(s, 8, 4, 1e12F); }},
        {"a black image", [](Scene& s) { useImage(s, 8, 4, 0.0F); }},
        {"an image of the smallest number", [](Scene& s) { useImage(s, 8, 4, 1e-45F); }},
        {"the murkiest sky at night",
         [](Scene& s) {
             s.environment.type = EnvironmentType::Sky;
             s.environment.sky.turbidity = 10.0;
             s.environment.sky.sunDirection = glm::dvec3(0, -1, 0);
         }},
        {"the clearest sky over white ground",
         [](Scene& s) {
             s.environment.type = EnvironmentType::Sky;
             s.environment.sky.turbidity = 1.0;
             s.environment.sky.groundAlbedo = glm::vec3(1.0F);
             s.environment.sky.sunDirection = glm::dvec3(0, 1, 0);
         }},
        {"the camera in the ball", [](Scene& s) { s.cameras[0].position = glm::dvec3(0.0, 1.0, 0.001); }},
        {"the camera on the floor",
         [](Scene& s) {
             s.cameras[0].position = glm::dvec3(2.0, 0.0, 2.0);
             s.cameras[0].target = glm::dvec3(0.0, 0.0, 0.0);
         }},
        {"an empty scene", [](Scene& s) { s.meshInstances.clear(); }},
        {"an empty scene with a sun and lamps",
         [](Scene& s) {
             s.meshInstances.clear();
             s.environment.sun = Sun{};
             s.lights = {lightOf(LightType::Point, 1.0F)};
         }},
        {"a checker of micrometres",
         [](Scene& s) {
             s.materials[0].pattern = Pattern{};
             s.materials[0].pattern->size = 1e-6;
         }},
    };
}

/// Adds a box that emits, 0.3 wide, around a point.
void addLamp(Scene& scene, const glm::dvec3& at, float emission) {
    scene.meshes.push_back(makeBox(glm::vec3(at) - 0.15F, glm::vec3(at) + 0.15F));
    scene.materials.emplace_back();
    scene.materials.back().emission = glm::vec3(emission);
    const auto number = static_cast<std::uint32_t>(scene.meshes.size() - 1);
    scene.meshInstances.push_back({number, glm::dmat4(1.0), static_cast<std::uint32_t>(scene.materials.size() - 1)});
}

} // namespace

Scene plainScene() {
    Scene scene;
    scene.meshes = {makeBox({-4, -1, -4}, {4, 0, 4}), makeSphere({0, 1, 0}, 1.0, 2), makeBox({-3, 3, -1}, {-2, 4, 1})};
    scene.materials.resize(3);
    scene.materials[2].emission = glm::vec3(5.0F);
    scene.meshInstances = {{0, glm::dmat4(1.0), 0}, {1, glm::dmat4(1.0), 1}, {2, glm::dmat4(1.0), 2}};
    scene.environment.radiance = glm::vec3(0.5F);
    scene.film.width = 10;
    scene.film.height = 8;
    Camera camera;
    camera.position = glm::dvec3(3.0, 2.5, 6.0);
    camera.target = glm::dvec3(0.0, 1.0, 0.0);
    scene.cameras = {camera};
    return scene;
}

std::vector<SceneChange> lampChanges() {
    return {
        {"a lamp of 1e8 beside one of 1e-3",
         [](Scene& s) {
             s.materials[2].emission = glm::vec3(1e-3F);
             addLamp(s, {-2.5, 2.5, 0.0}, 1e8F);
         }},
        {"a lamp behind the camera",
         [](Scene& s) {
             addLamp(s, {3.3, 2.6, 6.6}, 1e8F);
         }},
        {"the camera in a lamp", [](Scene& s) { addLamp(s, s.cameras[0].position, 1e8F); }},
        {"a lamp in glass",
         [](Scene& s) {
             useModel(s, MaterialModel::Dielectric, 0.0F);
             addLamp(s, {0.0, 1.0, 0.0}, 1e8F);
         }},
    };
}

std::vector<SceneChange> edgeChanges() {
    std::vector<SceneChange> changes = lightChanges();
    for (const std::vector<SceneChange>& more : {materialChanges(), otherChanges(), lampChanges()}) {
        changes.insert(changes.end(), more.begin(), more.end());
    }
    return changes;
}

} // namespace aureole
