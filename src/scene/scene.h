#pragma once

// The scene as the renderers see it: plain data, made by loadScene (load.h) and not changed afterwards. Who needs the
// textures that are simulated makes a scene with them of it (withTextures of session/textures.h).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/camera.h"
#include "model/light.h"
#include "model/material.h"
#include "model/mesh.h"
#include "model/reaction_texture.h"
#include "model/texture.h"
#include "scene/animation.h"
#include "scene/environment.h"
#include "settings/bloom.h"
#include "settings/film.h"
#include "settings/finish.h"
#include "settings/integrator.h"
#include "settings/voxels.h"

namespace aureole {

/// A texture that stands white in Scene::textures until it has been simulated.
struct SimulatedTexture {
    std::uint32_t texture = 0; ///< index into Scene::textures
    bool srgb = true;          ///< how its colours are to be stored
    bool roughness = false;    ///< its luminance is to go to G, and 1 to B
    ReactionTexture simulation;
};

struct Scene {
    std::filesystem::path file;
    std::vector<std::filesystem::path> files; ///< that were read beside it: models, textures and all other assets
    std::string hash; ///< of the scene file, its settings and assets, as 16 hex digits; --set included
    /// Of what its voxels depend on, but for their size: materials, assets and instances, with their files' content.
    std::string surfaceHash;
    bool outlined = false; ///< surfaces are left out (loadScene): there are lights, cameras and settings
    std::vector<Texture> textures;
    std::vector<SimulatedTexture> simulated;
    std::vector<Material> materials;
    std::vector<Mesh> meshes;
    std::vector<MeshInstance> meshInstances;
    std::vector<VoxelModel> voxelModels;
    std::vector<VoxelInstance> voxelInstances;
    std::optional<OctreeInstance> octree;     ///< alone: then there are no mesh instances and no voxel instances
    std::vector<std::string> lightGroups{""}; ///< names; the first has the lights that no other has
    std::vector<Camera> cameras;              ///< at least one; the first is the default
    bool hasDefaultCamera = true;             ///< else there are several, and the scene chooses none
    std::optional<Animation> animation;
    std::vector<PunctualLight> lights;
    Environment environment;
    FilmSettings film;
    IntegratorSettings integrator;
    VoxelSettings voxels;
    BloomSettings bloom;
    FinishSettings finish;
};

} // namespace aureole
