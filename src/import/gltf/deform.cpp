#include "import/gltf/deform.h"

#include <cmath>

namespace aureole::gltf {

namespace {

template <typename Vector>
void addWeighted(const std::vector<glm::vec3>& offsets, double weight, std::vector<Vector>& values) {
    for (std::size_t i = 0; i < offsets.size() && i < values.size(); ++i) {
        for (glm::length_t c = 0; c < 3; ++c) {
            values[i][c] += static_cast<float>(weight * static_cast<double>(offsets[i][c]));
        }
    }
}

/// At unit length; as it is where it has none.
glm::vec3 unitOf(const glm::dvec3& vector) {
    const double length = glm::length(vector);
    return glm::vec3(length > 0.0 ? vector / length : vector);
}

/// The sum of a vertex' joints. One that no joint moves is the first joint's.
glm::dmat4 blend(const std::vector<glm::dmat4>& joints, const Influences& influences, std::size_t vertex) {
    glm::dmat4 sum(0.0);
    double weights = 0.0;
    for (std::size_t set = 0; set < influences.joints.size(); ++set) {
        for (glm::length_t c = 0; c < 4; ++c) {
            const auto weight = static_cast<double>(influences.weights[set][vertex][c]);
            if (weight > 0.0) {
                sum += weight * joints[influences.joints[set][vertex][c]];
                weights += weight;
            }
        }
    }
    return weights > 0.0 ? sum / weights : joints.front();
}

/// Normals go by the cofactors, which stand for the inverse transpose.
glm::dvec3 turnNormal(const glm::dmat4& matrix, const glm::vec3& normal) {
    const glm::dvec3 x(matrix[0]);
    const glm::dvec3 y(matrix[1]);
    const glm::dvec3 z(matrix[2]);
    const glm::dvec3 n(normal);
    const glm::dvec3 turned = glm::cross(y, z) * n.x + glm::cross(z, x) * n.y + glm::cross(x, y) * n.z;
    return glm::dot(x, glm::cross(y, z)) < 0.0 ? -turned : turned;
}

} // namespace

void deform(const MeshPose& pose, const std::vector<MorphTarget>& targets, const Influences& influences, Mesh& mesh) {
    for (std::size_t i = 0; i < targets.size() && i < pose.weights.size(); ++i) {
        addWeighted(targets[i].positions, pose.weights[i], mesh.positions);
        addWeighted(targets[i].normals, pose.weights[i], mesh.normals);
        addWeighted(targets[i].tangents, pose.weights[i], mesh.tangents);
    }
    const bool isSkinned = !pose.joints.empty() && !influences.joints.empty();
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const glm::dmat4 matrix = isSkinned ? blend(pose.joints, influences, i) : glm::dmat4(1.0);
        mesh.positions[i] = glm::vec3(matrix * glm::dvec4(glm::dvec3(mesh.positions[i]), 1.0));
        if (!mesh.normals.empty()) {
            mesh.normals[i] = unitOf(turnNormal(matrix, mesh.normals[i]));
        }
        if (!mesh.tangents.empty()) {
            const glm::dvec3 tangent = glm::dmat3(matrix) * glm::dvec3(mesh.tangents[i]);
            mesh.tangents[i] = glm::vec4(unitOf(tangent), mesh.tangents[i].w);
        }
    }
}

} // namespace aureole::gltf
