// The faces of OBJ files, as they are checked before assimp reads them, and MTL files.

#include <cmath>

#include "fuzz.h"
#include "import/asset_reader.h"
#include "import/folder_files.h"
#include "import/obj/mtl.h"
#include "import/obj/obj_faces.h"

namespace aureole::fuzz {

namespace {

void requireSane(const std::optional<float>& value) {
    require(!value || std::isfinite(*value), "numbers are finite");
}

void requireSane(const std::optional<glm::vec3>& value) {
    require(!value || (std::isfinite(value->x) && std::isfinite(value->y) && std::isfinite(value->z)),
            "colours are finite");
}

void requireSane(const std::optional<obj::MtlMap>& map) {
    if (map) {
        require(!map->path.empty() && map->line > 0, "maps have a file and a line");
        require(std::isfinite(map->scale.x) && std::isfinite(map->offset.y) && std::isfinite(map->bump),
                "the numbers of maps are finite");
    }
}

void requireSane(const obj::MtlMaterial& material) {
    for (const auto& colour : {material.diffuse, material.specular, material.emission, material.filter}) {
        requireSane(colour);
    }
    for (const auto& value : {material.shininess, material.opacity, material.roughness, material.metalness,
                              material.ior, material.illumination}) {
        requireSane(value);
    }
    for (const auto& map : {material.diffuseMap, material.emissionMap, material.opacityMap, material.roughnessMap,
                            material.metalnessMap, material.normalMap, material.bumpMap}) {
        requireSane(map);
    }
}

} // namespace

void runInput(Bytes input) {
    const std::filesystem::path file = written("model.obj", input);
    goesThrough(file.string(), [&] {
        FolderFiles files(file, {});
        const AssetReader reader(file, files);
        const std::size_t start = obj::byteOrderMark(reader);
        const obj::Misread misread = obj::checkFaces(reader, start);
        if (!misread.any()) {
            return;
        }
        const std::filesystem::path bare = written("bare.obj", bytesOf(obj::textForAssimp(reader, start, misread)));
        FolderFiles bareFiles(bare, {});
        require(!obj::checkFaces(AssetReader(bare, bareFiles), 0).any(), "a text for assimp is not misread");
    });
    goesThrough("model.mtl", [&] {
        for (const obj::MtlMaterial& material : obj::parseMtl(textOf(input), "model.mtl")) {
            requireSane(material);
        }
    });
}

} // namespace aureole::fuzz
