#pragma once

// What the readers of a scene's sections share while they build it. Each takes the root object and fills its part.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "import/import.h"
#include "model/primitives.h"
#include "model/reaction_texture.h"
#include "scene/json/json_reader.h"
#include "scene/json/model_reads.h"
#include "scene/scene.h"
#include "settings/limits.h"

namespace aureole {

/// An asset once its meshes, voxel models, materials and textures stand in the scene; indices are the scene's.
struct PlacedAsset {
    std::vector<MeshInstance> meshInstances; ///< in the asset's coordinates
    std::vector<VoxelInstance> voxelInstances;
    std::vector<ModelFrame> laterFrames; ///< as ImportedModel has them
    std::uint32_t frames = 1;            ///< of an animation
    std::vector<ClipPart> clipParts;     ///< as ImportedModel has them
    std::vector<PunctualLight> lights;
    std::optional<OctreeInstance> octree;
    std::uint32_t volume = kNone;    ///< index into Scene::volumes
    std::uint64_t triangles = 0;     ///< of all its mesh instances
    std::uint32_t firstMaterial = 0; ///< the asset's own materials
    std::uint32_t materialCount = 0;
    std::map<std::string, std::vector<std::uint32_t>>
        materials; ///< numbers by name; several materials may have one name
    bool used = false;
    std::string name;
    std::string fileHash;    ///< of its file's content, if it has one
    Bounds bounds;           ///< in its coordinates; of files, where the scene choosesByView, or it isOutlined
    double reach = 0.0;      ///< from its origin to what it places, at most
    double area = 0.0;       ///< of its surfaces, in its coordinates; where the scene choosesByView
    bool isOutlined = false; ///< it is known by its outline alone
    bool isSolid = true;     ///< it has something to voxelise, which may be left out (Scene::outlined)
    std::optional<VoxelSettings> voxels; ///< of an octree of its own; only what is `given` of them counts
    bool shares = false;                 ///< what it places several times are octrees of their own (AssetParts)
    std::string part;                    ///< of a part: its name
    std::string partKey;                 ///< of a part: what tells it from others of the asset
    std::uint32_t cells = 0;             ///< of a part: as SceneGrid has it
    bool isRigid = false;                ///< of a part: as SceneGrid has it
};

/// A part of an asset, which it places several times.
struct AssetPart {
    PlacedAsset asset;
    std::vector<glm::dmat4> placements; ///< assetFromPart
};

/// What an asset is taken apart into at a frame.
struct AssetParts {
    std::vector<AssetPart> shared;
    PlacedAsset rest; ///< what it places once
};

/// An asset whose parts a clip moves.
struct MovingParts {
    struct Part {
        PlacedAsset asset;
        std::shared_ptr<const std::vector<ClipPose>> poses;
    };
    std::vector<Part> parts; ///< as PlacedAsset::clipParts
    PlacedAsset rest;
};

/// An instance without an octree of its own, or with that grid.
struct SeenInstance {
    const PlacedAsset* asset = nullptr;
    std::uint32_t grid = kNone; ///< index into Scene::grids
    glm::dmat4 worldFromAsset{1.0};
    std::uint32_t placement = kNone; ///< index into Scene::gridPlacements
};

/// The animation of a model file that poses an asset.
struct AssetClip {
    std::string name;
    double framesPerSecond = 24.0;
    double start = 0.0; ///< the second of the clip that frame 0 shows
    bool loops = true;  ///< it begins again behind its end; else it stays there
    double shown = 0.0; ///< the second that the draft's frame shows (noteClip), in the first round
    bool poses = true;  ///< as ModelClip has it
};

/// Which frame of its asset an instance shows.
struct ShownFrame {
    std::string instance;
    std::uint32_t frame = 0;
    std::uint32_t frames = 1; ///< of the asset
};

/// An instance of an octree file.
struct PlacedOctree {
    std::string asset;
    GridPlacement placement; ///< but for its grid
    OctreeInstance octree;   ///< not yet placed
};

/// The octrees of a scene while its instances are read.
struct DraftGrids {
    std::map<std::string, std::uint32_t> numbers; ///< index into Scene::grids, by the asset and its materials
    std::vector<MeshInstance> meshInstances;      ///< of assets with octrees of their own, placed
    std::vector<VoxelInstance> voxelInstances;
    std::vector<PlacedOctree> octrees;
    bool hasRest = false; ///< something solid is placed that has none
};

/// A picture that is still to be decoded.
struct TextureFile {
    ValueReader value;
    std::filesystem::path path;
    std::uint32_t texture = 0; ///< its place in Scene::textures
};

/// A picture that is still to be made of others, once those are decoded.
struct MadeTexture {
    ValueReader value;
    std::uint32_t texture = 0; ///< its place in Scene::textures
    std::function<Texture(const std::vector<Texture>& textures)> make;
};

struct SceneDraft {
    Scene scene;
    std::filesystem::path folder; ///< what the scene refers to is relative to it and lies in it
    Names materialNames;          ///< of the JSON; number i is scene.materials[i]
    std::map<std::string, PlacedAsset> assets;
    std::map<std::pair<std::string, std::uint32_t>, AssetParts> parts; ///< of assets that share theirs, at a frame
    std::map<std::string, MovingParts> moving;
    std::optional<std::uint32_t> frame;            ///< of the scene's animation; none: the scene as it stands
    std::map<std::string, ShownFrame> shownFrames; ///< by the JSON pointer of what says it, of all instances
    std::map<std::string, std::set<std::uint32_t>> framesOfAssets; ///< after the first, that instances show
    std::map<std::string, AssetClip> clips;                        ///< of assets that an animation of their file poses
    std::set<std::string> posed;  ///< those of them that are other surfaces in other frames
    std::uint32_t clipFrames = 0; ///< that the longest of these has; 0 where there is none
    DraftGrids grids;
    std::map<std::filesystem::path, std::uint32_t> textures;
    std::vector<TextureFile> textureFiles;
    std::vector<MadeTexture> madeTextures;
    std::uint32_t defaultMaterial = kNone;                 ///< of primitives, made when the first one is
    std::uint64_t bytes = 0;                               ///< of memory that the scene is known to take (takeMemory)
    std::vector<std::pair<std::uint32_t, Sphere>> spheres; ///< meshes that are still to be made
    Hasher files;                                          ///< of the content of every file read
    std::string materialFiles;                             ///< the hash of those that materials read
    std::string surfaceFiles;                              ///< the hash of those that materials and assets read
    const OutlineCache* outlines = nullptr;
    std::vector<SeenInstance> outlined;             ///< instances of assets that are known by their outlines alone
    bool choosesByView = false;                     ///< "resolution": "view" or levels stand somewhere
    std::uint32_t leastByView = kMinimumResolution; ///< that the cameras may choose
    std::vector<SeenInstance> seen;                 ///< where it does: what is placed
    /// A model that is imported already (direct rendering of a model file), by its resolved path, as assets are read.
    std::optional<std::pair<ModelSource, ImportedModel>> imported;
    ModelReads models; ///< those that are not
};

/// A texture that is simulated.
ReactionTexture readReactionTexture(ObjectReader& in, SceneDraft& draft);

void readMaterials(ObjectReader& root, SceneDraft& draft);
/// Notes which frames of which assets the instances of a document show, which may be wrong in many ways.
void noteFrames(const Json& document, SceneDraft& draft);
/// "frame" of an instance, and what becomes of it at the frame of the scene's animation that is read.
std::uint32_t readFrame(const std::string& name, ObjectReader& in, const PlacedAsset* asset, const Json& document,
                        SceneDraft& draft);
/// To be called after readMaterials and noteFrames.
void readAssets(ObjectReader& root, SceneDraft& draft);
/// What an asset is taken apart into at a frame, where `models` are its voxel models; stays where it is.
const AssetParts& partsOfAsset(const PlacedAsset& asset, std::uint32_t frame, const std::vector<VoxelInstance>& models,
                               SceneDraft& draft);
/// What a clip moves of an asset; stays where it is.
const MovingParts& movingPartsOf(const PlacedAsset& asset, SceneDraft& draft);
/// "animation" of an asset of the file that `file` names; none where it has none or a wrong one.
std::optional<AssetClip> readClip(ObjectReader& in, const ValueReader& file);
/// The moment that a frame of the scene shows of the animation of an asset in a document, which may be wrong in many
/// ways; none where it is.
std::optional<ClipMoment> momentOf(const Json& animation, std::optional<std::uint32_t> frame);
/// The moment that the draft's frame shows.
ClipMoment momentOf(const AssetClip& clip, const SceneDraft& draft);
/// Notes that an asset is posed by a clip, which is `found` in its file.
void noteClip(const std::string& asset, AssetClip clip, const ModelClip& found, SceneDraft& draft);
/// "voxels" of an asset.
VoxelSettings readAssetVoxels(const ValueReader& value);
/// Makes one octree of all that is placed, or, where some of it has octrees of its own, the scene's grids. To be called
/// once all instances are read.
void finishGrids(SceneDraft& draft);
/// Gives the grids of assets what these do not say themselves of the scene's settings. To be called after readSettings.
void settleGridVoxels(ObjectReader& root, SceneDraft& draft);
/// Sets the hashes of the scene and of its grids. To be called once everything is read.
void hashScene(const Json& document, SceneDraft& draft);
/// Whether "resolution": "view" or "levels" stands somewhere in a document, which may be wrong in many ways.
bool choosesByView(const Json& document);
/// Where it does, chooses by all cameras, and makes a grid for each level. To be called last, of a scene without
/// problems.
void chooseByView(ObjectReader& root, SceneDraft& draft);
/// To be called after readAssets.
void readInstances(ObjectReader& root, SceneDraft& draft);
/// Makes the meshes of spheres, once all that is placed is known to fit into memory.
void makeSpheres(SceneDraft& draft);
void readCameras(ObjectReader& root, SceneDraft& draft);
/// To be called after the cameras and the settings were read.
void readAnimation(ObjectReader& root, SceneDraft& draft);
void readLights(ObjectReader& root, SceneDraft& draft);
void readEnvironment(ObjectReader& root, SceneDraft& draft);
/// film, voxels, integrator, bloom and finish.
void readSettings(ObjectReader& root, SceneDraft& draft);
/// The value of bloom.
void readBloom(ObjectReader& in, SceneDraft& draft);
/// The value of finish.
void readFinish(ObjectReader& in, SceneDraft& draft);

/// Colours by a number: a list of 2 to 256, each in the range, or {"cosine": {"a", "b", "c", "d"}}, three numbers each.
void readPalette(const ValueReader& value, Range range, ColourPalette& palette);

/// The path of a picture file, whose content joins the scene's hash; notes what is wrong with it.
void readImageFile(const ValueReader& value, SceneDraft& draft, std::string& out);

/// "lightGroup" of an object, as an index into Scene::lightGroups, where new names are added.
std::uint32_t readLightGroup(ObjectReader& in, SceneDraft& draft);

/// 0, or a whole number from `least` to `most`. False, with a problem noted, where it is none.
bool readCountOrZero(const ValueReader& value, std::uint32_t& out, std::uint32_t least, std::uint32_t most);

/// "direction" and the like: a vector of a length above 0, brought to unit length. False, with a problem noted, where
/// it is none.
bool readDirection(const ValueReader& value, glm::dvec3& direction);

/// Reads the name of a file inside the scene's folder and resolves it; notes a problem where that fails.
std::optional<std::filesystem::path> readAssetPath(const ValueReader& value, const std::filesystem::path& folder);

/// readAssetPath for the file `name` in the folder that `value` names; where it is not there, the problem ends with
/// `advice`.
std::optional<std::filesystem::path> readAssetPathIn(const ValueReader& value, const std::string& name,
                                                     std::string_view advice, const std::filesystem::path& folder);

/// Calls `action`, which reads the file that `value` names, and turns an Error about the file into a problem there.
/// Errors that are not about input pass through. True where nothing was thrown.
bool noteErrors(const ValueReader& value, const std::function<void()>& action);
/// The keys that name grids of a file, as far as there are some.
struct GridKeys {
    std::optional<ValueReader> grid{};
    std::optional<ValueReader> colours{};
};
/// Of a file whose grids have keys: errors about these grids are told there.
bool noteErrors(const ValueReader& value, const GridKeys& grids, const std::filesystem::path& path,
                const std::function<void()>& action);

/// Counts what the scene takes of memory, for `value`: bytes of what is made, or is about to be (scene_memory.h). Where
/// the scene comes to take more than sceneMemoryLimit(), notes that and ends the reading. Not to be called inside of
/// noteErrors.
void takeMemory(const ValueReader& value, std::uint64_t bytes, SceneDraft& draft);
/// Bytes that the scene may take yet.
std::uint64_t memoryLeft(const SceneDraft& draft);

/// Adds a file's bytes to the draft's hash, and its name to the scene's files.
void hashFile(SceneDraft& draft, const std::filesystem::path& file);

/// "translate", "rotate", "scale" or "matrix" of an object, as one matrix.
glm::dmat4 readTransform(ObjectReader& in);
/// "keys" of an instance, as a new one of Scene::motions; kNone where it has none, or none that is right.
std::uint32_t readMotion(const std::string& name, ObjectReader& in, SceneDraft& draft);

} // namespace aureole
