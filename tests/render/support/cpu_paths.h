#pragma once

// Paths through voxels on the CPU, by the very functions of the shaders, for tests of what they do step by step.

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "core/math.h"
#include "octree_samples.h"
#include "shared/wave/wave_path.h"
#include "voxel/build/build.h"

namespace aureole {

class Numbers {
public:
    float number(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
    std::uint32_t bits(std::uint32_t count) { return static_cast<std::uint32_t>(random_()) & ((1U << count) - 1U); }
    glm::vec3 direction() {
        const float z = number(-1.0F, 1.0F);
        const float phi = number(0.0F, 2.0F * static_cast<float>(kPi));
        const float r = std::sqrt(1.0F - z * z);
        return {r * std::cos(phi), r * std::sin(phi), z};
    }

private:
    std::mt19937 random_{3};
};

/// An octree as paths see it, of one material.
class CpuPaths : public ::testing::Test {
protected:
    void use(Octree octree) {
        octree_ = std::move(octree);
        params_.octree = makeView(octree_);
        params_.path.materials = reinterpret_cast<std::uint64_t>(&traits_);
        params_.smoothNormals = 1;
        params_.voxelSize = std::ldexp(1.0F, -2 * static_cast<int>(octree_.levels));
    }

    void useMesh(Mesh mesh, SurfaceKind surface, std::uint32_t resolution) {
        Scene scene;
        scene.materials.emplace_back();
        scene.meshes = {std::move(mesh)};
        scene.meshInstances.emplace_back();
        VoxelizeOptions options;
        options.resolution = resolution;
        options.surface = surface;
        use(voxelizeScene(scene, options));
    }

    /// What light does at the material.
    void useModel(std::uint32_t model) { traits_.model = model; }

    std::uint64_t params() const { return reinterpret_cast<std::uint64_t>(&params_); }
    std::uint64_t view() const { return VOXEL_OCTREE(params()); }

    /// Starts the ray of a path from nowhere, at a point in voxels.
    shared::VoxelPath pathFrom(const glm::dvec3& point, const glm::dvec3& direction) const {
        const shared::GridRay ray = makeGridRay(octree_, point, direction);
        shared::VoxelPath state{};
        shared::traversalBegin(view(), ray.origin, ray.direction, ray.inverse, ray.cell, state.ray);
        return state;
    }

    /// What a path comes to.
    struct Met {
        shared::VoxelHit hit{};
        shared::VoxelSurface surface{};
        glm::vec3 normal{0.0F};
        std::uint32_t leaving = 0; ///< 1: it leaves a solid of glass there
    };

    /// Follows a path's ray to where it ends, past all that it goes through. Returns whether it meets something.
    bool follow(shared::VoxelPath& state, Met& met) const {
        std::uint32_t status = TRAVERSAL_RUNNING;
        while (status == TRAVERSAL_RUNNING) {
            std::uint32_t steps = ~0U;
            status = shared::traversalRun(view(), state.ray, steps);
            if (status == TRAVERSAL_HIT) {
                met = {shared::traversalHit(view(), state.ray), shared::noSurface(), glm::vec3(0.0F), 0};
                std::uint64_t attributes = 0;
                status = shared::voxelReached(params(), state, met.hit, LIGHT_FAR, attributes, met.normal);
                if (status == TRAVERSAL_HIT) {
                    met.surface = shared::voxelSurfaceAt(params(), attributes);
                    status = shared::voxelStops(params(), state, met.hit, met.surface, attributes, met.normal,
                                                LIGHT_FAR, met.leaving);
                }
            }
        }
        return status == TRAVERSAL_HIT;
    }

    bool arrive(shared::VoxelPath& state) const {
        Met met;
        if (!follow(state, met)) {
            return false;
        }
        shared::voxelPathStand(params(), state, met.hit, met.surface, met.normal, met.leaving);
        return true;
    }

    Octree octree_;
    shared::VoxelParams params_{};
    Numbers numbers_;

private:
    shared::MaterialTraits traits_{};
};

} // namespace aureole
