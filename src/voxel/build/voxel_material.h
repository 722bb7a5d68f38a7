#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shared/octree/attributes.h"
#include "shared/octree/octree.h"
#include "voxel/surface/radiance.h"

namespace aureole {

/// The material that emits nothing, which is entry 0 of every palette.
inline constexpr shared::VoxelMaterial kPlainMaterial = {shared::vec3(0.0F), 0};

/// Whether two materials are equal, as MaterialHash tells them apart: emissions must not have components of -0.
struct SameMaterial {
    bool operator()(const shared::VoxelMaterial& a, const shared::VoxelMaterial& b) const {
        return a.material == b.material && a.emission == b.emission;
    }
};

struct MaterialHash {
    std::size_t operator()(const shared::VoxelMaterial& value) const {
        return RadianceHash()(value.emission) ^ (std::size_t{value.material} * 0x9E3779B97F4A7C15ULL);
    }
};

inline bool isPlain(const shared::VoxelMaterial& material) {
    return SameMaterial()(material, kPlainMaterial);
}

inline void setMaterialNumber(shared::VoxelAttributes& attributes, std::uint32_t number) {
    attributes.shading &= ~(ATTRIBUTE_MAX_MATERIAL << ATTRIBUTE_MATERIAL_SHIFT);
    attributes.shading |= number << ATTRIBUTE_MATERIAL_SHIFT;
}

inline std::uint32_t materialNumber(const shared::VoxelAttributes& attributes) {
    return (attributes.shading >> ATTRIBUTE_MATERIAL_SHIFT) & ATTRIBUTE_MAX_MATERIAL;
}

/// A voxel with surface in it, while an octree is built: its attributes without a material number, and its material.
struct SurfaceVoxel {
    shared::VoxelAttributes attributes{};
    shared::VoxelMaterial material = kPlainMaterial;
};

} // namespace aureole
