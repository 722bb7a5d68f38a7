#include "import/gltf/draco_mesh.h"

#include <limits>
#include <span>
#include <string_view>

#include <draco/compression/decode.h>
#include <draco/compression/point_cloud/point_cloud_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/metadata/metadata_decoder.h>

#include "core/error.h"
#include "import/gltf/accessor.h"

namespace aureole::gltf {

namespace {

draco::DecoderBuffer bufferOf(std::span<const std::byte> bytes) {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return buffer;
}

/// How many triangles data of bitstream 2.2 say that they have, which the decoder takes memory for before it looks at
/// anything else; none where they do not even begin as a mesh does.
std::optional<std::uint32_t> statedTriangles(std::span<const std::byte> bytes) {
    draco::DecoderBuffer buffer = bufferOf(bytes);
    draco::DracoHeader header{};
    if (!draco::PointCloudDecoder::DecodeHeader(&buffer, &header).ok() || header.version_major != 2 ||
        header.version_minor != 2 || header.encoder_type != draco::TRIANGULAR_MESH) {
        return std::nullopt;
    }
    buffer.set_bitstream_version(DRACO_BITSTREAM_VERSION(2, 2));
    draco::GeometryMetadata metadata;
    if ((header.flags & METADATA_FLAG_MASK) != 0 &&
        !draco::MetadataDecoder().DecodeGeometryMetadata(&buffer, &metadata)) {
        return std::nullopt;
    }
    // The sequential method has triangles and points; edgebreaker has its way of traversal, vertices and triangles.
    std::uint8_t traversal = 0;
    std::uint32_t vertices = 0;
    std::uint32_t triangles = 0;
    if (header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING &&
        (!buffer.Decode(&traversal) || !draco::DecodeVarint(&vertices, &buffer))) {
        return std::nullopt;
    }
    return draco::DecodeVarint(&triangles, &buffer) ? std::optional(triangles) : std::nullopt;
}

std::unique_ptr<const draco::Mesh> decode(const JsonValue& extension, std::span<const std::byte> bytes,
                                          std::size_t indices) {
    const std::optional<std::uint32_t> stated = statedTriangles(bytes);
    if (!stated) {
        fail(ExitCode::BadInput, "{}: found damaged data, expected a mesh of Draco's bitstream 2.2", extension.place());
    }
    if (std::size_t{3} * *stated != indices) {
        fail(ExitCode::BadInput, "{}: found {} triangles, expected a third of the {} indices that the accessor has",
             extension.place(), *stated, indices);
    }
    // Draco's own encoder gets 11 triangles of a flat grid into a byte.
    constexpr std::size_t kMaxTrianglesPerByte = 256;
    if (*stated / kMaxTrianglesPerByte > bytes.size()) {
        fail(ExitCode::BadInput, "{}: found {} triangles in {} bytes, expected at most {} a byte", extension.place(),
             *stated, bytes.size(), kMaxTrianglesPerByte);
    }
    draco::DecoderBuffer buffer = bufferOf(bytes);
    draco::StatusOr<std::unique_ptr<draco::Mesh>> mesh = draco::Decoder().DecodeMeshFromBuffer(&buffer);
    if (!mesh.ok()) {
        const std::string& message = mesh.status().error_msg_string();
        fail(ExitCode::BadInput, "{}: found damaged data, expected a mesh as Draco packs them{}", extension.place(),
             message.empty() ? "" : " (" + message + ")");
    }
    return std::move(mesh).value();
}

/// Appends the components of all points as plain values of type T; false where some have none.
template <typename T>
bool appendValues(const draco::PointAttribute& attribute, std::uint32_t points, std::int8_t components,
                  std::vector<std::byte>& bytes) {
    bytes.resize(std::size_t{points} * static_cast<std::size_t>(components) * sizeof(T));
    auto* values = reinterpret_cast<T*>(bytes.data());
    for (std::uint32_t i = 0; i < points; ++i, values += components) {
        const draco::AttributeValueIndex index = attribute.mapped_index(draco::PointIndex(i));
        if (index.value() >= attribute.size() || !attribute.ConvertValue<T>(index, components, values)) {
            return false;
        }
    }
    return true;
}

bool appendValues(const draco::PointAttribute& attribute, std::uint32_t points, ComponentType type,
                  std::int8_t components, std::vector<std::byte>& bytes) {
    switch (type) {
    case ComponentType::Byte:
        return appendValues<std::int8_t>(attribute, points, components, bytes);
    case ComponentType::UnsignedByte:
        return appendValues<std::uint8_t>(attribute, points, components, bytes);
    case ComponentType::Short:
        return appendValues<std::int16_t>(attribute, points, components, bytes);
    case ComponentType::UnsignedShort:
        return appendValues<std::uint16_t>(attribute, points, components, bytes);
    case ComponentType::UnsignedInt:
        return appendValues<std::uint32_t>(attribute, points, components, bytes);
    case ComponentType::Float:
        return appendValues<float>(attribute, points, components, bytes);
    }
    return false;
}

} // namespace

DracoMesh::DracoMesh(const Document& document, const JsonValue& extension, std::size_t indices, std::size_t vertices)
    : attributes_(extension["attributes"]) {
    const std::size_t view = extension["bufferView"].index(document.count("bufferViews"), "buffer view");
    mesh_ = decode(extension, document.bufferView(view), indices);
    if (mesh_->num_points() != vertices || std::size_t{3} * mesh_->num_faces() != indices) {
        fail(ExitCode::BadInput,
             "{}: found {} triangles of {} vertices, expected {} indices of {} as the accessors say", extension.place(),
             mesh_->num_faces(), mesh_->num_points(), indices, vertices);
    }
}

DracoMesh::~DracoMesh() = default;

std::vector<std::uint32_t> DracoMesh::indices() const {
    std::vector<std::uint32_t> indices;
    indices.reserve(std::size_t{3} * mesh_->num_faces());
    for (std::uint32_t i = 0; i < mesh_->num_faces(); ++i) {
        for (const draco::PointIndex& corner : mesh_->face(draco::FaceIndex(i))) {
            if (corner.value() >= mesh_->num_points()) {
                fail(ExitCode::BadInput, "{}: triangle {}: found vertex {}, expected less than {}", attributes_.place(),
                     i, corner.value(), mesh_->num_points());
            }
            indices.push_back(corner.value());
        }
    }
    return indices;
}

std::optional<std::vector<std::byte>> DracoMesh::attribute(const char* name, ComponentType type,
                                                           std::size_t components) const {
    const std::optional<JsonValue> id = attributes_.find(name);
    if (!id) {
        return std::nullopt;
    }
    const auto unique = id->index(std::numeric_limits<std::uint32_t>::max(), "attribute");
    const draco::PointAttribute* found = mesh_->GetAttributeByUniqueId(unique);
    std::vector<std::byte> bytes;
    if (found == nullptr || found->num_components() < static_cast<int>(components) ||
        !appendValues(*found, mesh_->num_points(), type, static_cast<std::int8_t>(components), bytes)) {
        fail(ExitCode::BadInput, "{}: found {}, expected an attribute of {} components for each vertex", id->place(),
             unique, components);
    }
    return bytes;
}

} // namespace aureole::gltf
