#include "import/gltf/gltf_import.h"

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

#include "core/held_log.h"
#include "core/log.h"
#include "import/gltf/cameras_lights.h"
#include "import/gltf/clip_parts.h"
#include "import/gltf/materials.h"
#include "import/gltf/nodes.h"
#include "import/gltf/posed_nodes.h"
#include "import/gltf/primitives.h"
#include "model/texture_library.h"

namespace aureole::gltf {

namespace {

/// Reads each mesh when a node first uses it, and places it. One that a pose deforms is the node's own.
class SceneBuilder {
public:
    /// `poses` and `parts` are those of a clip, or null.
    SceneBuilder(const Document& document, const std::vector<UvSets>& uvSets, const PosedNodes* poses, ClipParts* parts,
                 ImportedModel& model)
        : document_(document)
        , uvSets_(uvSets)
        , poses_(poses)
        , parts_(parts)
        , model_(model)
        , meshes_(document.count("meshes")) {}

    void add(const PlacedNode& node) {
        if (const std::optional<JsonValue> mesh = node.json.find("mesh")) {
            addMesh(node, *mesh);
        }
        if (std::optional<Camera> camera = readCamera(document_, node)) {
            model_.cameras.push_back(std::move(*camera));
            posesMore_ = posesMore_ || node.mover != kNone;
        }
        if (std::optional<PunctualLight> light = readLight(document_, node)) {
            light->motion = partOf(node);
            model_.lights.push_back(std::move(*light));
        }
    }

    /// Whether the clip changes more than where its parts are.
    bool posesMore() const { return posesMore_; }

    /// The box around what is solid where other poses have it.
    Bounds boundsAt(const PosedNodes& poses) {
        Bounds bounds;
        visitNodes(document_, &poses, [&](const PlacedNode& node) {
            const std::optional<JsonValue> mesh = node.json.find("mesh");
            if (!mesh) {
                return;
            }
            const std::size_t index = mesh->index(meshes_.size(), "mesh");
            const MeshPose pose = poses.meshPose(node.index, node.json, document_.element("meshes", index));
            const MeshRange range = pose.none() ? meshes_[index] : readMesh(index, pose);
            for (const glm::dmat4& transform : transformsOf(node, pose)) {
                for (std::size_t i = range.first; i < range.end; ++i) {
                    for (const glm::vec3& position : model_.meshes[i].positions) {
                        bounds.add(glm::dvec3(transform * glm::dvec4(position, 1.0)));
                    }
                }
            }
            if (!pose.none()) {
                model_.meshes.resize(range.first);
            }
        });
        return bounds;
    }

private:
    struct MeshRange {
        bool read = false;
        std::size_t first = 0;
        std::size_t end = 0;
    };

    void addMesh(const PlacedNode& node, const JsonValue& reference) {
        const std::size_t index = reference.index(meshes_.size(), "mesh");
        MeshPose pose;
        if (poses_ != nullptr) {
            pose = poses_->meshPose(node.index, node.json, document_.element("meshes", index));
        } else if (node.json.has("skin")) {
            logWarning("{}: skins are not used, as no animation is asked for: the mesh is shown as it was modelled",
                       node.json.place());
        }
        MeshRange range = meshes_[index];
        if (!pose.none()) {
            range = readMesh(index, pose);
        } else if (!range.read) {
            range = meshes_[index] = readMesh(index, pose);
        }
        posesMore_ = posesMore_ || !pose.none();
        const std::uint32_t part = pose.none() ? partOf(node) : kNone;
        const auto place = [&](const std::vector<glm::dmat4>& transforms, std::vector<MeshInstance>& instances) {
            for (const glm::dmat4& transform : transforms) {
                for (std::size_t i = range.first; i < range.end; ++i) {
                    instances.push_back({static_cast<std::uint32_t>(i), transform, kNone, part});
                }
            }
        };
        place(transformsOf(node, pose), model_.meshInstances);
        if (part != kNone) {
            place(instanceTransforms(document_, node, node.moverFromNode), model_.clipParts[part].meshInstances);
        }
    }

