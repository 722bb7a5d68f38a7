#pragma once

// The scene as the renderers see it: plain data, made by loadScene (load.h) and not changed afterwards. Who needs the
// textures that are simulated makes a scene with them of it (withTextures of session/textures.h).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/camera.h"
#include "model/density_tree.h"
#include "model/light.h"
#include "model/material.h"
#include "model/mesh.h"
#include "model/reaction_texture.h"
#include "model/texture.h"
#include "scene/animation.h"
#include "scene/environment.h"
#include "scene/motion.h"
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

/// What is voxelised into an octree of its own, or an octree file, in its own coordinates: an asset, as some of its
/// instances have its materials, or all that is in no other.
struct SceneGrid {
    std::string name; ///< of the asset; empty: the scene's own, of all assets without one
    std::string part; ///< of the asset, where its parts are shared: its name in the file; empty: all that is left of it
    bool isRigid = false;    ///< a part that a clip moves as a whole
    std::uint32_t cells = 0; ///< along its longest side, where it is a part of voxel models: as many voxels as it has
    VoxelSettings voxels;
    std::vector<MeshInstance> meshInstances; ///< indices are the scene's
    std::vector<VoxelInstance> voxelInstances;
    std::optional<OctreeInstance> octree; ///< alone
    std::string hash;                     ///< of what its voxels depend on, as Scene::surfaceHash
};

/// What people call an octree; empty where it is the scene's own.
inline std::string labelOf(const SceneGrid& grid) {
    return grid.part.empty() ? grid.name : grid.name + "/" + grid.part;
}

/// Where an octree stands, once or many times.
struct GridPlacement {
    std::uint32_t grid = 0;        ///< index into Scene::grids
    glm::dmat4 worldFromGrid{1.0}; ///< in a picture that is no frame of an animation
    std::string name;              ///< of the instance
    std::uint32_t motion = kNone;  ///< index into Scene::motions
};

/// By what its own temperatures a volume glows.
struct VolumeHeat {
    DensityTree tree; ///< of temperatures, in units of the file
    /// What the volume's emission is times, VOLUME_COLOURS of them: where the file has 0 to tree.most().
    std::vector<glm::vec3> colours;
};

/// Smoke or a cloud, in its own coordinates. Coefficients are those of a density of 1, per metre of the world.
struct Volume {
    std::string name; ///< of the asset
    DensityTree tree;
    glm::vec3 scattering{1.0F};
    glm::vec3 absorption{0.0F};
    glm::vec3 emission{0.0F}; ///< radiance per metre, in the first light group
    float anisotropy = 0.0F;  ///< mean cosine by which it turns light
    std::optional<VolumeHeat> heat;
};

/// Where a volume stands. Volumes may overlap, each other and all else: what is in them is added to what is there.
struct VolumeInstance {
    std::uint32_t volume = 0; ///< index into Scene::volumes
    glm::dmat4 worldFromVolume{1.0};
};

/// What "resolution": "view" or "levels" came to for an octree.
struct ViewResolution {
    std::string asset; ///< empty: of all assets without an octree of their own
    std::uint32_t resolution = 0;
    std::string why;
    std::size_t instances = 0; ///< that have it, of a level of detail; 0: all
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
    std::string asset;                    ///< whose octree alone this is (sceneOfGrid); empty of a whole scene
    std::optional<OctreeInstance> octree; ///< alone: then there are no mesh instances and no voxel instances
    /// Of a scene of several octrees: these, and where they are. The instances above are those of all of them then, as
    /// if they were in one, but for octree files.
    std::vector<SceneGrid> grids;
    std::vector<GridPlacement> gridPlacements;
    std::vector<InstanceMotion> motions; ///< of instances that move: such a scene is one of several octrees
    std::vector<Volume> volumes;
    std::vector<VolumeInstance> volumeInstances;
    std::vector<ViewResolution> viewResolutions; ///< of those octrees whose resolution the cameras chose, or levels
    std::vector<std::string> lightGroups{""};    ///< names; the first has the lights that no other has
    std::vector<Camera> cameras;                 ///< at least one; the first is the default
    bool hasDefaultCamera = true;                ///< else there are several, and the scene chooses none
    std::optional<Animation> animation;
    std::vector<PunctualLight> lights;
    Environment environment;
    FilmSettings film;
    IntegratorSettings integrator;
    VoxelSettings voxels;
    BloomSettings bloom;
    FinishSettings finish;

    /// Whether it is rendered from several octrees, or one that is placed as meshes are.
    bool hasGrids() const { return !gridPlacements.empty(); }
};

} // namespace aureole
