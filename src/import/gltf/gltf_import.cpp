#include "import/gltf/gltf_import.h"

#include <utility>

#include "core/log.h"
#include "import/gltf/cameras_lights.h"
#include "import/gltf/materials.h"
#include "import/gltf/nodes.h"
#include "import/gltf/primitives.h"
#include "model/texture_library.h"

namespace aureole::gltf {

namespace {

/// Reads each mesh when a node first uses it, and places it.
class SceneBuilder {
public:
    SceneBuilder(const Document& document, const std::vector<UvSets>& uvSets, ImportedModel& model)
        : document_(document)
        , uvSets_(uvSets)
        , model_(model)
        , meshes_(document.count("meshes")) {}

    void add(const PlacedNode& node) {
        if (const std::optional<JsonValue> mesh = node.json.find("mesh")) {
            addInstances(node, *mesh);
        }
        if (std::optional<Camera> camera = readCamera(document_, node)) {
            model_.cameras.push_back(std::move(*camera));
        }
        if (std::optional<PunctualLight> light = readLight(document_, node)) {
            model_.lights.push_back(std::move(*light));
        }
    }

private:
    struct MeshRange {
        bool read = false;
        std::size_t first = 0;
        std::size_t end = 0;
    };

    void addInstances(const PlacedNode& node, const JsonValue& reference) {
        if (node.json.has("skin")) {
            logWarning("{}: skins are not used, the mesh is shown as it was modelled", node.json.place());
        }
        const std::size_t index = reference.index(meshes_.size(), "mesh");
        MeshRange& range = meshes_[index];
        if (!range.read) {
            readMesh(index, range);
        }
        for (const glm::dmat4& transform : instanceTransforms(document_, node)) {
            for (std::size_t i = range.first; i < range.end; ++i) {
                model_.meshInstances.push_back({static_cast<std::uint32_t>(i), transform, kNone});
            }
        }
    }

    void readMesh(std::size_t index, MeshRange& range) {
        const JsonValue json = document_.element("meshes", index);
        const std::string label = json.nameOr(fmt::format("mesh {}", index));
        range = {true, model_.meshes.size(), model_.meshes.size()};
        for (Mesh& mesh : readPrimitives(document_, json, label, uvSets_)) {
            if (mesh.material == kNone) {
                mesh.material = defaultMaterialIndex();
            }
            model_.meshes.push_back(std::move(mesh));
        }
        range.end = model_.meshes.size();
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
    ImportedModel& model_;
    std::vector<MeshRange> meshes_;
    std::uint32_t defaultMaterial_ = kNone;
};

} // namespace

ImportedModel importGltf(const AssetReader& reader, bool normalGreenDown) {
    const Document document(reader);
    ImportedModel model;
    TextureLibrary library;
    MaterialList list = readMaterials(document, library, normalGreenDown);
    model.materials = std::move(list.materials);
    SceneBuilder builder(document, list.uvSets, model);
    if (document.count("animations") > 0) {
        logWarning("{}: /animations: are not used, nodes stand where they are without", reader.name());
    }
    visitNodes(document, [&](const PlacedNode& node) { builder.add(node); });
    model.textures = library.decodeAll();
    return model;
}

} // namespace aureole::gltf
