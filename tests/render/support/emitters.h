#pragma once

// Lamps of voxels on the CPU, and what they light a point with.

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpu_paths.h"
#include "emissive_palette.h"
#include "emitter_tables.h"
#include "integrator/light_tree.h"
#include "voxel/build/build.h"
#include "voxel/build/voxel_material.h"
#include "voxel/tree/emitter_boxes.h"

namespace aureole {

/// Lamps of voxels, and what lights a point: nothing else does.
class Emitters : public CpuPaths {
protected:
    void useOctree(Octree octree) {
        arrays_ = makeEmitterBoxes(octree, collectEmissiveVoxels(octree));
        use(std::move(octree));
        tables_ = tablesOf(arrays_);
        params_.emitters = reinterpret_cast<std::uint64_t>(&tables_);
        tree_ = makeLightTree(placedBoxes(arrays_.boxes, arrays_.facings, double{params_.voxelSize}));
        light_.type = LIGHT_PLACED;
        light_.probability = 0.75F;
        params_.path.lights.lights = reinterpret_cast<std::uint64_t>(&light_);
        params_.path.lights.lightCount = 1;
        params_.path.lights.nodes = reinterpret_cast<std::uint64_t>(tree_.nodes.data());
        params_.path.lights.trails = reinterpret_cast<std::uint64_t>(tree_.trails.data());
        params_.path.lights.root = tree_.root;
    }

    /// A box of emissive voxels from `low` on in a grid of 16 voxels a side, or of 256.
    void useLamp(const glm::uvec3& low, const glm::uvec3& size, std::uint32_t levels = 2) {
        std::vector<glm::uvec3> voxels;
        for (std::uint32_t i = 0; i < size.x * size.y * size.z; ++i) {
            voxels.push_back(low + glm::uvec3(i % size.x, i / size.x % size.y, i / size.x / size.y));
        }
        Octree octree = octreeOf(levels, voxels);
        octree.palette = emissivePalette({glm::vec3(2.0F, 1.5F, 1.0F)});
        octree.materialRuns = singleRun(2);
        for (shared::VoxelAttributes& attributes : octree.attributes) {
            attributes.shading |= 1U << ATTRIBUTE_MATERIAL_SHIFT;
        }
        useOctree(std::move(octree));
    }

    /// Emissive meshes of a scene of side 1.
    void useMeshes(const std::vector<Mesh>& meshes, SurfaceKind surface, std::uint32_t resolution) {
        Scene scene;
        scene.file = "scene.json";
        scene.materials.resize(2);
        scene.materials[0].emission = glm::vec3(1.0F);
        scene.meshes = meshes;
        scene.meshInstances.resize(meshes.size());
        for (std::uint32_t i = 0; i < meshes.size(); ++i) {
            scene.meshInstances[i].mesh = i;
        }
        VoxelizeOptions options;
        options.resolution = resolution;
        options.surface = surface;
        useOctree(voxelizeScene(scene, options));
    }

    glm::vec2 pair() { return {numbers_.number(0.0F, 0.9999999F), numbers_.number(0.0F, 0.9999999F)}; }

    /// `point` in voxels. Boxes are drawn as for a receiver of which only the point is known.
    shared::LightSample draw(const glm::vec3& point, std::uint32_t& target) {
        const glm::vec2 u = pair();
        const glm::vec3 from = glm::vec3(1.0F) + point * params_.voxelSize;
        float rest = pair().x;
        float chosen = 0.0F;
        for (target = 0; target < arrays_.boxes.size(); ++target) {
            const shared::LightParams& lights = params_.path.lights;
            chosen = shared::unfacedProbability(lights.nodes, lights.root, tree_.trails[target], from);
            rest -= chosen;
            if (rest < 0.0F) {
                break;
            }
        }
        chosen *= light_.probability;
        return shared::sampleEmitter(params(), {LIGHT_LEAF_BOX | target, chosen, chosen}, from, {u, pair().x});
    }

    /// What a ray hits first: the density of finding it so, its box, and what it emits as part of that.
    struct Found {
        std::uint32_t box = NO_BOX;
        double density = 0.0;
        glm::vec3 radiance{0.0F};
    };
    Found chance(const glm::vec3& point, const glm::vec3& direction) const {
        shared::VoxelPath state = pathFrom(point, direction);
        Met met;
        if (!follow(state, met)) {
            return {};
        }
        Found found{shared::emitterRow(params_.emitters, met.hit.voxel).box};
        if (found.box == NO_BOX) {
            return found;
        }
        found.radiance = shared::emitterRadiance(params(), found.box, 0, met.hit.voxel);
        std::uint32_t emits = 0;
        found.density = shared::emitterPdf(params(), 0, glm::vec3(1.0F) + point * params_.voxelSize, direction,
                                           met.hit.voxel, 1, emits);
        found.box = emits != 0 ? found.box : NO_BOX;
        return found;
    }

    std::vector<glm::vec3> facings() const { return {arrays_.facings.begin(), arrays_.facings.end()}; }

    EmitterArrays arrays_;
    shared::EmitterTables tables_{};
    LightTree tree_;
    shared::Light light_{};
};

/// Lambert's formula for the irradiance from a polygon of radiance 1 on a plane through `point` that faces `up`, which
/// sees all of it (1760; Baum, Rushmeier and Winget 1989).
inline double lambert(const glm::dvec3& point, const std::array<glm::dvec3, 4>& corners,
                      const glm::dvec3& up = glm::dvec3(0.0, 1.0, 0.0)) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
        const glm::dvec3 a = glm::normalize(corners[i] - point);
        const glm::dvec3 b = glm::normalize(corners[(i + 1) % 4] - point);
        const glm::dvec3 normal = glm::cross(a, b);
        sum += std::atan2(glm::length(normal), glm::dot(a, b)) * glm::dot(glm::normalize(normal), up);
    }
    return std::abs(0.5 * sum);
}

} // namespace aureole
