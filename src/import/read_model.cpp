#include "import/read_model.h"

#include <algorithm>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/extension.h"
#include "core/log.h"
#include "import/assimp/assimp_import.h"
#include "import/binvox/binvox_import.h"
#include "import/gltf/gltf_import.h"
#include "import/model_outline.h"
#include "import/off/off_import.h"
#include "import/schematic/schematic_import.h"
#include "import/threemf/threemf_import.h"
#include "import/vdb/vdb_import.h"
#include "import/vox/vox_import.h"
#include "model/blended_material.h"

namespace aureole {

namespace {

ImportedModel readByExtension(const AssetReader& reader, const ImportOptions& options) {
    const std::string extension = lowerExtension(reader.file());
    if (extension == ".glb" || extension == ".gltf") {
        return gltf::importGltf(reader, options.normalGreenDown, options.moment);
    }
    if (extension == ".vox") {
        return vox::importVox(reader, options.frames);
    }
    if (extension == ".binvox") {
        return binvox::importBinvox(reader);
    }
    if (extension == ".schem" || extension == ".schematic" || extension == ".litematic" || extension == ".nbt") {
        return schematic::importSchematic(reader);
    }
    if (extension == ".vdb" || extension == ".nvdb") {
        return vdb::importVdb(reader, {options.grid, options.colourGrid});
    }
    if (extension == ".3mf") {
        return threemf::importThreemf(reader);
    }
    if (extension == ".off") {
        return off::importOff(reader);
    }
    return importWithAssimp(reader, options.normalGreenDown);
}

/// Triangles without area show nothing, and what goes wrong with them goes unseen once a scene adds a floor.
void requireArea(const ImportedModel& model, const std::string& name) {
    std::size_t triangles = 0;
    for (const MeshInstance& instance : model.meshInstances) {
        const Mesh& mesh = model.meshes[instance.mesh];
        if (anyTriangleHasArea(mesh, instance.worldFromMesh)) {
            return;
        }
        triangles += mesh.triangles.size();
    }
    if (triangles > 0) {
        fail(ExitCode::BadInput, "{}: found {}, expected at least one triangle with an area", name,
             triangles == 1 ? "a single triangle, which has no area"
                            : fmt::format("{} triangles, all of which have no area", triangles));
    }
}

/// Coordinates are single precision: of a model far from its own origin, as from a survey, little of its shape is left.
void warnOfCoarseCoordinates(const ImportedModel& model, const std::string& name) {
    constexpr double kLeastSteps = 512.0; // across the model: voxels at the default resolution
    Bounds bounds;
    for (const Mesh& mesh : model.meshes) {
        bounds.add(boundsOf(mesh));
    }
    const auto longest = [](const glm::dvec3& v) { return std::max({v.x, v.y, v.z}); };
    const double width = longest(bounds.extent());
    const double farthest = longest(glm::max(-bounds.min, bounds.max));
    const double step = farthest * std::numeric_limits<float>::epsilon();
    if (width > 0.0 && step * kLeastSteps > width) {
        logWarning("{}: lies up to {:.3g} m from its own origin and is {:.3g} m wide: its coordinates, of single "
                   "precision, are up to {:.2g} m off; move it to its origin",
                   name, farthest, width, step / 2.0);
    }
}

/// Whether a mesh of that material has colours with an alpha in between.
bool hasAlphaOfColours(const ImportedModel& model, std::size_t material) {
    return std::any_of(model.meshes.begin(), model.meshes.end(), [&](const Mesh& mesh) {
        return mesh.material == material &&
               std::any_of(mesh.colours.begin(), mesh.colours.end(),
                           [](const glm::vec4& colour) { return colour.w >= kLeastAlpha && colour.w <= kMostAlpha; });
    });
}

} // namespace

ImportedModel readModel(const AssetReader& reader, const ImportOptions& options) {
    ImportedModel model = readByExtension(reader, options);
    if (model.meshInstances.empty() && model.voxelInstances.empty() && !model.volume) {
        fail(ExitCode::BadInput, "{}: holds no triangle, expected at least one", reader.name());
    }
    if (model.voxelInstances.empty()) {
        requireArea(model, reader.name());
        warnOfCoarseCoordinates(model, reader.name());
    }
    for (std::size_t i = 0; i < model.materials.size(); ++i) {
        blendOver(model.materials[i], model.textures, hasAlphaOfColours(model, i));
    }
    return model;
}

} // namespace aureole