    std::uint32_t partOf(const PlacedNode& node) {
        const std::uint32_t part = parts_ != nullptr ? parts_->partOf(node) : kNone;
        posesMore_ = posesMore_ || (part == kNone && node.mover != kNone);
        return part;
    }

    /// Where a node's mesh is: with a skin, where its joints have it, whatever the node says.
    std::vector<glm::dmat4> transformsOf(const PlacedNode& node, const MeshPose& pose) const {
        return pose.joints.empty() ? instanceTransforms(document_, node, node.world) : std::vector{glm::dmat4(1.0)};
    }

    MeshRange readMesh(std::size_t index, const MeshPose& pose) {
        const JsonValue json = document_.element("meshes", index);
        const std::string label = json.nameOr(fmt::format("mesh {}", index));
        MeshRange range = {true, model_.meshes.size(), model_.meshes.size()};
        for (Mesh& mesh : readPrimitives(document_, json, label, uvSets_, pose)) {
            if (mesh.material == kNone) {
                mesh.material = defaultMaterialIndex();
            }
            model_.meshes.push_back(std::move(mesh));
        }
        range.end = model_.meshes.size();
        return range;
    }

    std::uint32_t defaultMaterialIndex() {
        if (defaultMaterial_ == kNone) {
            defaultMaterial_ = static_cast<std::uint32_t>(model_.materials.size());
            model_.materials.push_back(defaultMaterial());
        }
        return defaultMaterial_;
    }

    const Document& document_;
    const std::vector<UvSets>& uvSets_;
    const PosedNodes* poses_; ///< null: at rest
    ClipParts* parts_;
    bool posesMore_ = false;
    ImportedModel& model_;
    std::vector<MeshRange> meshes_;
    std::uint32_t defaultMaterial_ = kNone;
};

/// The box around everything in poses all through a clip.
Bounds boundsOfClip(const Document& document, const Clip& clip, SceneBuilder& builder) {
    constexpr int kPoses = 16;
    const HeldLog again; // the pose that is read has told of everything
    Bounds bounds;
    for (int i = 0; i <= kPoses; ++i) {
        const PosedNodes poses(document, clip.poseAt(clip.duration() * i / kPoses));
        bounds.add(builder.boundsAt(poses));
    }
    return bounds;
}

void tellOfClips(const std::vector<std::string>& clips, const std::string& name) {
    if (!clips.empty()) {
        logWarning("{}: /animations: are not used, nodes stand where they are without: 'animation' of the asset plays "
                   "one of '{}'",
                   name, fmt::join(clips, "', '"));
    }
}

} // namespace

ImportedModel importGltf(const AssetReader& reader, bool normalGreenDown, const std::optional<ClipMoment>& moment) {
    const Document document(reader);
    ImportedModel model;
    TextureLibrary library;
    MaterialList list = readMaterials(document, library, normalGreenDown);
    model.materials = std::move(list.materials);
    std::optional<Clip> clip;
    std::optional<PosedNodes> poses;
    std::optional<ClipParts> parts;
    if (moment) {
        clip.emplace(document, moment->clip);
        poses.emplace(document, clip->poseAt(clip->secondOf(*moment)));
        parts.emplace(document, *clip, *poses, model.clipParts);
    } else {
        tellOfClips(clipNames(document), reader.name());
    }
    const PosedNodes* const posed = poses ? &*poses : nullptr;
    SceneBuilder builder(document, list.uvSets, posed, parts ? &*parts : nullptr, model);
    visitNodes(document, posed, [&](const PlacedNode& node) { builder.add(node); });
    if (clip) {
        model.clips = {{moment->clip, clip->duration(), builder.posesMore()}};
        const Bounds bounds = boundsOfClip(document, *clip, builder);
        model.laterBounds = bounds.empty() ? std::nullopt : std::optional(bounds);
    }
    model.textures = library.decodeAll();
    return model;
}

} // namespace aureole::gltf
