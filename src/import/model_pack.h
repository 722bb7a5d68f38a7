#pragma once

// What models are made of, for sandbox/pack.h.

#include "import/import.h"
#include "sandbox/pack.h"

namespace aureole {

namespace sandbox {

template <>
inline constexpr Wrap kLastOf<Wrap> = Wrap::Clamp;
template <>
inline constexpr MaterialModel kLastOf<MaterialModel> = MaterialModel::ThinGlass;
template <>
inline constexpr AlphaMode kLastOf<AlphaMode> = AlphaMode::Blend;
template <>
inline constexpr PatternKind kLastOf<PatternKind> = PatternKind::Noise;
template <>
inline constexpr Projection kLastOf<Projection> = Projection::Equirectangular;
template <>
inline constexpr LightType kLastOf<LightType> = LightType::Directional;

} // namespace sandbox

template <typename Archive>
void pack(Archive& archive, Texture& texture) {
    archive(texture.name, texture.width, texture.height, texture.rgba, texture.light);
}

template <typename Archive>
void pack(Archive& archive, TextureSlot& slot) {
    archive(slot.texture, slot.uvSet, slot.transform, slot.wrap, slot.nearest, slot.srgb, slot.triplanar, slot.tile);
}

template <typename Archive>
void pack(Archive& archive, Pattern& pattern) {
    archive(pattern.kind, pattern.size, pattern.octaves, pattern.seed, pattern.colours);
}

template <typename Archive>
void pack(Archive& archive, Material& material) {
    pack(archive, static_cast<MaterialConstants&>(material));
    archive(material.name, material.albedo, material.pattern, material.alpha, material.albedoTexture,
            material.roughness, material.metalness, material.metallicRoughnessTexture, material.emission,
            material.emissionTexture, material.normalTexture, material.normalScale, material.normalGreenDown,
            material.unlit, material.alphaMode, material.alphaCutoff);
}

template <typename Archive>
void pack(Archive& archive, Mesh& mesh) {
    archive(mesh.name, mesh.positions, mesh.normals, mesh.tangents, mesh.uvs, mesh.colours, mesh.triangles,
            mesh.material, mesh.origin);
}

template <typename Archive>
void pack(Archive& archive, MeshInstance& instance) {
    archive(instance.mesh, instance.worldFromMesh, instance.material, instance.motion);
}

template <typename Archive>
void pack(Archive& archive, LevelSet& levelSet) {
    archive(levelSet.offset, levelSet.blocks, levelSet.distances, levelSet.farthest);
}

template <typename Archive>
void pack(Archive& archive, ColourGrid& colours) {
    archive(colours.blocks, colours.values, colours.colours, colours.pointFromModel);
}

template <typename Archive>
void pack(Archive& archive, VoxelModel& model) {
    archive(model.name, model.size, model.cells, model.materials, model.levelSet, model.colours);
}

template <typename Archive>
void pack(Archive& archive, DensityGrid& grid) {
    archive(grid.name, grid.blocks, grid.values, grid.densities, grid.worldFromPoint);
}

template <typename Archive>
void pack(Archive& archive, VoxelInstance& instance) {
    archive(instance.model, instance.worldFromModel);
}

template <typename Archive>
void pack(Archive& archive, ModelFrame& frame) {
    archive(frame.number, frame.voxelInstances);
}

template <typename Archive>
void pack(Archive& archive, Bounds& bounds) {
    archive(bounds.min, bounds.max);
}

template <typename Archive>
void pack(Archive& archive, Exposure& exposure) {
    archive(exposure.fNumber, exposure.shutter, exposure.iso);
}

template <typename Archive>
void pack(Archive& archive, Camera& camera) {
    archive(camera.name, camera.projection, camera.position, camera.target, camera.up, camera.verticalFov,
            camera.height, camera.apertureRadius, camera.focusDistance, camera.blades, camera.bladeRotation,
            camera.exposure, camera.photograph);
}

template <typename Archive>
void pack(Archive& archive, PunctualLight& light) {
    archive(light.name, light.type, light.position, light.direction, light.intensity, light.innerConeAngle,
            light.outerConeAngle, light.lightGroup, light.motion);
}

template <typename Archive>
void pack(Archive& archive, Daylight& light) {
    archive(light.sunDirection, light.sunDiameter, light.sunIrradiance, light.skyRadiance, light.groundAlbedo,
            light.exposure);
}

template <typename Archive>
void pack(Archive& archive, ModelClip& clip) {
    archive(clip.name, clip.seconds, clip.poses);
}

template <typename Archive>
void pack(Archive& archive, ClipPose& pose) {
    archive(pose.seconds, pose.translation, pose.turn.x, pose.turn.y, pose.turn.z, pose.turn.w, pose.scale);
}

template <typename Archive>
void pack(Archive& archive, ClipPart& part) {
    archive(part.name, part.poses, part.meshInstances);
}

template <typename Archive>
void pack(Archive& archive, PointCloud& points) {
    archive(points.spacing, points.hasNormals);
}

template <typename Archive>
void pack(Archive& archive, ModelOutline& outline) {
    archive(outline.bounds, outline.cell, outline.area, outline.levelSetCell, outline.points, outline.frames,
            outline.hull);
}

/// All that a file holds; not what the program knows itself: the hash, the names of files, octrees and outlines.
template <typename Archive>
void pack(Archive& archive, ImportedModel& model) {
    archive(model.textures, model.materials, model.meshes, model.meshInstances, model.voxelModels, model.voxelInstances,
            model.frames, model.laterBounds, model.laterFrames, model.clips, model.clipParts, model.points,
            model.volume, model.cameras, model.lights, model.daylight);
}

} // namespace aureole
