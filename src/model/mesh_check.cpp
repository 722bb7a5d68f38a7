#include "model/mesh_check.h"

#include <cmath>

#include "core/error.h"
#include "core/log.h"

namespace aureole {

namespace {

template <typename Vector>
bool isFinite(const Vector& vector) {
    for (glm::length_t i = 0; i < Vector::length(); ++i) {
        if (!std::isfinite(vector[i])) {
            return false;
        }
    }
    return true;
}

template <typename Vector>
std::string toText(const Vector& vector) {
    std::string text = "(";
    for (glm::length_t i = 0; i < Vector::length(); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : ", ", vector[i]);
    }
    return text + ")";
}

template <typename Vector>
void requireFinite(const std::vector<Vector>& values, const char* what, const Mesh& mesh, const std::string& file) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!isFinite(values[i])) {
            fail(ExitCode::BadInput, "{}: mesh '{}': vertex {}: found the {} {}, expected finite numbers", file,
                 mesh.name, i, what, toText(values[i]));
        }
    }
}

/// Brings the xyz of each vector to unit length; returns how many had none.
template <typename Vector>
std::size_t normalizeAll(std::vector<Vector>& values) {
    std::size_t bad = 0;
    for (Vector& value : values) {
        const glm::dvec3 wide(value);
        const double length = glm::length(wide);
        if (!isFinite(value) || !(length > 0.0)) {
            value = Vector(0.0F);
            ++bad;
            continue;
        }
        value.x = static_cast<float>(wide.x / length);
        value.y = static_cast<float>(wide.y / length);
        value.z = static_cast<float>(wide.z / length);
    }
    return bad;
}

} // namespace

void checkMesh(Mesh& mesh, const std::string& file) {
    requireFinite(mesh.positions, "position", mesh, file);
    for (const std::vector<glm::vec2>& uvs : mesh.uvs) {
        requireFinite(uvs, "texture coordinates", mesh, file);
    }
    requireFinite(mesh.colours, "colour", mesh, file);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const glm::uvec3& corners = mesh.triangles[i];
        const std::uint32_t largest = std::max(corners.x, std::max(corners.y, corners.z));
        if (largest >= mesh.positions.size()) {
            fail(ExitCode::BadInput, "{}: mesh '{}': triangle {}: found vertex {}, expected less than {}", file,
                 mesh.name, i, largest, mesh.positions.size());
        }
    }
    if (const std::size_t bad = normalizeAll(mesh.normals); bad > 0) {
        logWarning("{}: mesh '{}': found {} of {} normals without a direction, the triangles' own are used there", file,
                   mesh.name, bad, mesh.normals.size());
    }
    if (const std::size_t bad = normalizeAll(mesh.tangents); bad > 0) {
        logWarning("{}: mesh '{}': found {} of {} tangents without a direction, they are derived there", file,
                   mesh.name, bad, mesh.tangents.size());
    }
}

} // namespace aureole
