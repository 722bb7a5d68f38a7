// "assets": model files, volumes and shapes.

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/error.h"
#include "core/extension.h"
#include "core/log.h"
#include "core/printable.h"
#include "import/model_outline.h"
#include "import/model_parts.h"
#include "model/primitives.h"
#include "scene/json/json_heightmap.h"
#include "scene/json/json_shapes.h"
#include "scene/json/json_volume.h"
#include "scene/json/scene_draft.h"
#include "scene/scene_memory.h"

namespace aureole {

namespace {

void shift(std::uint32_t& index, std::uint32_t offset) {
    if (index != kNone) {
        index += offset;
    }
}

void shiftTextures(Material& material, std::uint32_t offset) {
    for (const auto slot : kTextureSlots) {
        shift((material.*slot).texture, offset);
    }
}

template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

std::uint32_t count32(std::size_t count) {
    return static_cast<std::uint32_t>(count);
}

/// Turns a model's indices into those that it will have in the scene.
void shiftIndices(ImportedModel& model, const Scene& scene) {
    const std::uint32_t firstMesh = count32(scene.meshes.size());
    const std::uint32_t firstModel = count32(scene.voxelModels.size());
    const std::uint32_t firstMaterial = count32(scene.materials.size());
    for (Material& material : model.materials) {
        shiftTextures(material, count32(scene.textures.size()));
    }
    for (Mesh& mesh : model.meshes) {
        mesh.material += firstMaterial;
    }
    for (VoxelModel& voxels : model.voxelModels) {
        for (std::uint32_t& material : voxels.materials) {
            shift(material, firstMaterial);
        }
    }
    for (MeshInstance& instance : model.meshInstances) {
        instance.mesh += firstMesh;
        shift(instance.material, firstMaterial);
    }
    for (ClipPart& part : model.clipParts) {
        for (MeshInstance& instance : part.meshInstances) {
            instance.mesh += firstMesh;
            shift(instance.material, firstMaterial);
        }
    }
    const auto shiftModels = [&](std::vector<VoxelInstance>& instances) {
        for (VoxelInstance& instance : instances) {
            instance.model += firstModel;
        }
    };
    shiftModels(model.voxelInstances);
    for (ModelFrame& frame : model.laterFrames) {
        shiftModels(frame.voxelInstances);
    }
}

/// Moves a model into the scene.
PlacedAsset absorb(ImportedModel model, SceneDraft& draft) {
    Scene& scene = draft.scene;
    PlacedAsset placed;
    placed.fileHash = model.hash;
    placed.isOutlined = model.outline.has_value();
    if (draft.choosesByView || placed.isOutlined) {
        const ModelOutline outline = outlineOf(model);
        placed.bounds = outline.bounds;
        placed.area = outline.area;
    }
    for (const MeshInstance& instance : model.meshInstances) {
        placed.triangles += model.meshes[instance.mesh].triangles.size();
    }
    placed.frames = model.outline ? model.outline->frames : model.frames;
    placed.shares = !placed.isOutlined && paysToShare(model);
    placed.isSolid = !model.meshInstances.empty() || !model.voxelInstances.empty() ||
                     (model.outline && !model.outline->bounds.empty());
    shiftIndices(model, scene);
    placed.meshInstances = std::move(model.meshInstances);
    placed.voxelInstances = std::move(model.voxelInstances);
    placed.laterFrames = std::move(model.laterFrames);
    placed.clipParts = std::move(model.clipParts);
    placed.lights = std::move(model.lights);
    placed.octree = std::move(model.octree);
    placed.firstMaterial = count32(scene.materials.size());
    placed.materialCount = count32(model.materials.size());
    for (std::uint32_t i = 0; i < placed.materialCount; ++i) {
        placed.materials[model.materials[i].name].push_back(placed.firstMaterial + i);
    }
    append(scene.textures, model.textures);
    append(scene.materials, model.materials);
    append(scene.meshes, model.meshes);
    append(scene.voxelModels, model.voxelModels);
    return placed;
}

Bounds boundsOf(const Shape& shape) {
    Bounds bounds;
    if (!shape.sphere) {
        return boundsOf(shape.mesh);
    }
    bounds.add(shape.sphere->centre - shape.sphere->radius);
    bounds.add(shape.sphere->centre + shape.sphere->radius);
    return bounds;
}

double areaOf(const Shape& shape) {
    return shape.sphere ? 4.0 * kPi * shape.sphere->radius * shape.sphere->radius : areaOf(shape.mesh, glm::dmat4(1.0));
}

/// How far it is from the asset's origin to the farthest corner of what it places, or of a box around it.
double reachOf(const PlacedAsset& asset, const Scene& scene) {
    Bounds bounds = asset.octree ? asset.octree->bounds : asset.bounds;
    if (bounds.empty()) {
        for (const MeshInstance& instance : asset.meshInstances) {
            bounds.add(transformed(boundsOf(scene.meshes[instance.mesh]), instance.worldFromMesh));
        }
        for (const VoxelInstance& instance : asset.voxelInstances) {
            const Bounds cells{glm::dvec3(0.0), glm::dvec3(scene.voxelModels[instance.model].size)};
            bounds.add(transformed(cells, instance.worldFromModel));
        }
    }
    return bounds.empty() ? 0.0 : glm::length(glm::max(glm::abs(bounds.min), glm::abs(bounds.max)));
}

PlacedAsset addShape(const ValueReader& value, Shape shape, const std::string& name, SceneDraft& draft) {
    Mesh& mesh = shape.mesh;
    if (shape.fileHash.empty()) {
        takeMemory(value, bytesOf(mesh) + (shape.sphere ? sphereBytes(shape.sphere->subdivisions) : 0), draft);
    }
    if (draft.defaultMaterial == kNone) {
        draft.defaultMaterial = count32(draft.scene.materials.size());
        draft.scene.materials.emplace_back().name = "default";
    }
    mesh.name = name;
    mesh.material = draft.defaultMaterial;
    PlacedAsset placed;
    placed.fileHash = shape.fileHash;
    placed.bounds = boundsOf(shape);
    if (draft.choosesByView) {
        placed.area = areaOf(shape);
    }
    const std::uint32_t index = count32(draft.scene.meshes.size());
    placed.meshInstances.push_back({index, glm::dmat4(1.0), kNone});
    placed.triangles = shape.sphere ? sphereTriangles(shape.sphere->subdivisions) : mesh.triangles.size();
    draft.scene.meshes.push_back(std::move(mesh));
    if (shape.sphere) {
        draft.spheres.emplace_back(index, *shape.sphere);
    }
    return placed;
}

/// How a file is read.
struct FileReading {
    bool normalGreenDown = false;
    std::optional<bool> share;             ///< its parts; none: where it pays
    std::string grid;                      ///< of a file of several; "": the first
    std::optional<std::string> colourGrid; ///< as ImportOptions has it
    GridKeys gridKeys;                     ///< which name them
    std::vector<std::uint32_t> frames;     ///< of an animation, after the first
    std::optional<AssetClip> clip;         ///< that poses it
};

ModelSource modelSourceOf(const std::filesystem::path& path, const FileReading& reading, const SceneDraft& draft) {
    const auto moment = reading.clip ? std::optional(momentOf(*reading.clip, draft)) : std::nullopt;
    return {path,
            {.sceneFolder = draft.folder,
             .modelLinks = Links::Refuse,
             .normalGreenDown = reading.normalGreenDown,
             .grid = reading.grid,
             .colourGrid = reading.colourGrid,
             .frames = reading.frames,
             .moment = moment,
             // Outlines lack parts and poses.
             .outlines = reading.share == true || moment ? nullptr : draft.outlines}};
}

bool isImported(const ModelSource& source, const SceneDraft& draft) {
    return draft.imported && draft.imported->first == source;
}

/// The model of a file, unless it was imported before.
ImportedModel importOnce(const ModelSource& source, SceneDraft& draft) {
    if (isImported(source, draft)) {
        ImportedModel model = std::move(draft.imported->second);
        draft.imported.reset();
        return model;
    }
    return draft.models.take(source);
}

std::optional<PlacedAsset> readFileAsset(const std::string& name, const ValueReader& file, const FileReading& reading,
                                         SceneDraft& draft) {
    std::optional<PlacedAsset> placed;
    const auto path = readAssetPath(file, draft.folder);
    if (!path) {
        return placed;
    }
    std::uint64_t bytes = 0;
    noteErrors(file, reading.gridKeys, *path, [&] {
        ImportedModel model = importOnce(modelSourceOf(*path, reading, draft), draft);
        if (model.volume) {
            fail(ExitCode::BadInput,
                 "{}: found fog, the grid '{}', expected surfaces: fog is read by the asset's "
                 "'volume' in place of 'file'",
                 path->string(), excerpt(model.volume->name));
        }
        bytes = bytesOf(model);
        for (const ModelClip& clip : model.clips) {
            if (reading.clip && reading.clip->name == clip.name) {
                noteClip(name, *reading.clip, clip, draft);
            }
        }
        draft.files.add(model.hash);
        append(draft.scene.files, model.files);
        draft.scene.outlined = draft.scene.outlined || model.outline;
        const std::size_t first = draft.scene.meshes.size();
        placed = absorb(std::move(model), draft);
        for (std::size_t i = first; i < draft.scene.meshes.size(); ++i) {
            draft.scene.meshes[i].origin = fmt::format(" of asset '{}' ({})", name, path->filename().string());
        }
    });
    takeMemory(file, bytes, draft);
    return placed;
}

bool hasNormalMaps(const Scene& scene, const PlacedAsset& asset) {
    const auto first = scene.materials.begin() + asset.firstMaterial;
    return std::any_of(first, first + asset.materialCount,
                       [](const Material& material) { return material.normalTexture.used(); });
}

/// The name of a grid, by a key that only files of grids may have.
std::optional<ValueReader> readGridKey(ObjectReader& in, const char* key, const ValueReader& file, std::string& grid) {
    auto value = in.find(key);
    if (!value || !value->read(grid) || !file.json().is_string()) {
        return std::nullopt;
    }
    const std::string extension = lowerExtension(file.json().get<std::string>());
    if (extension != ".vdb" && extension != ".nvdb") {
        value->expected("none, as only .vdb and .nvdb files have grids");
    }
    return value;
}

/// Which grids of a file are read.
void readGrids(ObjectReader& in, const ValueReader& file, FileReading& reading) {
    reading.gridKeys.grid = readGridKey(in, "grid", file, reading.grid);
    if (reading.gridKeys.grid && reading.grid.empty()) {
        reading.gridKeys.grid->expected("the name of a grid");
    }
    std::string colours;
    reading.gridKeys.colours = readGridKey(in, "colourGrid", file, colours);
    if (reading.gridKeys.colours) {
        reading.colourGrid = colours;
    }
}

/// The keys that go with "file" of an asset.
FileReading readFileKeys(const std::string& name, const ValueReader& file, ObjectReader& in, SceneDraft& draft) {
    FileReading reading;
    in.boolean("normalGreenDown", reading.normalGreenDown);
    if (bool share = false; in.boolean("share", share)) {
        reading.share = share;
    }
    readGrids(in, file, reading);
    reading.clip = readClip(in, file);
    const std::set<std::uint32_t>& frames = draft.framesOfAssets[name];
    reading.frames.assign(frames.begin(), frames.end());
    return reading;
}

/// "file" of an asset, with the keys that go with it.
std::optional<PlacedAsset> readModelAsset(const std::string& name, const ValueReader& file, ObjectReader& in,
                                          SceneDraft& draft) {
    const FileReading reading = readFileKeys(name, file, in, draft);
    std::optional<PlacedAsset> placed = readFileAsset(name, file, reading, draft);
    if (placed && reading.normalGreenDown && !hasNormalMaps(draft.scene, *placed)) {
        logWarning("{}: {}/normalGreenDown: found true, but no material of the model has a normal map",
                   draft.scene.file.string(), in.pointer());
    }
    if (placed) { // an asset with `voxels` is one octree, unless it says otherwise
        placed->shares = reading.share.value_or(placed->shares && !in.has("voxels"));
        if (reading.share == false) {
            placed->clipParts.clear();
        }
        if (placed->octree && reading.share) {
            in.find("share")->expected("none for an octree (.avo), which has no parts");
        }
    }
    return placed;
}

/// How a volume's file is read.
FileReading readingOfGrid(const std::string& grid) {
    FileReading reading;
    reading.grid = grid;
    return reading;
}

std::optional<PlacedAsset> readVolumeAsset(const std::string& name, const ValueReader& value, SceneDraft& draft) {
    const auto import = [&](const std::filesystem::path& path, const std::string& grid) {
        return importOnce(modelSourceOf(path, readingOfGrid(grid), draft), draft);
    };
    return readVolume(name, value, import, draft);
}

std::optional<PlacedAsset> readAsset(const std::string& name, ObjectReader& in, SceneDraft& draft) {
    std::optional<PlacedAsset> placed;
    std::size_t kinds = 0;
    if (const auto file = in.find("file")) {
        ++kinds;
        placed = readModelAsset(name, *file, in, draft);
    }
    for (const ShapeReader& reader : shapeReaders()) {
        if (const auto value = in.find(reader.key)) {
            ++kinds;
            if (std::optional<Shape> shape = reader.read(*value)) {
                placed = addShape(*value, std::move(*shape), name, draft);
            }
        }
    }
    if (const auto value = in.find("heightmap")) {
        ++kinds;
        if (std::optional<HeightmapAsset> map = readHeightmap(*value, draft)) {
            placed = addShape(*value, Shape{std::move(map->mesh), {}, std::move(map->hash)}, name, draft);
        }
    }
    if (const auto value = in.find("volume")) {
        ++kinds;
        placed = readVolumeAsset(name, *value, draft);
    }
    const auto voxels = in.has("volume") ? std::nullopt : in.find("voxels"); // those of volumes are their file's
    if (voxels && placed) {
        placed->voxels = readAssetVoxels(*voxels);
        if (placed->octree) {
            voxels->expected("none for an octree (.avo): it has its own");
        }
    }
    if (kinds != 1) {
        in.problem(fmt::format("found {} of the keys 'file', 'box', 'sphere', 'quad', 'mesh', 'heightmap' and "
                               "'volume', expected exactly one",
                               kinds));
    }
    return placed;
}

/// Announces a model that an asset is going to ask for.
void expectModel(const ValueReader& file, const FileReading& reading, SceneDraft& draft) {
    if (const auto path = readAssetPath(file, draft.folder)) {
        ModelSource source = modelSourceOf(*path, reading, draft);
        if (!isImported(source, draft)) {
            draft.models.expect(std::move(source));
        }
    }
}

/// Announces all models that assets are going to ask for, in their order. What is wrong is told once they do.
void expectModels(const Json& document, SceneDraft& draft) {
    const auto assets = document.find("assets");
    if (assets == document.end()) {
        return;
    }
    for (const auto& [name, asset] : assets->items()) {
        ReadLog unheard;
        ObjectReader in(ValueReader(asset, {}, unheard));
        if (const auto file = in.find("file")) {
            expectModel(*file, readFileKeys(name, *file, in, draft), draft);
        }
        in.object("volume", [&](ObjectReader& volume) {
            const auto file = volume.find("file");
            for (const std::string& grid : gridsOfVolume(volume)) {
                if (file) {
                    expectModel(*file, readingOfGrid(grid), draft);
                }
            }
        });
    }
}

} // namespace

void readAssets(ObjectReader& root, SceneDraft& draft) {
    expectModels(root.value().json(), draft);
    root.named("assets", [&](const std::string& name, ObjectReader& in) {
        // An asset that failed keeps its name, so that its instances are not blamed as well.
        PlacedAsset& asset = draft.assets[name];
        asset = readAsset(name, in, draft).value_or(PlacedAsset{});
        asset.name = name;
        asset.reach = reachOf(asset, draft.scene);
    });
}

void makeSpheres(SceneDraft& draft) {
    for (const auto& [index, sphere] : draft.spheres) {
        Mesh& mesh = draft.scene.meshes[index];
        Mesh made = makeSphere(sphere.centre, sphere.radius, sphere.subdivisions);
        made.name = std::move(mesh.name);
        made.material = mesh.material;
        mesh = std::move(made);
    }
}

} // namespace aureole
