// The hashes of a scene and of its octrees.

#include <map>
#include <string>
#include <string_view>

#include "core/hash.h"
#include "scene/json/scene_draft.h"

namespace aureole {

namespace {

/// The version of hashes, raised when the same scene file comes to mean other pixels, or the hash itself changes.
constexpr std::string_view kHashVersion = "aureole scene 5";

/// What is added where parts of models are shared by themselves, raised when others come to be.
constexpr std::string_view kSharedParts = "shared parts 1";
/// So too where a clip moves some.
constexpr std::string_view kMovingParts = "moving parts 1";

/// A value as text. A file's name, which a model's document has from the command line, may be any bytes.
std::string textOf(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The hash of everything that changes pixels. The number of samples does not change what they converge to, and a
/// render may be continued with more of them.
std::string hashOf(Json document, const Hasher& files, std::string_view parts) {
    if (document.contains("integrator")) {
        document["integrator"].erase("samplesPerPixel");
    }
    for (const char* key : {"$schema", "description"}) {
        document.erase(key);
    }
    Hasher hasher;
    hasher.add(kHashVersion);
    hasher.add(textOf(document));
    hasher.add(files.hex());
    hasher.add(parts);
    return hasher.hex();
}

/// The hash of the parts of a document that voxels depend on. Where lights and cameras stand is none of them.
std::string surfaceHashOf(const Json& document, const std::string& files) {
    Hasher hasher;
    hasher.add(kHashVersion);
    for (const char* key : {"materials", "assets", "instances"}) {
        hasher.add(textOf(document.value(key, Json())));
    }
    hasher.add(files);
    return hasher.hex();
}

/// The hash of a grid, wherever it is placed. `grid.hash` has its asset and materials. An octree has the numbers of the
/// scene's materials, which other assets bring too.
std::string gridHashOf(const Json& document, const SceneGrid& grid, const std::map<std::string, PlacedAsset>& assets,
                       const std::string& common) {
    Hasher hasher;
    hasher.add(common);
    hasher.add(assets.at(grid.name).fileHash);
    Json asset = document.at("assets").at(grid.name);
    asset.erase("voxels");
    if (grid.isRigid) {
        asset["animation"].erase("seconds");
    }
    hasher.add(textOf(asset));
    hasher.add(grid.hash);
    return hasher.hex();
}

/// The hash of all assets without an octree of their own, with where they are placed.
std::string restHashOf(const Json& document, const std::map<std::string, PlacedAsset>& assets,
                       const std::string& common) {
    Hasher hasher;
    hasher.add(common);
    const auto isRest = [&](const std::string& name) {
        const auto asset = assets.find(name);
        return asset != assets.end() && !asset->second.voxels && !asset->second.octree;
    };
    for (const auto& [name, asset] : document.at("assets").items()) {
        hasher.add(isRest(name) ? name + textOf(asset) + assets.at(name).fileHash : "");
        hasher.add(isRest(name) && assets.at(name).shares ? kSharedParts : "");
    }
    for (const auto& [name, instance] : document.at("instances").items()) {
        const bool moves = instance.contains("keys"); // and has an octree of its own
        hasher.add(isRest(instance.at("asset").get<std::string>()) && !moves ? textOf(instance) : "");
    }
    return hasher.hex();
}

/// What the octrees of all grids depend on: materials with the files of these, and their numbers.
std::string commonGridHashOf(const Json& document, const Scene& scene, const std::string& files) {
    Hasher hasher;
    hasher.add(kHashVersion);
    hasher.add(textOf(document.value("materials", Json())));
    for (const Material& material : scene.materials) {
        hasher.add(material.name);
        hasher.add("\n");
    }
    hasher.add(files);
    return hasher.hex();
}

} // namespace

void hashScene(const Json& document, SceneDraft& draft) {
    Scene& scene = draft.scene;
    scene.hash = hashOf(document, draft.files,
                        !draft.moving.empty()  ? kMovingParts
                        : !draft.parts.empty() ? kSharedParts
                                               : "");
    Json shown = document; // voxels are those of the frames that instances show, whoever says so
    for (const auto& [unused, instance] : draft.shownFrames) {
        if (instance.frames > 1) {
            shown["instances"][instance.instance]["frame"] = instance.frame;
        }
    }
    for (const auto& [asset, clip] : draft.clips) {
        Json& animation = shown["assets"][asset]["animation"];
        animation = {{"clip", clip.name}};
        if (draft.posed.contains(asset)) {
            animation["seconds"] = clip.shown;
        }
    }
    scene.surfaceHash = surfaceHashOf(shown, draft.surfaceFiles);
    const std::string common = commonGridHashOf(shown, scene, draft.materialFiles);
    for (SceneGrid& grid : scene.grids) {
        grid.hash =
            grid.name.empty() ? restHashOf(shown, draft.assets, common) : gridHashOf(shown, grid, draft.assets, common);
    }
}

} // namespace aureole
