#include "import/import.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/extension.h"
#include "core/suggest.h"
#include "import/asset_reader.h"
#include "import/folder_files.h"
#include "import/isolated_model.h"
#include "import/model_parts.h"
#include "import/octree_header.h"
#include "import/outline_cache.h"
#include "import/read_model.h"
#include "sandbox/settings.h"

namespace aureole {

namespace {

/// Formats that people have and whose readers hold up; assimp's others are left out on purpose.
const std::array<std::string, 21> kExtensions = {"gltf",  "glb",       "vox",       "obj", "ply", "stl",  "fbx",
                                                 "dae",   "3ds",       "3mf",       "off", "lwo", "x",    "binvox",
                                                 "schem", "schematic", "litematic", "nbt", "vdb", "nvdb", "avo"};

/// The extension of a file, in lower case and without its dot.
std::string extensionOf(const std::filesystem::path& file) {
    std::string extension = lowerExtension(file);
    extension.erase(0, 1);
    return extension;
}

/// Reads the header of an octree alone; whoever renders it loads the rest.
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

/// Reads the model in a worker process, unless isolation is turned off.
ImportedModel readFrom(FolderFiles& files, const std::filesystem::path& file, const ImportOptions& options) {
    if (sandbox::settings().isolation != sandbox::Isolation::None) {
        return readModelIsolated(files, options);
    }
    files.hashAsset();
    const AssetReader reader(file, files);
    return readModel(reader, options);
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
    if (options.outlines != nullptr && outlineName) {
        if (std::optional<ImportedModel> outline = options.outlines->find(*outlineName, file, options)) {
            return std::move(*outline);
        }
    }
    FolderFiles files(file, options);
    ImportedModel model = readFrom(files, file, options);
    model.hash = files.hash();
    model.files = files.references();
    model.files.push_back(file);
    // Densities are read again each time, and so are models whose parts are shared.
    if (options.outlines != nullptr && outlineName && !files.missedFiles() && !model.volume && !paysToShare(model)) {
        options.outlines->store(*outlineName, file, options, model, files.references());
    }
    return model;
}

} // namespace aureole
