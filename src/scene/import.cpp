#include "scene/import.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/extension.h"
#include "core/suggest.h"
#include "scene/asset_reader.h"
#include "scene/assimp/assimp_import.h"
#include "scene/gltf/gltf_import.h"
#include "scene/octree_header.h"
#include "scene/outline_cache.h"
#include "scene/triangle_area.h"
#include "scene/vox/vox_import.h"

namespace aureole {

namespace {

/// Formats that people have and whose readers hold up; assimp's others are left out on purpose.
const std::array<std::string, 14> kExtensions = {"gltf", "glb", "vox", "obj", "ply", "stl", "fbx",
                                                 "dae",  "3ds", "3mf", "off", "lwo", "x",   "avo"};

/// Without the dot.
std::string extensionOf(const std::filesystem::path& file) {
    std::string extension = lowerExtension(file);
    extension.erase(0, 1);
    return extension;
}

ImportedModel readModel(const std::string& extension, AssetReader& reader, const ImportOptions& options) {
    if (extension == "glb" || extension == "gltf") {
        return gltf::importGltf(reader, options);
    }
    if (extension == "vox") {
        return vox::importVox(reader);
    }
    return importWithAssimp(reader, options);
}

bool anyTriangleHasArea(const Mesh& mesh, const glm::dmat4& worldFromMesh) {
    return std::any_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const glm::uvec3& triangle) {
        std::array<glm::dvec3, 3> corners;
        for (int i = 0; i < 3; ++i) {
            corners[static_cast<std::size_t>(i)] =
                glm::dvec3(worldFromMesh * glm::dvec4(mesh.positions[triangle[i]], 1.0));
        }
        return hasArea(corners);
    });
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

/// Of an octree only the header is read here; whoever renders it loads it.
ImportedModel importOctree(const std::filesystem::path& file) {
    const OctreeFileHeader header = readOctreeHeader(file);
    ImportedModel model;
    model.octree = OctreeInstance{file, octreeBounds(header)};
    model.octree->largestLevel = largestLevel({header.size[0], header.size[1], header.size[2]});
    Hasher hasher;
    hasher.add(&header.checksum, sizeof(header.checksum)); // it covers the checksums of all that follows
    model.hash = hasher.hex();
    model.files = {file};
    return model;
}

} // namespace

std::span<const std::string> modelExtensions() {
    return kExtensions;
}

bool isModelFile(const std::filesystem::path& file) {
    return std::find(kExtensions.begin(), kExtensions.end(), extensionOf(file)) != kExtensions.end();
}

ImportedModel importModel(const std::filesystem::path& file, const ImportOptions& options) {
    const std::string extension = extensionOf(file);
    if (!isModelFile(file)) {
        std::string known;
        for (const std::string& name : kExtensions) {
            known += (known.empty() ? "." : ", .") + name;
        }
        fail(ExitCode::BadInput, "{}: found the extension '.{}', expected one of {}{}", file.string(), extension, known,
             didYouMean(extension, kExtensions));
    }
    if (extension == "avo") {
        return importOctree(file);
    }
    const std::optional<std::string> outlineName =
        options.outlines != nullptr ? OutlineCache::nameOf(file, options) : std::nullopt;
    if (outlineName) {
        if (std::optional<ImportedModel> outline = options.outlines->find(*outlineName, file, options)) {
            return std::move(*outline);
        }
    }
    AssetReader reader(file, options);
    ImportedModel model = readModel(extension, reader, options);
    if (model.meshInstances.empty() && model.voxelInstances.empty()) {
        fail(ExitCode::BadInput, "{}: holds no triangle, expected at least one", file.string());
    }
    if (model.voxelInstances.empty()) {
        requireArea(model, file.string());
    }
    model.hash = reader.hash();
    model.files = reader.references();
    model.files.push_back(file);
    if (outlineName && !reader.missedFiles()) {
        options.outlines->store(*outlineName, file, options, model, reader.references());
    }
    return model;
}

} // namespace aureole
