#pragma once

#include "core/math.h"
#include "model/material.h"
#include "model/mesh.h"
#include "scene/scene.h"

namespace aureole {

/// What a material is at one point of a triangle, textures applied.
struct SurfacePoint {
    glm::vec3 albedo{0.0F};
    glm::vec3 normal{
        0.0F}; ///< world space, unit length: interpolated and normal-mapped, on the side the vertex normals face
    glm::vec3 geometricNormal{0.0F}; ///< of the triangle, unit length, on the side of `normal`
    float roughness = 1.0F;
    float metalness = 0.0F;
    glm::vec3 emission{0.0F};
    std::uint32_t material = 0; ///< index into Scene::materials
    bool opaque = true; ///< false where alpha testing cuts the surface away (Blend counts as a mask at one half)
};

/// Transforms normals by the inverse transpose of an affine matrix, up to a positive factor.
class NormalTransform {
public:
    explicit NormalTransform(const glm::dmat4& matrix);
    /// The transformed normal at unit length, or the normal itself where the matrix makes it zero.
    glm::vec3 operator()(const glm::vec3& normal) const;

private:
    glm::dmat3 cofactors_; ///< exist for flat transforms too
};

/// Evaluates one triangle of a mesh instance at many points.
class TriangleSurface {
public:
    /// Keeps references to the scene.
    TriangleSurface(const Scene& scene, const MeshInstance& instance, std::uint32_t triangle);
    /// Writes the surface at the point with barycentric weights (1 - u - v, u, v).
    void at(float u, float v, SurfacePoint& point) const;

private:
    glm::dvec3 positionAt(float u, float v) const; ///< in the world
    bool isUniform() const;
    SurfacePoint shade(float u, float v) const;

    const Scene& scene_;
    const Mesh& mesh_;
    const glm::dmat4& worldFromMesh_;
    std::uint32_t materialIndex_;
    const Material& material_;
    glm::uvec3 index_;
    NormalTransform normalTransform_;
    glm::vec3 geometricNormal_; ///< in world space
    bool uniform_;              ///< points differ in their normals alone
    SurfacePoint first_;        ///< of such a triangle, at its first corner
};

/// Evaluates a mesh instance at a point of triangle `triangle` with barycentric weights (1 - u - v, u, v).
SurfacePoint evaluateSurface(const Scene& scene, const MeshInstance& instance, std::uint32_t triangle, float u,
                             float v);

/// The material that an instance is made of, and its index.
std::uint32_t materialIndexOf(const Scene& scene, const MeshInstance& instance);
const Material& materialOf(const Scene& scene, const MeshInstance& instance);

/// Whether light goes through what is made of it.
inline bool isGlass(const Material& material) {
    return material.model == MaterialModel::Dielectric || material.model == MaterialModel::ThinGlass;
}

} // namespace aureole
