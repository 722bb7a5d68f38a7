#include "import/assimp/assimp_import.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <assimp/BaseImporter.h>
#include <assimp/Importer.hpp>
#include <assimp/scene.h>

#include "core/error.h"
#include "core/extension.h"
#include "core/log.h"
#include "import/assimp/cameras_lights.h"
#include "import/assimp/convert.h"
#include "import/assimp/io_system.h"
#include "import/assimp/materials.h"
#include "import/assimp/meshes.h"
#include "import/assimp/ply_check.h"
#include "import/assimp/points.h"
#include "import/assimp/stl_check.h"
#include "import/obj/mtl_materials.h"
#include "import/obj/obj_faces.h"

namespace aureole {

namespace {

/// The extensions of the formats that are read through assimp.
constexpr std::array<std::string_view, 8> kFormats = {"obj", "ply", "stl", "fbx", "dae", "3ds", "lwo", "x"};

/// Whether one of the words is the extension of one of the formats.
bool isOurs(const char* extensions) {
    std::istringstream words(extensions);
    for (std::string word; words >> word;) {
        if (std::find(kFormats.begin(), kFormats.end(), word) != kFormats.end()) {
            return true;
        }
    }
    return false;
}

/// Takes away the readers of all other formats: where a file is not what its extension says, assimp tries them all.
void dropOtherReaders(Assimp::Importer& importer) {
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
        if (!isOurs(importer.GetImporterInfo(i)->mFileExtensions)) {
            const std::unique_ptr<Assimp::BaseImporter> dropped(importer.GetImporter(i));
            importer.UnregisterLoader(dropped.get());
        }
    }
}

/// Some exporters of COLLADA write how far one sees through a material where the format has how far one does not, and
/// so 0 for what is opaque. They are told by files in which nothing is opaque and something would not be seen at all.
void mendOpacities(aiScene& scene, const std::string& name) {
    std::set<unsigned> used;
    for (const aiMesh* mesh : std::span(scene.mMeshes, scene.mNumMeshes)) {
        if (mesh->mMaterialIndex < scene.mNumMaterials) {
            used.insert(mesh->mMaterialIndex);
        }
    }
    float least = 1.0F;
    float most = 0.0F;
    const auto opacityOf = [&](unsigned material) {
        float opacity = 1.0F;
        scene.mMaterials[material]->Get(AI_MATKEY_OPACITY, opacity);
        return opacity;
    };
    for (const unsigned material : used) {
        least = std::min(least, opacityOf(material));
        most = std::max(most, opacityOf(material));
    }
    if (!(least <= 0.0F && most < 1.0F)) {
        return;
    }
    logWarning("{}: found materials that would not be seen and none that is opaque; 'transparency' is read as its word "
               "says, 0 is opaque",
               name);
    for (const unsigned material : used) {
        const float opacity = 1.0F - opacityOf(material);
        scene.mMaterials[material]->AddProperty(&opacity, 1, AI_MATKEY_OPACITY);
    }
}

std::unique_ptr<aiScene> readScene(const AssetReader& reader) {
    checkPly(reader);
    checkStl(reader);
    std::size_t start = 0;
    std::optional<std::string> text;
    if (lowerExtension(reader.file()) == ".obj") {
        start = obj::byteOrderMark(reader);
        if (const obj::Misread misread = obj::checkFaces(reader, start); misread.any()) {
            text = obj::textForAssimp(reader, start, misread);
        }
    }
    Assimp::Importer importer;
    dropOtherReaders(importer);
    importer.SetIOHandler(new SingleFileIoSystem(reader, start, std::move(text))); // the importer owns it
    if (importer.ReadFile(reader.name(), 0) == nullptr) {
        if (std::string_view(importer.GetErrorString()) == std::bad_alloc().what()) {
            throw std::bad_alloc(); // assimp caught one, and tells its name alone
        }
        fail(ExitCode::BadInput, "{}: {}", reader.name(), importer.GetErrorString());
    }
    // Owned here, so that each mesh can go as soon as it is converted.
    std::unique_ptr<aiScene> scene(importer.GetOrphanedScene());
    if (lowerExtension(reader.file()) == ".dae") {
        mendOpacities(*scene, reader.name());
    }
    return scene;
}

/// Turns an assimp scene into a model.
class SceneConverter {
public:
    SceneConverter(const AssetReader& reader, bool normalGreenDown)
        : reader_(reader)
        , normalGreenDown_(normalGreenDown)
        , extension_(lowerExtension(reader.file()))
        , scene_(readScene(reader))
        , pictures_(reader) {
        if (extension_ == ".obj") {
            mtl_.emplace(reader, normalGreenDown);
        }
    }

