// "instances": assets placed in the scene, with materials of their own.

#include <cmath>

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>

#include "import/octree_header.h"
#include "scene/json/scene_draft.h"
#include "scene/scene_memory.h"

namespace aureole {

namespace {

glm::dmat4 rotationOf(double degrees, const glm::dvec3& axis) {
    return glm::rotate(glm::dmat4(1.0), degrees * kPi / 180.0, axis);
}

/// Angles about X, then Y, then Z, in degrees, or {"axis", "angle"}.
glm::dmat4 readRotation(const ValueReader& value) {
    if (!value.json().is_object()) {
        glm::dvec3 angles{0.0};
        value.read(angles);
        return rotationOf(angles.z, {0.0, 0.0, 1.0}) * rotationOf(angles.y, {0.0, 1.0, 0.0}) *
               rotationOf(angles.x, {1.0, 0.0, 0.0});
    }
    glm::dvec3 axis{0.0};
    double angle = 0.0;
    bool good = false;
    value.readObject([&](ObjectReader& in) {
        const auto axisValue = in.require("axis");
        const auto angleValue = in.require("angle");
        good = axisValue && axisValue->read(axis);
        good = angleValue && angleValue->read(angle, {}) && good;
        if (good && glm::length(axis) < 1e-12) {
            axisValue->expected("an axis of a length above 0");
            good = false;
        }
    });
    return good ? rotationOf(angle, glm::normalize(axis)) : glm::dmat4(1.0);
}

/// One factor or three. Negative ones mirror; 0 would flatten the asset.
glm::dvec3 readScale(const ValueReader& value) {
    glm::dvec3 scale{1.0};
    if (value.json().is_array()) {
        value.read(scale);
    } else {
        double factor = 1.0;
        value.read(factor, {});
        scale = glm::dvec3(factor);
    }
    if (scale.x * scale.y * scale.z == 0.0) {
        value.expected("factors other than 0");
        return glm::dvec3(1.0);
    }
    return scale;
}

/// 16 numbers, column by column as in glTF.
glm::dmat4 readMatrix(const ValueReader& value) {
    std::array<double, 16> numbers{};
    if (!value.readNumbers(numbers.data(), numbers.size(), {})) {
        return glm::dmat4(1.0);
    }
    glm::dmat4 matrix(1.0);
    for (glm::length_t column = 0; column < 4; ++column) {
        for (glm::length_t row = 0; row < 4; ++row) {
            matrix[column][row] = numbers[4 * static_cast<std::size_t>(column) + static_cast<std::size_t>(row)];
        }
    }
    if (numbers[3] != 0.0 || numbers[7] != 0.0 || numbers[11] != 0.0 || numbers[15] != 1.0) {
        value.expected("an affine matrix, column by column: every fourth number 0, the last one 1");
    } else if (glm::determinant(glm::dmat3(matrix)) == 0.0) {
        value.expected("a matrix that can be inverted");
    }
    return matrix;
}

template <typename Value>
Names namesIn(const std::map<std::string, Value>& map) {
    Names names;
    for (const auto& [name, unused] : map) {
        names.add(name);
    }
    return names;
}

/// The asset that `value` names; null with a problem noted where there is none.
PlacedAsset* findAssetNamed(const ValueReader& value, SceneDraft& draft) {
    std::string name;
    if (!value.read(name)) {
        return nullptr;
    }
    const auto found = draft.assets.find(name);
    if (found == draft.assets.end()) {
        readReference(value, "asset", namesIn(draft.assets)); // says so; not for each that is right, there may be many
        return nullptr;
    }
    found->second.used = true;
    return &found->second;
}

/// Which materials an instance is made of.
struct MaterialChoice {
    std::uint32_t all = kNone;                     ///< "material"
    std::map<std::uint32_t, std::uint32_t> single; ///< "materials": from the asset's own

    bool none() const { return all == kNone && single.empty(); }

