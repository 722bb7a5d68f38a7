#include "scene/scene_conflicts.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scene/animation.h"
#include "scene/grid_scene.h"
#include "scene/json/json_document.h"
#include "scene/surface.h"

namespace aureole {

namespace {

/// Only Sobol points fall into halves.
void findHalves(const Scene& scene, std::vector<SceneConflict>& found) {
    if (scene.integrator.sampler != SamplerKind::Sobol && scene.film.aovs.has(Aov::Halves)) {
        found.push_back({"/film/aovs", "/integrator/sampler",
                         "found 'halves' with the sampler 'independent', expected 'sobol', whose points are two "
                         "sequences, or 'variance'"});
    }
    if (scene.integrator.sampler != SamplerKind::Sobol && scene.film.denoise == DenoiserKind::Builtin) {
        found.push_back({"/film/denoise", "/integrator/sampler",
                         "found 'builtin' with the sampler 'independent', expected 'sobol', whose two sequences it "
                         "compares, or 'oidn'"});
    }
}

/// The largest number that floats count to.
constexpr std::size_t kMostNumbers = 1U << 24U;

/// A file's octree has numbers of materials of its own.
void findIds(const Scene& scene, std::vector<SceneConflict>& found) {
    if (scene.gridPlacements.size() > kMostNumbers &&
        (scene.film.aovs.has(Aov::Instance) || scene.film.aovs.has(Aov::Asset))) {
        found.push_back({"/film/aovs", "/instances",
                         fmt::format("found the layer of {} instances, expected at most {}, as floats have numbers",
                                     scene.gridPlacements.size(), kMostNumbers)});
    }
    for (const SceneGrid& grid : scene.grids) {
        if (grid.octree && scene.grids.size() > 1 && scene.film.aovs.has(Aov::Id)) {
            found.push_back({"/film/aovs", childPointer("/assets", grid.name) + "/file",
                             "found 'id' with the octree of a file beside others, expected meshes, whose materials are "
                             "numbered together"});
        }
    }
}

/// Glare spreads by angles: an orthographic picture has none, so that only an image serves as its kernel, and a picture
/// of the whole sphere is not flat.
void findBloom(const Scene& scene, const SceneUse& use, std::vector<SceneConflict>& found) {
    if (!scene.bloom.enabled || !use.bloom || !use.camera) {
        return;
    }
    const Camera& camera = scene.cameras.at(*use.camera);
    const std::string place = childPointer("/cameras", camera.name) + "/projection";
    if (camera.projection == Projection::Equirectangular) {
        found.push_back({"/bloom", place,
                         fmt::format("found bloom with the equirectangular camera '{}', expected a flat picture, which "
                                     "glare can be added to by a convolution; --no-bloom renders without",
                                     camera.name)});
    } else if (camera.projection == Projection::Orthographic && isGeneratedBloomKernel(scene.bloom.kernel)) {
        found.push_back({"/bloom", place,
                         fmt::format("found bloom with the orthographic camera '{}', expected an image as its kernel, "
                                     "as the pixels span no angle for a generated one; --no-bloom renders without",
                                     camera.name)});
    }
}

/// The key that a frame is at, if it is at one.
std::string placeOfFrame(const Animation& animation, std::uint32_t frame) {
    for (std::size_t i = 0; i < animation.keys.size(); ++i) {
        if (animation.keys[i].frame == frame) {
            return fmt::format("/animation/path/keys/{}", i);
        }
    }
    return "/animation/path";
}

/// The first of the frames that sees nothing.
void findBlindFrame(const Scene& scene, const IndexRange& frames, std::vector<SceneConflict>& found) {
    if (!scene.animation || scene.animation->kind != AnimationKind::Path) {
        return;
    }
    const std::uint32_t end = std::min(frames.second, scene.animation->frames);
    for (std::uint32_t frame = frames.first; frame < end; ++frame) {
        if (const std::optional<std::string> fault = faultOfFrame(scene, frame)) {
            found.push_back({placeOfFrame(*scene.animation, frame), "", *fault});
            return;
        }
    }
}

bool gives(const VoxelSettings& voxels, std::string_view key) {
    return std::find(voxels.given.begin(), voxels.given.end(), key) != voxels.given.end();
}

/// Where all assets have octrees of their own, whose voxels they describe themselves, the scene describes none.
void findUnusedVoxelKeys(const Scene& scene, std::vector<SceneConflict>& found) {
    for (const char* const key : {"resolution", "surface", "attributes"}) {
        const bool isUsed = std::any_of(scene.grids.begin(), scene.grids.end(), [&](const SceneGrid& grid) {
            return !grid.octree && (grid.name.empty() || !gives(grid.voxels, key));
        });
        if (scene.hasGrids() && !isUsed && gives(scene.voxels, key) && !onlyOctreeFiles(scene)) {
            found.push_back({std::string("/voxels/") + key, "",
                             fmt::format("found '{}' with assets that all have octrees of their own and say their {}, "
                                         "expected none",
                                         key, key)});
        }
    }
}

/// What is one octree together has one resolution.
void findIdleLevels(const Scene& scene, std::vector<SceneConflict>& found) {
    const bool isUsed = std::any_of(scene.grids.begin(), scene.grids.end(), [](const SceneGrid& grid) {
        return !grid.octree && !grid.name.empty() && !gives(grid.voxels, "levels");
    });
    if (scene.voxels.levels && gives(scene.voxels, "levels") && !isUsed && !onlyOctreeFiles(scene)) {
        found.push_back(
            {"/voxels/levels", "",
             "found levels of detail for no asset, expected one that has an octree of its own, by 'voxels', "
             "and does not say itself whether it has levels"});
    }
}

/// An octree is voxelised already.
void findIdleVoxelKeys(const Scene& scene, std::vector<SceneConflict>& found) {
    const std::optional<std::filesystem::path> octree = onlyOctreeFiles(scene);
    if (!octree) {
        return;
    }
    for (const std::string& key : scene.voxels.given) {
        found.push_back({"/voxels/" + key, "",
                         fmt::format("found '{}' with the octree {}, expected none: an octree has its {}", key,
                                     octree->filename().string(), key)});
    }
}

/// Planes alone have an error.
void findIdleError(const Scene& scene, const SceneUse& use, std::vector<SceneConflict>& found) {
    const auto note = [&](const std::string& place, const VoxelSettings& voxels) {
        found.push_back({place + "/error", place + "/surface",
                         fmt::format("found {:g} with surface '{}', expected it with surface 'planes' alone",
                                     voxels.error, surfaceKindNames()[static_cast<std::size_t>(voxels.surface)])});
    };
    const auto isPlanes = [](const VoxelSettings& voxels) { return voxels.surface == SurfaceKind::Planes; };
    const bool serves =
        isPlanes(scene.voxels) || std::any_of(scene.grids.begin(), scene.grids.end(), [&](const auto& grid) {
            return isPlanes(grid.voxels) && !gives(grid.voxels, "error");
        });
    if (gives(scene.voxels, "error") && !serves && !onlyOctreeFiles(scene) && !use.surfaceChosen) {
        note("/voxels", scene.voxels);
    }
    for (const SceneGrid& grid : scene.grids) {
        const bool another = use.surfaceChosen && !gives(grid.voxels, "surface"); // than the file's own
        if (!grid.name.empty() && gives(grid.voxels, "error") && !isPlanes(grid.voxels) && !another) {
            note(childPointer("/assets", grid.name) + "/voxels", grid.voxels);
        }
    }
}

void findOddVoxelsOfAll(const Scene& scene, std::vector<SceneConflict>& found) {
    const auto note = [&](SceneConflict conflict) { // grids of one asset in several materials have the same keys
        if (std::none_of(found.begin(), found.end(),
                         [&](const SceneConflict& other) { return other.pointer == conflict.pointer; })) {
            found.push_back(std::move(conflict));
        }
    };
    const auto check = [&](const std::string& place, const VoxelSettings& voxels,
                           const std::vector<MeshInstance>& instances) {
        for (SceneConflict& conflict : findOddVoxels(place, voxels)) {
            note(std::move(conflict));
        }
        const MeshInstance* glass = voxels.mode == Coverage::Thin ? findSolidGlass(scene, instances) : nullptr;
        if (glass != nullptr) {
            note({place + "/mode", "",
                  fmt::format("found 'thin' with mesh '{}' of glass, expected 'conservative' or 'solid'",
                              scene.meshes[glass->mesh].name)});
        }
    };
    for (const SceneGrid& grid : scene.grids) {
        if (!grid.octree) {
            check(grid.name.empty() ? "/voxels" : childPointer("/assets", grid.name) + "/voxels", grid.voxels,
                  grid.meshInstances);
        }
    }
    if (!scene.hasGrids() && !scene.octree) {
        check("/voxels", scene.voxels, scene.meshInstances);
    }
}

void findIdleExposure(const Scene& scene, std::vector<SceneConflict>& found) {
    if (const std::optional<IdleMetering> idle = findIdleMetering(scene.film)) {
        found.push_back({"/film/" + std::string(idle->setting->key), "/film/exposure", idle->message});
    }
}

std::string messageOf(const Scene& scene, const std::vector<SceneConflict>& conflicts) {
    std::vector<std::string> lines;
    lines.reserve(conflicts.size());
    for (const SceneConflict& conflict : conflicts) {
        lines.push_back(fmt::format("{}: {}", scene.file.string(), conflict.message));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

} // namespace

ConflictError::ConflictError(const Scene& scene, std::vector<SceneConflict> conflicts)
    : Error(ExitCode::BadInput, messageOf(scene, conflicts))
    , conflicts_(std::move(conflicts)) {}

bool choosesSurface(const std::vector<SceneOverride>& overrides, const SettingsChanges& changes) {
    const auto has = [&](std::string_view pointer) {
        return changes.find(pointer) ||
               std::any_of(overrides.begin(), overrides.end(), [&](const auto& o) { return o.first == pointer; });
    };
    return has("/voxels/surface") && !has("/voxels/error") && !has("/voxels");
}

SceneUse defaultUse(const Scene& scene, const std::vector<SceneOverride>& overrides) {
    return {scene.hasDefaultCamera ? std::optional<std::uint32_t>(0) : std::nullopt, true, kAllFrames,
            choosesSurface(overrides)};
}

std::vector<SceneConflict> findOddVoxels(const std::string& place, const VoxelSettings& voxels) {
    std::vector<SceneConflict> found;
    const std::string& surface = surfaceKindNames()[static_cast<std::size_t>(voxels.surface)];
    const auto needsCubes = [&](const char* key, const std::string& value, const std::string& other) {
        found.push_back(
            {fmt::format("{}/{}", place, key), place + "/surface",
             fmt::format("found '{}' with surface '{}', expected '{}', or surface 'cubes'", value, surface, other)});
    };
    if (voxels.surface != SurfaceKind::Cubes && voxels.mode != Coverage::Conservative) {
        needsCubes("mode", coverageNames()[static_cast<std::size_t>(voxels.mode)], coverageNames().front());
    }
    if (voxels.surface != SurfaceKind::Cubes && voxels.encoding != TreeKind::Tree) {
        needsCubes("encoding", treeKindNames()[static_cast<std::size_t>(voxels.encoding)], treeKindNames().front());
    }
    if (voxels.attributes == VoxelContent::None && voxels.surface == SurfaceKind::Planes) {
        found.push_back({place + "/attributes", place + "/surface",
                         "found 'none' with surface 'planes', whose sides attributes tell, expected surface 'cubes' "
                         "or 'field'"});
    }
    return found;
}

std::vector<SceneConflict> findConflicts(const Scene& scene, const SceneUse& use) {
    std::vector<SceneConflict> found;
    findHalves(scene, found);
    findIds(scene, found);
    findBloom(scene, use, found);
    findBlindFrame(scene, use.frames, found);
    findIdleVoxelKeys(scene, found);
    findUnusedVoxelKeys(scene, found);
    findIdleLevels(scene, found);
    findIdleError(scene, use, found);
    findOddVoxelsOfAll(scene, found);
    findIdleExposure(scene, found);
    return found;
}

} // namespace aureole
