#include "import/gltf/primitives.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/log.h"
#include "import/gltf/accessor.h"
#include "import/gltf/deform.h"
#include "import/gltf/draco_mesh.h"
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

/// A primitive's attributes, and the compressed mesh that holds some of them, or nullptr.
struct Attributes {
    const Document& document;
    JsonValue json;
    const DracoMesh* compressed;
    std::size_t vertices = 0;

    /// An attribute's accessor, which must cover all vertices and have from `least` to `most` components.
    std::optional<Accessor> find(const char* name, std::size_t least, std::size_t most) const;
};

std::optional<Accessor> Attributes::find(const char* name, std::size_t least, std::size_t most) const {
    const std::optional<JsonValue> index = json.find(name);
    if (!index) {
        return std::nullopt;
    }
    Accessor accessor(document, *index, compressed, name);
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

void readAttributes(const Attributes& attributes, const VertexRange& range, const UvSets& uvSets, Mesh& mesh) {
    if (const auto normals = attributes.find("NORMAL", 3, 3)) {
        mesh.normals = normals->vectors<3>(range.first, range.count);
        if (const auto tangents = attributes.find("TANGENT", 4, 4)) {
            mesh.tangents = tangents->vectors<4>(range.first, range.count);
        }
    }
    for (std::size_t i = 0; i < uvSets.size(); ++i) {
        if (const auto uvs = attributes.find(fmt::format("TEXCOORD_{}", uvSets[i]).c_str(), 2, 2)) {
            mesh.uvs[i] = uvs->vectors<2>(range.first, range.count);
        }
    }
    if (const auto colours = attributes.find("COLOR_0", 3, 4)) {
        mesh.colours = readColours(*colours, range);
    }
}

/// Offsets of a morph target, one for each vertex; empty where it has none.
std::vector<glm::vec3> readOffsets(const Attributes& target, const char* name, const VertexRange& range) {
    const auto offsets = target.find(name, 3, 3);
    return offsets ? offsets->vectors<3>(range.first, range.count) : std::vector<glm::vec3>();
}

std::vector<MorphTarget> readTargets(const Document& document, const JsonValue& primitive, std::size_t count,
                                     std::size_t vertices, const VertexRange& range) {
    std::vector<MorphTarget> targets;
    const std::optional<JsonValue> list = primitive.find("targets");
    if (count != (list ? list->size() : 0)) {
        fail(ExitCode::BadInput, "{}: found {} morph targets, expected {}, as the first primitive of the mesh has",
             primitive.place(), list ? list->size() : 0, count);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Attributes target{document, list->at(i), nullptr, vertices};
        targets.push_back({readOffsets(target, "POSITION", range), readOffsets(target, "NORMAL", range),
                           readOffsets(target, "TANGENT", range)});
    }
    return targets;
}

/// The sets of influences of a primitive's vertices; the two that glTF readers are to know at most.
Influences readInfluences(const Attributes& attributes, const VertexRange& range, std::size_t joints) {
    Influences influences;
    for (const char* const set : {"0", "1"}) {
        const std::string name = std::string("JOINTS_") + set;
        const auto numbers = attributes.find(name.c_str(), 4, 4);
        const auto weights = attributes.find((std::string("WEIGHTS_") + set).c_str(), 4, 4);
        if (!numbers || !weights) {
            break;
        }
        std::vector<glm::uvec4>& read = influences.joints.emplace_back();
        influences.weights.push_back(weights->vectors<4>(range.first, range.count));
        for (const glm::vec4& four : numbers->vectors<4>(range.first, range.count)) {
            const glm::vec4& counts = influences.weights.back()[read.size()];
            for (glm::length_t c = 0; c < 4; ++c) { // what does not count may be any number
                if (!(counts[c] >= 0.0F && std::isfinite(counts[c])) ||
                    (counts[c] > 0.0F && !(four[c] >= 0.0F && four[c] < static_cast<float>(joints)))) {
                    fail(ExitCode::BadInput,
                         "{}/{}: vertex {}: found joint {:g} with weight {:g}, expected one of {} joints and a weight "
                         "of 0 or more",
                         attributes.json.place(), name, range.first + read.size(), four[c], counts[c], joints);
                }
            }
            const auto numberOf = [&](glm::length_t c) {
                return counts[c] > 0.0F ? static_cast<unsigned>(four[c]) : 0U;
            };
            read.emplace_back(numberOf(0), numberOf(1), numberOf(2), numberOf(3));
        }
    }
    if (influences.joints.empty()) {
        fail(ExitCode::BadInput, "{}: found no JOINTS_0 with WEIGHTS_0, expected them in a mesh that a skin moves",
             attributes.json.place());
    }
    return influences;
}

/// The mesh of KHR_draco_mesh_compression, or nullptr.
std::unique_ptr<DracoMesh> decompress(const Document& document, const JsonValue& primitive) {
    const std::optional<JsonValue> extension = primitive.extension("KHR_draco_mesh_compression");
    if (!extension) {
        return nullptr;
    }
    const auto count = [&](const JsonValue& accessor) {
        return document.follow(accessor, "accessors", "accessor")["count"].unsignedInteger();
    };
    return std::make_unique<DracoMesh>(document, *extension, count(primitive["indices"]),
                                       count(primitive["attributes"]["POSITION"]));
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

Mesh readPrimitive(const Document& document, const JsonValue& primitive, Mode mode, const std::vector<UvSets>& uvSets,
                   const MeshPose& pose) {
    Mesh mesh;
    const std::unique_ptr<const DracoMesh> compressed = decompress(document, primitive);
    const JsonValue reference = primitive["attributes"]["POSITION"];
    const Accessor positions(document, reference, compressed.get(), "POSITION");
    if (positions.components() != 3) {
        fail(ExitCode::BadInput, "{}: found an accessor of {} components, expected 3", reference.place(),
             positions.components());
    }
    const std::optional<JsonValue> material = primitive.find("material");
    mesh.material = material ? material->index(document.count("materials"), "material") : kNone;
    const std::vector<std::uint32_t> indices =
        compressed ? compressed->indices() : readIndices(document, primitive, positions.count());
    const VertexRange range = usedRange(indices);
    // What is compressed are triangles, also those of a strip.
    mesh.triangles = assemble(indices, compressed ? Mode::Triangles : mode, static_cast<std::uint32_t>(range.first));
    mesh.positions = positions.vectors<3>(range.first, range.count);
    const Attributes attributes{document, primitive["attributes"], compressed.get(), positions.count()};
    readAttributes(attributes, range, mesh.material == kNone ? kUsualUvSets : uvSets.at(mesh.material), mesh);
    if (!pose.none()) {
        deform(pose, readTargets(document, primitive, pose.weights.size(), positions.count(), range),
               pose.joints.empty() ? Influences() : readInfluences(attributes, range, pose.joints.size()), mesh);
    }
    return mesh;
}

} // namespace

std::vector<Mesh> readPrimitives(const Document& document, const JsonValue& mesh, const std::string& label,
                                 const std::vector<UvSets>& uvSets, const MeshPose& pose) {
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
        if (primitive.has("targets") && pose.weights.empty()) {
            logWarning("{}: morph targets are not used, as no animation is asked for", primitive.place());
        }
        Mesh read = readPrimitive(document, primitive, static_cast<Mode>(mode), uvSets, pose);
        read.name = primitives.size() == 1 ? label : fmt::format("{}/{}", label, i);
        checkMesh(read, document.name());
        if (!read.triangles.empty()) {
            meshes.push_back(std::move(read));
        }
    }
    return meshes;
}

} // namespace aureole::gltf