    /// The override of a material of the asset, or kNone.
    std::uint32_t overrideOf(std::uint32_t own) const {
        const auto found = single.find(own);
        return found != single.end() ? found->second : all;
    }
};

MaterialChoice readMaterialChoice(ObjectReader& in, const PlacedAsset* asset, const SceneDraft& draft) {
    MaterialChoice choice;
    if (const auto value = in.find("material")) {
        if (const auto index = readReference(*value, "material", draft.materialNames)) {
            choice.all = static_cast<std::uint32_t>(*index);
        }
    }
    const auto map = in.find("materials");
    if (!map || asset == nullptr) {
        return choice;
    }
    if (!map->json().is_object()) {
        map->expected("an object: for materials of the asset, materials of the scene");
        return choice;
    }
    for (const auto& [ownName, target] : map->json().items()) {
        const ValueReader entry(target, childPointer(map->pointer(), ownName), in.log());
        const auto index = readReference(entry, "material", draft.materialNames);
        const auto own = asset->materials.find(ownName);
        if (own == asset->materials.end()) {
            const Json name = ownName;
            readReference(ValueReader(name, entry.pointer(), in.log()), "material of the asset",
                          namesIn(asset->materials));
            continue;
        }
        for (const std::uint32_t material : own->second) { // of one name all are meant
            choice.single[material] = index ? static_cast<std::uint32_t>(*index) : kNone;
        }
    }
    return choice;
}

/// A voxel model with other materials; instances cannot say that themselves, so it is a copy.
std::uint32_t variantOf(Scene& scene, std::uint32_t model, const MaterialChoice& choice) {
    if (choice.none()) {
        return model;
    }
    VoxelModel variant = scene.voxelModels[model];
    for (std::uint32_t& material : variant.materials) {
        const std::uint32_t chosen = material == kNone ? kNone : choice.overrideOf(material);
        material = chosen == kNone ? material : chosen;
    }
    scene.voxelModels.push_back(std::move(variant));
    return static_cast<std::uint32_t>(scene.voxelModels.size() - 1);
}

/// What placing an asset takes: its instances, their part of voxelisation, and copies of voxel models. Instances share
/// their meshes, and voxel models of the same materials. (What the cells of these take is known once they are looked
/// at, by voxelisation.)
std::uint64_t bytesOfPlacing(const PlacedAsset& asset, const MaterialChoice& choice, bool lights, const Scene& scene) {
    std::uint64_t bytes = asset.meshInstances.size() * sizeof(MeshInstance) + kPlacedBytes * asset.triangles;
    for (const VoxelInstance& instance : asset.voxelInstances) {
        bytes += sizeof(VoxelInstance) + (choice.none() ? 0 : bytesOf(scene.voxelModels[instance.model]));
    }
    return bytes + (lights ? asset.lights.size() * sizeof(PunctualLight) : 0);
}

void placeGeometry(const PlacedAsset& asset, const glm::dmat4& transform, const MaterialChoice& choice, Scene& scene) {
    for (MeshInstance instance : asset.meshInstances) {
        const std::uint32_t own = instance.material != kNone ? instance.material : scene.meshes[instance.mesh].material;
        const std::uint32_t chosen = choice.overrideOf(own);
        instance.worldFromMesh = transform * instance.worldFromMesh;
        instance.material = chosen != kNone ? chosen : instance.material;
        scene.meshInstances.push_back(instance);
    }
    for (VoxelInstance instance : asset.voxelInstances) {
        instance.worldFromModel = transform * instance.worldFromModel;
        instance.model = variantOf(scene, instance.model, choice);
        scene.voxelInstances.push_back(instance);
    }
}

void placeLights(const PlacedAsset& asset, const std::string& instance, const glm::dmat4& transform, Scene& scene) {
    for (PunctualLight light : asset.lights) {
        light.name = instance + "/" + light.name;
        light.position = transform * glm::dvec4(light.position, 1.0);
        light.direction = glm::normalize(glm::dmat3(transform) * light.direction);
        scene.lights.push_back(std::move(light));
    }
}

/// The level of detail, which only octrees have.
std::uint32_t readLevel(ObjectReader& in, const PlacedAsset* asset) {
    std::uint32_t level = 0;
    if (!in.integer("level", level, 0, largestLevel(glm::uvec3(kMaximumResolution))) || asset == nullptr) {
        return 0;
    }
    const std::uint32_t largest = asset->octree ? asset->octree->largestLevel : 0;
    if (level <= largest) {
        return level;
    }
    in.find("level")->expected(asset->octree
                                   ? fmt::format("a level from 0 to {}, where a single voxel is left", largest)
                                   : "0: only octrees (.avo) have levels of detail");
    return 0;
}

/// An octree keeps its axes and its proportions, has materials of its own, and does not mix with other solids.
void placeOctree(const OctreeInstance& octree, const glm::dmat4& transform, std::uint32_t level, bool material,
                 ObjectReader& in, Scene& scene) {
    const double scale = transform[0][0];
    const bool uniform = scale > 0.0 && glm::dmat3(transform) == glm::dmat3(scale);
    if (!uniform) {
        in.problem(
            "found an octree (.avo) turned, mirrored or stretched, expected 'translate' and one 'scale' above 0");
    }
    if (material) {
        in.problem("found materials for an octree (.avo), expected none: its voxels have their own");
    }
    if (scene.octree) {
        in.problem("found a second octree (.avo), expected one at most");
    }
    scene.octree = octree;
    scene.octree->scale = scale;
    scene.octree->translation = glm::dvec3(transform[3]);
    scene.octree->level = level;
}

void readInstance(const std::string& name, ObjectReader& in, SceneDraft& draft) {
    PlacedAsset* asset = nullptr;
    if (const auto value = in.require("asset")) {
        asset = findAssetNamed(*value, draft);
    }
    const glm::dmat4 transform = readTransform(in);
    const MaterialChoice choice = readMaterialChoice(in, asset, draft);
    bool lights = true;
    in.boolean("lights", lights);
    const std::uint32_t level = readLevel(in, asset);
    if (asset != nullptr) {
        takeMemory(in.value(), bytesOfPlacing(*asset, choice, lights, draft.scene), draft);
        placeGeometry(*asset, transform, choice, draft.scene);
        if (asset->octree) {
            placeOctree(*asset->octree, transform, level, !choice.none(), in, draft.scene);
        }
        if (lights) {
            placeLights(*asset, name, transform, draft.scene);
        }
    }
}

} // namespace

glm::dmat4 readTransform(ObjectReader& in) {
    const auto matrix = in.find("matrix");
    if (matrix && (in.has("translate") || in.has("rotate") || in.has("scale"))) {
        matrix->expected("either 'matrix' alone or 'translate', 'rotate' and 'scale'");
    }
    glm::dvec3 translation{0.0};
    in.vector("translate", translation);
    const auto rotate = in.find("rotate");
    const auto scale = in.find("scale");
    if (matrix) {
        return readMatrix(*matrix);
    }
    return glm::translate(glm::dmat4(1.0), translation) * (rotate ? readRotation(*rotate) : glm::dmat4(1.0)) *
           glm::scale(glm::dmat4(1.0), scale ? readScale(*scale) : glm::dvec3(1.0));
}

void readInstances(ObjectReader& root, SceneDraft& draft) {
    const auto value = root.find("instances");
    root.named("instances", [&](const std::string& name, ObjectReader& in) { readInstance(name, in, draft); });
    const Scene& scene = draft.scene;
    if (value && scene.octree && !(scene.meshInstances.empty() && scene.voxelInstances.empty())) {
        value->log().add(value->pointer(), "found an octree (.avo) beside other models, expected it alone: voxels of "
                                           "several sources do not mix");
    }
}

} // namespace aureole
