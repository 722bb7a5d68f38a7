#pragma once

#include <cstdint>
#include <vector>

#include "reference/embree_scene.h"
#include "shared/light/lights.h"

namespace aureole {

/// The emissive triangles of a scene, for next-event estimation. Like emissive voxels, they emit from both sides.
class SurfaceLights {
public:
    SurfaceLights(const Scene& scene, const EmbreeScene& triangles);

    /// Power by luminance, in watts, of both sides.
    double power() const { return power_; }

    /// A point on an emissive triangle seen from `point` at a time (SceneTriangle): `pick` are random bits for the
    /// triangle, `u` uniform numbers for the point on it, which becomes the target. The pdf is per solid angle, without
    /// the choice among lights.
    shared::LightSample sample(const glm::dvec3& point, float time, const glm::uvec2& pick, const glm::vec2& u,
                               glm::dvec3& target) const;

    /// Density per solid angle of finding a hit by sample(), without the choice among lights; 0 where it emits nothing.
    float pdf(const TriangleHit& hit, float distance, const glm::vec3& direction) const;

private:
    struct Emitter {
        SceneTriangle id;
        float area;
    };

    const Scene* scene_;
    const EmbreeScene* triangles_;
    std::vector<Emitter> emitters_;
    std::vector<shared::AliasSlot> choice_;
    std::vector<std::vector<std::uint32_t>>
        emitterOf_; ///< by instance and triangle; empty for instances that emit nothing
    double power_ = 0.0;
};

} // namespace aureole
