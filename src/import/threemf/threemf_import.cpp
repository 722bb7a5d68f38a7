// Read here, as assimp 5.2 has no colours of triangles, and crashes on objects that hold themselves; and not by lib3mf
// 1.8, the newest in Debian 12, which refuses two of the samples that its own consortium publishes, knows nothing of
// layers of properties, and tells no line. minizip reads the archive, expat its parts.

#include "import/threemf/threemf_import.h"

#include <cmath>
#include <memory>
#include <set>

#include "core/error.h"
#include "core/log.h"
#include "import/pictures/texture_file.h"
#include "import/threemf/document.h"
#include "import/threemf/object_meshes.h"
#include "model/texture_library.h"

namespace aureole::threemf {

namespace {

/// Our axes from the format's, whose z is up: (x, y, z) -> (x, z, -y).
glm::dmat4 worldFromPackage(double metresOfUnit) {
    const double u = metresOfUnit;
    return {{u, 0.0, 0.0, 0.0}, {0.0, 0.0, -u, 0.0}, {0.0, u, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
}

class ModelMaker {
public:
    ModelMaker(Package& package)
        : package_(package)
        , document_(readDocument(package)) {}

    ImportedModel make() {
        const glm::dmat4 world = worldFromPackage(document_.metresOfUnit);
        for (const Component& item : document_.items) {
            place(item, world);
        }
        finishPlain();
        model_.textures = library_.decodeAll();
        return std::move(model_);
    }

private:
    /// Places what an item or a component stands for.
    void place(const Component& component, const glm::dmat4& parent) {
        const auto found = document_.objects.find(component.object);
        if (found == document_.objects.end()) {
            refuse(component.place, "found objectid=\"{}\", expected an object that is there", component.object.id);
        }
        if (!path_.insert(component.object).second) {
            refuse(component.place, "found the object {} within itself, expected others", component.object.id);
        }
        constexpr std::size_t kMaxDepth = 256;
        if (path_.size() > kMaxDepth) {
            refuse(component.place, "found objects within objects more than {} deep, expected at most that", kMaxDepth);
        }
        const glm::dmat4 world = parent * component.transform;
        requireFinite(world, component.place);
        const std::vector<std::uint32_t>& meshes = meshesOf(component.object, found->second);
        constexpr std::size_t kMostPlaced = std::size_t{1} << 20U; // components of components multiply
        placed_ += std::max<std::size_t>(1, meshes.size());
        if (placed_ > kMostPlaced) {
            refuse(component.place,
                   "found more than {} objects and meshes placed up to this one, expected at most that", kMostPlaced);
        }
        for (const std::uint32_t mesh : meshes) {
            model_.meshInstances.push_back({mesh, world, kNone});
        }
        for (const Component& part : found->second.components) {
            place(part, world);
        }
        path_.erase(component.object);
    }

    void requireFinite(const glm::dmat4& matrix, const Place& at) const {
        double sum = 0.0;
        for (glm::length_t column = 0; column < 4; ++column) {
            sum += glm::dot(glm::abs(matrix[column]), glm::dvec4(1.0));
        }
        if (!std::isfinite(sum)) {
            refuse(at, "found transforms that place it nowhere, expected finite numbers");
        }
    }

    /// The model's meshes of an object, made when it is first placed.
    const std::vector<std::uint32_t>& meshesOf(ResourceId id, Object& object) {
        const auto [found, isNew] = meshes_.try_emplace(id);
        if (isNew && !object.triangles.empty()) {
            for (SurfaceMesh& made : threemf::meshesOf(document_, package_.name(), id, object)) {
                made.mesh.material = materialOf(made.surface);
                found->second.push_back(static_cast<std::uint32_t>(model_.meshes.size()));
                model_.meshes.push_back(std::move(made.mesh));
            }
        }
        return found->second;
    }

    std::uint32_t materialOf(const Surface& surface) {
        const auto [found, isNew] =
            materials_.try_emplace(surface, static_cast<std::uint32_t>(model_.materials.size()));
        if (isNew) {
            model_.materials.push_back(makeMaterial(surface));
        }
        return found->second;
    }

    Material makeMaterial(const Surface& surface) {
        Material material;
        material.name = "default";
        material.alphaMode = AlphaMode::Blend; // where an alpha is below 1
        if (surface.base.id != kNone) {
            const PropertyGroup& group = document_.groups.at(surface.base);
            material.name = group.names[surface.entry];
            material.albedo = glm::vec3(group.colours[surface.entry]);
            material.alpha = group.colours[surface.entry].a;
        } else if (surface.texture.id != kNone) {
            readPicture(document_.textures.at(surface.texture), material);
        }
        return material;
    }

    void readPicture(const PackagedTexture& texture, Material& material) {
        material.name = texture.path;
        if (!package_.has(texture.path)) {
            logWarning("{}: found no part '{}', which is a texture; what has it goes without", package_.name(),
                       texture.path);
            return;
        }
        material.albedo = glm::vec3(1.0F);
        material.albedoTexture.texture = library_.add(Package::keyOf(texture.path), [&]() -> TextureLibrary::Decode {
            auto bytes = std::make_shared<const std::vector<std::byte>>(package_.readAll(texture.path));
            return [bytes, name = fmt::format("{}: {}", package_.name(), texture.path)] {
                return decodeTexture(*bytes, name);
            };
        });
        material.albedoTexture.wrap = texture.wrap;
        material.albedoTexture.nearest = texture.nearest;
        material.albedoTexture.srgb = true;
    }

    /// Colours of vertices are whole colours where no material was given: the default grey must not darken them.
    void finishPlain() {
        const auto plain = materials_.find(Surface());
        if (plain == materials_.end()) {
            return;
        }
        bool coloured = false;
        for (const Mesh& mesh : model_.meshes) {
            coloured = coloured || (mesh.material == plain->second && !mesh.colours.empty());
        }
        if (!coloured) {
            return;
        }
        model_.materials[plain->second].albedo = glm::vec3(1.0F);
        for (Mesh& mesh : model_.meshes) {
            if (mesh.material == plain->second && mesh.colours.empty()) {
                mesh.colours.assign(mesh.positions.size(), kPlainColour);
            }
        }
    }

    template <typename... Args>
    [[noreturn]] void refuse(const Place& at, fmt::format_string<Args...> format, Args&&... args) const {
        fail(ExitCode::BadInput, "{}: {}: {}", package_.name(), document_.nameOf(at),
             fmt::format(format, std::forward<Args>(args)...));
    }

    Package& package_;
    Document document_;
    ImportedModel model_;
    TextureLibrary library_;
    std::map<Surface, std::uint32_t> materials_;
    std::map<ResourceId, std::vector<std::uint32_t>> meshes_;
    std::set<ResourceId> path_; ///< objects that the one under way is part of
    std::size_t placed_ = 0;
};

} // namespace

ImportedModel importThreemf(const AssetReader& reader) {
    const std::vector<std::byte> bytes = reader.readModel();
    Package package(bytes, reader.name());
    return ModelMaker(package).make();
}

} // namespace aureole::threemf
