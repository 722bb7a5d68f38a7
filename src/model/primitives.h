#pragma once

#include <cstdint>

#include "core/math.h"
#include "model/mesh.h"

namespace aureole {

inline constexpr std::uint32_t kMaxSphereSubdivisions = 8;

struct Sphere {
    glm::dvec3 centre{0.0};
    double radius = 1.0;
    std::uint32_t subdivisions = 5;
};

/// An axis-aligned box of 12 triangles that face outwards, with face normals and the whole texture on each face.
Mesh makeBox(const glm::dvec3& min, const glm::dvec3& max);

/// An icosahedron of which every triangle is split into four `subdivisions` times, with smooth normals; 20 * 4^n
/// triangles. Textures are mapped by longitude and latitude: the middle column faces -Z, the top row is the +Y pole.
Mesh makeSphere(const glm::dvec3& centre, double radius, std::uint32_t subdivisions);

/// How many triangles makeSphere makes, and bytes of the mesh's arrays.
std::uint64_t sphereTriangles(std::uint32_t subdivisions);
std::uint64_t sphereBytes(std::uint32_t subdivisions);

/// The parallelogram corner + s u + t v for s, t from 0 to 1, facing u x v. The texture's lower left corner is at
/// `corner`, its width runs along u.
Mesh makeQuad(const glm::dvec3& corner, const glm::dvec3& u, const glm::dvec3& v);

} // namespace aureole
