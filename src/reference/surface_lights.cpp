#include "reference/surface_lights.h"

#include <cmath>

#include "integrator/alias_table.h"
#include "model/photometry.h"
#include "scene/scene.h"

namespace aureole {

namespace {

/// Whether what a mesh emits differs over one of its triangles; alpha testing cuts holes into it.
bool emissionVaries(const Material& material, const Mesh& mesh) {
    const bool alphaVaries = material.albedoTexture.used() || !mesh.colours.empty();
    return material.emissionTexture.used() || (material.unlit && !mesh.colours.empty()) ||
           (material.alphaMode != AlphaMode::Opaque && alphaVaries);
}

/// The luminance that a triangle emits on the mean, from a grid of points where it varies.
double meanLuminance(const Scene& scene, const MeshInstance& instance, std::uint32_t triangle) {
    const Material& material = materialOf(scene, instance);
    const int steps = emissionVaries(material, scene.meshes[instance.mesh]) ? 8 : 1;
    double sum = 0.0;
    for (int i = 0; i < steps; ++i) {
        for (int j = 0; j < steps; ++j) {
            const float s = std::sqrt((static_cast<float>(i) + 0.5F) / static_cast<float>(steps));
            const float t = (static_cast<float>(j) + 0.5F) / static_cast<float>(steps);
            const SurfacePoint point = evaluateSurface(scene, instance, triangle, s * (1.0F - t), s * t);
            if (point.opaque != 0) {
                sum += luminanceOf(point.emission);
            }
        }
    }
    return sum / (steps * steps);
}

} // namespace

SurfaceLights::SurfaceLights(const Scene& scene, const EmbreeScene& triangles)
    : scene_(&scene)
    , triangles_(&triangles)
    , emitterOf_(scene.meshInstances.size()) {
    std::vector<double> weights;
    for (std::uint32_t i = 0; i < scene.meshInstances.size(); ++i) {
        const MeshInstance& instance = scene.meshInstances[i];
        if (materialOf(scene, instance).emission == glm::vec3(0.0F)) {
            continue;
        }
        const auto count = static_cast<std::uint32_t>(scene.meshes[instance.mesh].triangles.size());
        emitterOf_[i].assign(count, kNone);
        for (std::uint32_t t = 0; t < count; ++t) {
            const double area = triangles.area({i, t});
            const double weight = area * meanLuminance(scene, instance, t);
            if (weight > 0.0) {
                emitterOf_[i][t] = static_cast<std::uint32_t>(emitters_.size());
                emitters_.push_back({{i, t}, static_cast<float>(area)});
                weights.push_back(weight);
                power_ += 2.0 * kPi * weight;
            }
        }
    }
    if (!weights.empty()) {
        choice_ = makeAliasTable(weights);
    }
}

shared::LightSample SurfaceLights::sample(const glm::dvec3& point, float time, const glm::uvec2& pick,
                                          const glm::vec2& u, glm::dvec3& target) const {
    const auto count = static_cast<std::uint32_t>(emitters_.size());
    float unused = 0.0F;
    const std::uint32_t picked =
        shared::sampleAliasBits(reinterpret_cast<std::uint64_t>(choice_.data()), count, pick, unused);
    const Emitter& emitter = emitters_[picked];
    // Uniform on the triangle.
    const float s = std::sqrt(u.x);
    TriangleHit hit;
    hit.id = emitter.id;
    hit.id.time = time;
    hit.u = s * (1.0F - u.y);
    hit.v = s * u.y;
    triangles_->placeHit(hit);
    target = hit.position;
    const glm::vec3 towards = hit.position - point;
    hit.distance = glm::length(towards);

    shared::LightSample result{};
    if (hit.distance <= 0.0F) {
        return result;
    }
    const SurfacePoint surface =
        evaluateSurface(*scene_, triangles_->instanceAt(hit.id.instance, time), hit.id.triangle, hit.u, hit.v);
    if (surface.opaque == 0) {
        return result; // cut away: nothing there emits, nor would it cast a shadow
    }
    result.direction = towards / hit.distance;
    result.distance = hit.distance;
    result.radiance = surface.emission;
    result.group = scene_->materials[surface.material].lightGroup;
    result.pdf = pdf(hit, hit.distance, result.direction);
    return result;
}

float SurfaceLights::pdf(const TriangleHit& hit, float distance, const glm::vec3& direction) const {
    const std::vector<std::uint32_t>& emitters = emitterOf_[hit.id.instance];
    if (emitters.empty() || emitters[hit.id.triangle] == kNone) {
        return 0.0F;
    }
    const std::uint32_t index = emitters[hit.id.triangle];
    const float cosine = std::abs(glm::dot(hit.geometricNormal, direction));
    if (cosine <= 0.0F) {
        return 0.0F;
    }
    const bool moves = scene_->meshInstances[hit.id.instance].motion != kNone;
    const float area = moves ? static_cast<float>(triangles_->area(hit.id)) : emitters_[index].area;
    return choice_[index].probability / area * distance * distance / cosine;
}

} // namespace aureole