    ImportedModel convert() {
        convertMeshes();
        if (scene_->mRootNode != nullptr) {
            visit(*scene_->mRootNode, rootTransform());
        }
        for (const auto& [assimpIndex, index] : materials_) {
            setColour(index);
        }
        model_.textures = library_.decodeAll();
        if (mtl_) {
            obj::MtlLibrary::dropHeightMaps(model_.materials, model_.textures);
        }
        return std::move(model_);
    }

private:
    /// assimp leaves FBX in centimetres, whatever the file's unit.
    glm::dmat4 rootTransform() const {
        constexpr double kCentimetre = 0.01;
        glm::dmat4 matrix(extension_ == ".fbx" ? kCentimetre : 1.0);
        matrix[3][3] = 1.0;
        return matrix;
    }

    void convertMeshes() {
        meshes_.assign(scene_->mNumMeshes, kNone);
        for (unsigned i = 0; i < scene_->mNumMeshes; ++i) {
            std::unique_ptr<aiMesh> source(scene_->mMeshes[i]);
            scene_->mMeshes[i] = nullptr;
            if (source->HasBones()) {
                logWarning("{}: mesh '{}': skins are not used, it is shown as it was modelled", reader_.name(),
                           source->mName.C_Str());
            }
            Mesh mesh = convertMesh(*source, MeshOptions{extension_ != ".stl"}, reader_.name());
            if (mesh.triangles.empty() && extension_ == ".ply" && !mesh.positions.empty()) {
                model_.points = makePoints(mesh);
            }
            if (mesh.triangles.empty()) {
                continue;
            }
            mesh.material = materialIndex(mesh.material);
            meshes_[i] = static_cast<std::uint32_t>(model_.meshes.size());
            model_.meshes.push_back(std::move(mesh));
        }
    }

    /// The material of an assimp index, made when first used: assimp adds default ones that nothing uses.
    std::uint32_t materialIndex(unsigned source) {
        const auto [found, isNew] = materials_.try_emplace(source, static_cast<std::uint32_t>(model_.materials.size()));
        if (isNew) {
            model_.materials.push_back(makeMaterial(source));
        }
        return found->second;
    }

    Material makeMaterial(unsigned index) {
        Material plain;
        plain.name = "default";
        if (index >= scene_->mNumMaterials || extension_ == ".ply" || extension_ == ".stl") {
            return plain;
        }
        const aiMaterial& source = *scene_->mMaterials[index];
        if (!mtl_) {
            return convertMaterial(*scene_, source, reader_, normalGreenDown_, pictures_, library_);
        }
        const std::string name = source.GetName().C_Str();
        return name == AI_DEFAULT_MATERIAL_NAME ? plain : mtl_->make(name, library_);
    }

    /// Vertex colours are whole colours where no material was given: the default grey must not darken them.
    void setColour(std::uint32_t material) {
        if (model_.materials[material].name != "default") {
            return;
        }
        const bool coloured = std::all_of(model_.meshes.begin(), model_.meshes.end(), [&](const Mesh& mesh) {
            return mesh.material != material || !mesh.colours.empty();
        });
        if (coloured) {
            model_.materials[material].albedo = glm::vec3(1.0F);
        }
    }

    std::optional<Camera> cameraOf(const aiCamera& source, const glm::dmat4& world) const {
        return extension_ == ".3ds" ? convert3dsCamera(source, toMatrix(scene_->mRootNode->mTransformation))
                                    : convertCamera(source, world);
    }

    void visit(const aiNode& node, const glm::dmat4& parent) {
        const glm::dmat4 world = parent * toMatrix(node.mTransformation);
        for (unsigned i = 0; i < node.mNumMeshes; ++i) {
            if (node.mMeshes[i] < meshes_.size() && meshes_[node.mMeshes[i]] != kNone) {
                model_.meshInstances.push_back({meshes_[node.mMeshes[i]], world, kNone});
            }
        }
        for (unsigned i = 0; i < scene_->mNumCameras; ++i) {
            if (scene_->mCameras[i]->mName == node.mName) {
                if (auto camera = cameraOf(*scene_->mCameras[i], world)) {
                    model_.cameras.push_back(std::move(*camera));
                }
            }
        }
        for (unsigned i = 0; i < scene_->mNumLights; ++i) {
            if (scene_->mLights[i]->mName == node.mName && isPunctual(*scene_->mLights[i])) {
                model_.lights.push_back(convertLight(*scene_->mLights[i], world));
            }
        }
        for (unsigned i = 0; i < node.mNumChildren; ++i) {
            visit(*node.mChildren[i], world);
        }
    }

    const AssetReader& reader_;
    bool normalGreenDown_;
    std::string extension_;
    std::unique_ptr<aiScene> scene_;
    std::optional<obj::MtlLibrary> mtl_;
    PictureFinder pictures_;
    TextureLibrary library_;
    std::vector<std::uint32_t> meshes_; ///< ours, by assimp's index
    std::map<unsigned, std::uint32_t> materials_;
    ImportedModel model_;
};

} // namespace

ImportedModel importWithAssimp(const AssetReader& reader, bool normalGreenDown) {
    return SceneConverter(reader, normalGreenDown).convert();
}

} // namespace aureole
