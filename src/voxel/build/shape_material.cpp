#include "voxel/build/shape_material.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "scene/grid_scene.h"
#include "scene/surface.h"
#include "shared/octree/attributes.h"
#include "voxel/build/voxel_material.h"

namespace aureole {

namespace {

/// What of a material differs between voxels, or asks more of them than a shape; "" of one that suits.
const char* unsuited(const Material& material) {
    if (isGlass(material)) {
        return "glass";
    }
    if (material.emission != glm::vec3(0.0F)) {
        return "emission";
    }
    if (material.pattern) {
        return "a pattern";
    }
    return variesOverSurface(material) ? "a texture" : "";
}

class ShapeCheck {
public:
    explicit ShapeCheck(const Scene& scene)
        : scene_(scene) {}

    void add(const std::string& what, std::uint32_t material) {
        if (const char* const found = unsuited(scene_.materials[material]); *found != '\0') {
            refuse(what, found);
        } else if (material_ != kNone && material != material_) {
            refuse(what, fmt::format("the material '{}' beside '{}'", scene_.materials[material].name,
                                     scene_.materials[material_].name));
        }
        material_ = material;
    }

    void refuse(const std::string& what, const std::string& found,
                const char* cure = "one opaque material without textures and emission: \"material\" gives an instance "
                                   "one") {
        if (conflicts_.empty()) {
            conflicts_.push_back({placeOfVoxels(scene_, "attributes"), "",
                                  fmt::format("found 'none' with {}, which has {}, expected {}", what, found, cure)});
        }
    }

    std::vector<SceneConflict> take() { return std::move(conflicts_); }

private:
    const Scene& scene_;
    std::uint32_t material_ = kNone;
    std::vector<SceneConflict> conflicts_;
};

/// The material of a scene's shape; kNone where nothing is placed.
std::uint32_t shapeMaterial(const Scene& scene) {
    if (!scene.meshInstances.empty()) {
        return materialIndexOf(scene, scene.meshInstances.front());
    }
    if (!scene.voxelInstances.empty()) {
        const VoxelModel& model = scene.voxelModels[scene.voxelInstances.front().model];
        if (model.isLevelSet()) {
            return model.materials[1];
        }
        for (const std::uint8_t cell : model.cells) {
            if (cell != 0) {
                return model.materials[cell];
            }
        }
    }
    return kNone;
}

} // namespace

std::vector<SceneConflict> findShapeConflicts(const Scene& scene, SurfaceKind surface) {
    if (surface == SurfaceKind::Planes) {
        return {{placeOfVoxels(scene, "attributes"), placeOfVoxels(scene, "surface"),
                 "found 'none' with surface 'planes', expected 'cubes' or 'field': planes need attributes, which tell "
                 "their sides"}};
    }
    ShapeCheck check(scene);
    for (const MeshInstance& instance : scene.meshInstances) {
        const Mesh& mesh = scene.meshes[instance.mesh];
        const std::string what = fmt::format("mesh '{}'", mesh.name);
        check.add(what, materialIndexOf(scene, instance));
        if (!mesh.colours.empty()) {
            check.refuse(what, "colours of vertices", "a mesh without: a material does not take them away");
        }
    }
    for (const VoxelInstance& instance : scene.voxelInstances) {
        const VoxelModel& model = scene.voxelModels[instance.model];
        if (model.isLevelSet()) {
            const std::string what = fmt::format("level set '{}'", model.name);
            check.add(what, model.materials[1]);
            if (!model.colours.empty()) {
                check.refuse(what, "colours of its own", R"(none: "colourGrid": "" of its asset leaves them out)");
            }
        }
        for (const std::uint8_t cell : model.cells) {
            if (cell != 0) {
                check.add(fmt::format("voxel model '{}'", model.name), model.materials[cell]);
            }
        }
    }
    return check.take();
}

shared::VoxelAttributes shapeAttributes(const Scene& scene) {
    const std::uint32_t index = shapeMaterial(scene);
    const Material material = index != kNone ? scene.materials[index] : Material();
    shared::VoxelSurface surface = shared::noSurface();
    surface.albedo = material.albedo;
    surface.roughness = material.roughness;
    surface.metalness = material.metalness;
    surface.material = static_cast<std::uint32_t>(shapePalette(scene).size()) - 1;
    surface.normal = glm::vec3(0.0F, 0.0F, 1.0F);
    surface.geometricNormal = surface.normal;
    surface.crease = 1;
    surface.hollow = 3;
    return shared::packAttributes(surface);
}

std::vector<shared::VoxelMaterial> shapePalette(const Scene& scene) {
    const std::uint32_t index = shapeMaterial(scene);
    std::vector<shared::VoxelMaterial> palette = {kPlainMaterial};
    if (index != kNone && index != kPlainMaterial.material) {
        palette.push_back({glm::vec3(0.0F), index});
    }
    return palette;
}

} // namespace aureole
