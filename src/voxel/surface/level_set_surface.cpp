#include "voxel/surface/level_set_surface.h"

#include <algorithm>

#include "core/cube_index.h"
#include "core/set_bits.h"
#include "model/texture_sample.h"
#include "model/triplanar.h"

namespace aureole {

namespace {

/// What a material is at a place of a surface that faces `normal`, as far as it says so by constants, patterns and
/// textures laid over space.
SurfacePoint pointAt(const Scene& scene, std::uint32_t index, const glm::dvec3& place, const glm::vec3& normal) {
    const Material& material = scene.materials[index];
    const auto sampled = [&](const TextureSlot& slot) {
        return slot.used() && slot.triplanar ? sampleTriplanar(scene.textures[slot.texture], slot, place, normal)
                                             : glm::vec4(1.0F);
    };
    const glm::vec4 surface = sampled(material.metallicRoughnessTexture);
    SurfacePoint point;
    point.albedo = (material.pattern ? patternColour(*material.pattern, place, glm::dvec3(normal)) : material.albedo) *
                   glm::vec3(sampled(material.albedoTexture));
    point.roughness = material.roughness * surface.y;
    point.metalness = material.metalness * surface.z;
    point.emission = material.emission;
    if (material.emission != glm::vec3(0.0F)) {
        point.emission *= glm::vec3(sampled(material.emissionTexture));
    }
    point.material = index;
    point.normal = point.geometricNormal = normal;
    return point;
}

} // namespace

LevelSetSurface::Block& LevelSetSurface::blockOf(std::uint32_t instance, const glm::ivec3& corner) {
    auto block =
        std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& known) { return known.instance == instance; });
    if (block == blocks_.end()) {
        blocks_.push_back(
            {instance, GridLevelSet(primitives_, instance), ColourSampler(primitives_.model(instance).colours)});
        block = std::prev(blocks_.end());
    }
    if (block->corner != corner) {
        block->corner = corner;
        glm::ivec3 at;
        for (at.z = 0; at.z < kSide; ++at.z) {
            for (at.y = 0; at.y < kSide; ++at.y) {
                for (at.x = 0; at.x < kSide; ++at.x) {
                    block->inside[cubeIndex(at, kSide)] = block->levelSet.at(corner + at) < 0.0F;
                }
            }
        }
    }
    return *block;
}

void LevelSetSurface::append(const CellId& id, const glm::ivec3& block, std::uint64_t mask,
                             std::vector<SurfaceSample>& samples) {
    const Block& known = blockOf(id.instance, block);
    const auto hasSurface = [&](const glm::ivec3& voxel) {
        int inside = 0;
        for (std::uint32_t corner = 0; corner < 8; ++corner) {
            const glm::ivec3 at = voxel + glm::ivec3(corner & 1U, (corner >> 1U) & 1U, corner >> 2U);
            inside += known.inside[cubeIndex(at, kSide)] ? 1 : 0;
        }
        return inside != 0 && inside != 8;
    };
    const glm::vec3 normal = known.levelSet.normalIn(id.cell->cell);
    const VoxelGrid& grid = primitives_.grid();
    const glm::dvec3 cell(id.cell->cell);
    for (const std::uint32_t bit : setBits(mask)) {
        const glm::ivec3 voxel(shared::bitCell(bit));
        if (!hasSurface(voxel)) {
            continue;
        }
        SurfaceSample& sample = samples.emplace_back();
        sample.weight = 1.0;
        sample.bit = bit;
        sample.exactEmission = 1;
        sample.position = glm::vec3(voxel) + 0.5F;
        const glm::dvec3 place = grid.origin + (glm::dvec3(block) + glm::dvec3(sample.position)) * grid.voxelSize;
        sample.point = pointAt(primitives_.scene(), primitives_.model(id.instance).materials[1], place, normal);
        sample.plane = normal;
        // Where the cell is nearest to the voxel's middle: that itself, unless voxels are wider than cells.
        const glm::dvec3 middle = known.levelSet.inModel(glm::dvec3(block) + glm::dvec3(sample.position));
        if (const auto colour = known.colours.at(glm::clamp(middle, cell, cell + 1.0))) {
            sample.point.albedo = *colour;
        }
    }
}

} // namespace aureole
