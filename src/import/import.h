#pragma once

// Models from files: .glb and .gltf, .vox, .binvox, builds of Minecraft (.schem, .schematic, .litematic, .nbt), .off,
// level sets and fog of OpenVDB and NanoVDB (.vdb, .nvdb), octrees (.avo), and the formats read through assimp,
// point clouds (.ply without faces) among them.
//
// Units. Lengths are taken as metres (FBX says its own unit, which is honoured; a MagicaVoxel cell is one metre, and so
// is a block of Minecraft). glTF gives lights in candela and lux and emission in nits; the numbers are kept as they
// are, in W/sr, W/m^2 and W/(sr m^2). One factor of 683 lm/W over all of them would only shift the exposure, and not
// every exporter applies it.
//
// Colours. glTF's vertex colours and factors are linear. Vertex colours of the other formats and MagicaVoxel palettes
// are display-encoded (sRGB) by custom, and are made linear here; colours of MTL, FBX, DAE and 3DS materials are
// linear as they stand.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/input_file.h"
#include "model/camera.h"
#include "model/density_grid.h"
#include "model/light.h"
#include "model/material.h"
#include "model/mesh.h"
#include "model/texture.h"

namespace aureole {

class OutlineCache;

/// A moment of an animation of a model file.
struct ClipMoment {
    std::string clip;     ///< its name
    double seconds = 0.0; ///< since its beginning
    bool loops = false;   ///< it begins again behind its end; else it stays there

    bool operator==(const ClipMoment&) const = default;
};

/// An animation of a model file.
struct ModelClip {
    std::string name;
    double seconds = 0.0; ///< the time of its last key
    bool poses = true;    ///< it changes more of the model than where ImportedModel::clipParts are
};

/// Where something is at a second of a clip: scaled, by no factor 0, then turned, then translated.
struct ClipPose {
    double seconds = 0.0;
    glm::dvec3 translation{0.0};
    glm::dquat turn{1.0, 0.0, 0.0, 0.0}; ///< of unit length
    glm::dvec3 scale{1.0};
};

/// What a clip moves as a whole. From pose to pose it goes straight, and turns by the shorter way, to within 1e-6 of
/// what the file says; of two poses at one time it jumps from the first to the second.
struct ClipPart {
    std::string name;                        ///< of the node that moves it
    std::vector<ClipPose> poses;             ///< at least one, ascending: from 0 to the end of the clip
    std::vector<MeshInstance> meshInstances; ///< in coordinates of its own; none where it has lights alone
};

struct ImportOptions {
    /// Buffers, textures and material libraries must lie in this folder, symbolic links resolved. Empty: the folder
    /// of the model file. The model file itself may lie anywhere: whoever names it answers for it.
    std::filesystem::path sceneFolder;
    /// What becomes of links in the model's own path. They are refused where a scene refers to it.
    Links modelLinks = Links::Follow;
    /// The green channel of normal textures points down (DirectX) instead of up (OpenGL, glTF).
    bool normalGreenDown = false;
    /// Of files of several grids (.vdb, .nvdb) the one to read; empty: the first level set, or else fog.
    std::string grid{};
    /// Whose values are the level set's colours; "": none; nothing: 'Cd', where there is one.
    std::optional<std::string> colourGrid{};
    /// Of an animation the frames, after the first, whose voxels are read.
    std::vector<std::uint32_t> frames{};
    /// How nodes, joints and morph targets of glTF stand; none: nodes at rest, and meshes as they were modelled.
    std::optional<ClipMoment> moment{};
    /// Where there is one: gives the outline of a model that it knows, and gets that of any other.
    const OutlineCache* outlines = nullptr;

    bool operator==(const ImportOptions&) const = default;
};

/// What points a model consists of, whose meshes are a triangle of no size to speak of for each.
struct PointCloud {
    double spacing = 0.0; ///< the side of cells that hold some of the points each, above 0 where there are several
    bool hasNormals = false;
};

/// What stands for the surfaces of a model that are left out.
struct ModelOutline {
    Bounds bounds;     ///< of everything solid in all frames, in the model's coordinates
    double cell = 0.0; ///< the side of its voxels, where it consists of voxels alone, all alike and along the axes
    double area = 0.0; ///< of its surfaces, about
    double levelSetCell = 0.0; ///< the side of the finest level set's cells, on average; 0 where there is none
    std::optional<PointCloud> points;
    std::uint32_t frames = 1;       ///< of an animation
    std::vector<glm::dvec3> hull{}; ///< the corners of the convex hull of everything solid in all frames, about
};

/// What an animation shows at a frame.
struct ModelFrame {
    std::uint32_t number = 0;
    std::vector<VoxelInstance> voxelInstances;
};

/// What a model file holds. Indices are local to the model; triangle indices are in range, positions finite.
struct ImportedModel {
    std::vector<Texture> textures;
    std::vector<Material> materials; ///< at least one where there are meshes
    std::vector<Mesh> meshes;
    std::vector<MeshInstance> meshInstances;
    std::vector<VoxelModel> voxelModels;
    std::vector<VoxelInstance> voxelInstances;
    /// Of an animation: how many frames it has, the box around everything solid in those after the first (of a clip, in
    /// poses all through it), and those of them that were asked for. voxelInstances are those of the first.
    std::uint32_t frames = 1;
    std::optional<Bounds> laterBounds;
    std::vector<ModelFrame> laterFrames;
    std::vector<ModelClip> clips;         ///< the animation of glTF that poses it, if one does
    std::vector<ClipPart> clipParts;      ///< `motion` of mesh instances and lights, which are posed, are their numbers
    std::optional<PointCloud> points;     ///< of a cloud
    std::optional<DensityGrid> volume;    ///< then there is nothing else
    std::optional<OctreeInstance> octree; ///< then there is nothing else
    /// Of a model without its surfaces: there are no textures, meshes, voxel models and instances, and materials are
    /// names only.
    std::optional<ModelOutline> outline;
    std::vector<Camera> cameras;
    std::vector<PunctualLight> lights;
    std::optional<Daylight> daylight;
    /// Of every byte read: the model, its buffers, material libraries and textures; 16 hex digits. Of an octree, of its
    /// checksums.
    std::string hash;
    std::vector<std::filesystem::path> files; ///< the model and all that it refers to
};

/// Reads a model. Throws Error (BadInput) naming the file and the place in it: unknown extension, missing, truncated
/// or malformed data, an index out of range, a vertex that is not finite, no triangle and no voxel at all, none of the
/// triangles with an area, a reference that leaves the scene folder, is absolute or a URL. Safe to call from several
/// threads.
ImportedModel importModel(const std::filesystem::path& file, const ImportOptions& options);

/// Whether the extension (in either case) is one that importModel reads.
bool isModelFile(const std::filesystem::path& file);

/// The extensions importModel reads, lower case, without the dot.
std::span<const std::string> modelExtensions();

} // namespace aureole
