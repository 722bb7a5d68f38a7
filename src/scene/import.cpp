#include "scene/import.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/error.h"
#include "core/suggest.h"
#include "scene/asset_reader.h"
#include "scene/assimp/assimp_import.h"
#include "scene/gltf/gltf_import.h"
#include "scene/vox/vox_import.h"

namespace aureole {

namespace {

/// Formats that people have and whose readers hold up; assimp's others are left out on purpose.
const std::array<std::string, 13> kExtensions = {"gltf", "glb", "vox", "obj", "ply", "stl", "fbx",
                                                 "dae",  "3ds", "3mf", "off", "lwo", "x"};

std::string extensionOf(const std::filesystem::path& file) {
    std::string extension = file.extension().string();
    extension.erase(0, 1);
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
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
    AssetReader reader(file, options);
    ImportedModel model = readModel(extension, reader, options);
    if (model.meshInstances.empty() && model.voxelInstances.empty()) {
        fail(ExitCode::BadInput, "{}: holds no triangle, expected at least one", file.string());
    }
    model.hash = reader.hash();
    return model;
}

} // namespace aureole
