#pragma once

// From the scene to the parameters of shared/path.h, for every backend.

#include <optional>
#include <span>
#include <vector>

#include "scene/scene.h"
#include "shared/path.h"

namespace aureole {

/// Which picture of a scene to take.
struct View {
    std::uint32_t camera = 0;
    glm::uvec2 size{0};       ///< pixels of the full picture
    glm::uvec2 cropOrigin{0}; ///< the part to render, from the top left
    glm::uvec2 cropSize{0};
    std::uint32_t frame = 0;     ///< of an animation: goes into the seed, so that noise does not stand still
    std::optional<Camera> moved; ///< the camera at that frame, in place of the scene's
};

/// The whole picture of the scene's film settings.
View defaultView(const Scene& scene);

/// A similarity from the world to a backend's space: p * scale + offset.
struct Space {
    double scale = 1.0;
    glm::dvec3 offset{0.0};

    glm::dvec3 point(const glm::dvec3& p) const { return p * scale + offset; }
};

/// The camera that the picture is taken by.
const Camera& cameraOf(const Scene& scene, const View& view);

/// The seed of the picture: the scene's, plus the frame (modulo 2^32).
std::uint32_t seedOf(const Scene& scene, const View& view);

shared::CameraParams makeCameraParams(const Scene& scene, const View& view, const Space& space);

/// An alias table for the weights, which are at least 0 and not all 0. Vose, "A Linear Algorithm for Generating Random
/// Numbers with a Given Distribution" (1991).
std::vector<shared::AliasSlot> makeAliasTable(std::span<const double> weights);

/// The arrays that LightParams points to.
struct LightTables {
    std::vector<shared::Light> lights;
    std::vector<shared::AliasSlot> choice;
    std::vector<glm::vec3> environment;
    std::vector<shared::AliasSlot> environmentPick;
    glm::uvec2 environmentSize{1};
    float environmentProbability = 0.0F;
    std::uint32_t environmentGroup = 0;
    std::uint32_t sun = 0;      ///< index, or the number of lights
    std::uint32_t surfaces = 0; ///< likewise
};

/// Lights are chosen in proportion to the power they send into the scene, each at least at a tenth of an equal share.
/// `bounds` are the scene's, `surfacePower` the power in watts (by luminance) that its emissive surfaces send out.
LightTables makeLightTables(const Scene& scene, const Space& space, const Bounds& bounds, double surfacePower);

/// LightParams without the addresses.
shared::LightParams describeLights(const LightTables& tables);

/// What the models of the materials need besides the surfaces' own values, in the order of the materials.
std::vector<shared::MaterialTraits> makeMaterialTraits(std::span<const Material> materials, const Space& space);

/// The bits of MATERIAL_MODELS (shared/material.h) that a pipeline for these materials needs.
std::uint32_t modelsOf(std::span<const Material> materials);

/// PathParams of a view, without the addresses of lights, materials and tables.
shared::PathParams makePathParams(const Scene& scene, const View& view, const Space& space, const LightTables& tables);

} // namespace aureole
