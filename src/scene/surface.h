#pragma once

#include <vector>

#include "core/math.h"
#include "model/material.h"
#include "model/mesh.h"
#include "scene/scene.h"
#include "shared/voxelize/sample.h"

namespace aureole {

/// A point of an opaque surface unless it is told otherwise (shared/voxelize/sample.h).
struct SurfacePoint : shared::SurfacePoint {
    SurfacePoint()
        : shared::SurfacePoint{} {
        roughness = 1.0F;
        metalness = 0.0F;
        material = 0;
        opaque = 1;
    }
};

/// Transforms normals by the inverse transpose of an affine matrix, up to a positive factor.
class NormalTransform {
public:
    explicit NormalTransform(const glm::dmat4& matrix);
    /// The transformed normal at unit length, or the normal itself where the matrix makes it zero.
    glm::vec3 operator()(const glm::vec3& normal) const;
    /// What it multiplies with.
    const glm::dmat3& matrix() const { return cofactors_; }

private:
    glm::dmat3 cofactors_; ///< exist for flat transforms too
};

/// Evaluates one triangle of a mesh instance at many points.
class TriangleSurface {
public:
    /// Keeps references to the scene.
    TriangleSurface(const Scene& scene, const MeshInstance& instance, std::uint32_t triangle);
    /// Writes the surface at the point with barycentric weights (1 - u - v, u, v).
    void at(float u, float v, shared::SurfacePoint& point) const;
    /// The triangle's own normal in the world, on one side of it.
    const glm::vec3& worldNormal() const { return geometricNormal_; }

private:
    glm::dvec3 positionAt(float u, float v) const; ///< in the world
    bool findUniform() const;
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

/// Whether something may be solid glass, in which a camera can stand.
bool hasSolidGlass(const Scene& scene);

/// Whether light goes through what is made of it.
inline bool isGlass(const Material& material) {
    return material.model == MaterialModel::Dielectric || material.model == MaterialModel::ThinGlass;
}

/// Whether it is a solid that light goes through, with an inside.
inline bool isSolidGlass(const Material& material) {
    return material.model == MaterialModel::Dielectric;
}

/// The first of some mesh instances whose material is such; nullptr where none is.
const MeshInstance* findSolidGlass(const Scene& scene, const std::vector<MeshInstance>& instances);

} // namespace aureole
