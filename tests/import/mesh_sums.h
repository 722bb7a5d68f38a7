// What tests of importers ask of meshes.
#pragma once

#include <cstddef>

#include "import/import.h"

namespace aureole::test {

/// The summed area vector of a mesh: for a flat, consistently wound one its length is the area.
inline glm::dvec3 areaVector(const Mesh& mesh) {
    glm::dvec3 sum(0.0);
    for (const glm::uvec3& t : mesh.triangles) {
        const glm::dvec3 a(mesh.positions[t.x]);
        sum += 0.5 * glm::cross(glm::dvec3(mesh.positions[t.y]) - a, glm::dvec3(mesh.positions[t.z]) - a);
    }
    return sum;
}

inline double summedArea(const Mesh& mesh) {
    double sum = 0.0;
    for (const glm::uvec3& t : mesh.triangles) {
        const glm::dvec3 a(mesh.positions[t.x]);
        sum += 0.5 * glm::length(glm::cross(glm::dvec3(mesh.positions[t.y]) - a, glm::dvec3(mesh.positions[t.z]) - a));
    }
    return sum;
}

inline std::size_t triangleCount(const ImportedModel& model) {
    std::size_t count = 0;
    for (const Mesh& mesh : model.meshes) {
        count += mesh.triangles.size();
    }
    return count;
}

} // namespace aureole::test
