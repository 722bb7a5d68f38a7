#include "import/gltf/primitives.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/log.h"
#include "import/gltf/accessor.h"
#include "model/mesh_check.h"

namespace aureole::gltf {

namespace {

enum class Mode : std::uint64_t { Triangles = 4, TriangleStrip = 5, TriangleFan = 6 };

/// The part of the vertices that a primitive uses. Exporters let many primitives share one large vertex buffer, of
/// which each needs a stretch.
struct VertexRange {
    std::size_t first = 0;
    std::size_t count = 0;
};

VertexRange usedRange(const std::vector<std::uint32_t>& indices) {
    if (indices.empty()) {
        return {};
    }
    const auto [least, largest] = std::minmax_element(indices.begin(), indices.end());
    return {*least, std::size_t{*largest} - *least + 1};
}

std::vector<glm::uvec3> assemble(const std::vector<std::uint32_t>& indices, Mode mode, std::uint32_t base) {
    std::vector<glm::uvec3> triangles;
    const std::size_t corners = indices.size();
    const auto corner = [&](std::size_t i) { return indices[i] - base; };
    if (mode == Mode::Triangles) {
        triangles.reserve(corners / 3);
        for (std::size_t i = 0; i + 2 < corners; i += 3) {
            triangles.emplace_back(corner(i), corner(i + 1), corner(i + 2));
        }
        return triangles;
    }
    for (std::size_t i = 0; i + 2 < corners; ++i) {
        if (mode == Mode::TriangleFan) {
            triangles.emplace_back(corner(i + 1), corner(i + 2), corner(0));
        } else {
            triangles.emplace_back(corner(i), corner(i + 1 + i % 2), corner(i + 2 - i % 2));
        }
    }
    return triangles;
}

/// An attribute's accessor, which must cover all vertices and have from `least` to `most` components.
std::optional<Accessor> attribute(const Document& document, const JsonValue& attributes, const char* name,
                                  std::size_t vertices, std::size_t least, std::size_t most) {
    const std::optional<JsonValue> index = attributes.find(name);
    if (!index) {
        return std::nullopt;
    }
    Accessor accessor(document, *index);
    if (accessor.components() < least || accessor.components() > most) {
        fail(ExitCode::BadInput, "{}: found an accessor of {} components, expected {}", index->place(),
             accessor.components(), least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most));
    }
    if (accessor.count() != vertices) {
        fail(ExitCode::BadInput, "{}: found {} elements, expected {} as in POSITION", index->place(), accessor.count(),
             vertices);
    }
    return accessor;
}

std::vector<glm::vec4> readColours(const Accessor& accessor, const VertexRange& range) {
    if (accessor.componentType() != ComponentType::Float && !accessor.normalized()) {
        fail(ExitCode::BadInput, "{}: found colours as plain integers, expected normalized ones",
             accessor.json().place());
    }
    if (accessor.components() == 4) {
        return accessor.vectors<4>(range.first, range.count);
    }
    std::vector<glm::vec4> colours;
    colours.reserve(range.count);
    for (const glm::vec3& colour : accessor.vectors<3>(range.first, range.count)) {
        colours.emplace_back(colour, 1.0F);
    }
    return colours;
}

void readAttributes(const Document& document, const JsonValue& attributes, std::size_t vertices,
                    const VertexRange& range, Mesh& mesh) {
    if (const auto normals = attribute(document, attributes, "NORMAL", vertices, 3, 3)) {
        mesh.normals = normals->vectors<3>(range.first, range.count);
        if (const auto tangents = attribute(document, attributes, "TANGENT", vertices, 4, 4)) {
            mesh.tangents = tangents->vectors<4>(range.first, range.count);
        }
    }
    if (const auto uvs = attribute(document, attributes, "TEXCOORD_0", vertices, 2, 2)) {
        mesh.uvs[0] = uvs->vectors<2>(range.first, range.count);
    }
    if (const auto uvs = attribute(document, attributes, "TEXCOORD_1", vertices, 2, 2)) {
        mesh.uvs[1] = uvs->vectors<2>(range.first, range.count);
    }
    if (const auto colours = attribute(document, attributes, "COLOR_0", vertices, 3, 4)) {
        mesh.colours = readColours(*colours, range);
    }
}

std::vector<std::uint32_t> readIndices(const Document& document, const JsonValue& primitive, std::size_t vertices) {
    std::vector<std::uint32_t> indices;
    const std::optional<JsonValue> reference = primitive.find("indices");
    if (!reference) {
        indices.resize(vertices);
        std::iota(indices.begin(), indices.end(), 0U);
        return indices;
    }
    indices = Accessor(document, *reference).indices();
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] >= vertices) {
            fail(ExitCode::BadInput, "{}: index {}: found vertex {}, expected less than {}", reference->place(), i,
                 indices[i], vertices);
        }
    }
    return indices;
}

Mesh readPrimitive(const Document& document, const JsonValue& primitive, Mode mode, const std::string& label) {
    Mesh mesh;
    mesh.name = label;
    const JsonValue attributes = primitive["attributes"];
    const JsonValue reference = attributes["POSITION"];
    const Accessor positions(document, reference);
    if (positions.components() != 3) {
        fail(ExitCode::BadInput, "{}: found an accessor of {} components, expected 3", reference.place(),
             positions.components());
    }
    const std::vector<std::uint32_t> indices = readIndices(document, primitive, positions.count());
    const VertexRange range = usedRange(indices);
    mesh.triangles = assemble(indices, mode, static_cast<std::uint32_t>(range.first));
    mesh.positions = positions.vectors<3>(range.first, range.count);
    readAttributes(document, attributes, positions.count(), range, mesh);
    const std::optional<JsonValue> material = primitive.find("material");
    mesh.material = material ? material->index(document.count("materials"), "material") : kNone;
    checkMesh(mesh, document.name());
    return mesh;
}

} // namespace

std::vector<Mesh> readPrimitives(const Document& document, const JsonValue& mesh, const std::string& label) {
    std::vector<Mesh> meshes;
    const JsonValue primitives = mesh["primitives"];
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        const JsonValue primitive = primitives.at(i);
        const std::uint64_t mode = primitive.unsignedOr("mode", static_cast<std::uint64_t>(Mode::Triangles));
        if (mode > static_cast<std::uint64_t>(Mode::TriangleFan)) {
            fail(ExitCode::BadInput, "{}/mode: found {}, expected 0 to 6", primitive.place(), mode);
        }
        if (mode < static_cast<std::uint64_t>(Mode::Triangles)) {
            logWarning("{}: points and lines are left out", primitive.place());
            continue;
        }
        if (primitive.has("targets")) {
            logWarning("{}: morph targets are not used", primitive.place());
        }
        const std::string name = primitives.size() == 1 ? label : fmt::format("{}/{}", label, i);
        Mesh read = readPrimitive(document, primitive, static_cast<Mode>(mode), name);
        if (!read.triangles.empty()) {
            meshes.push_back(std::move(read));
        }
    }
    return meshes;
}

} // namespace aureole::gltf
