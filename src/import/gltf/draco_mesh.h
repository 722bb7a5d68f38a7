#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "import/gltf/document.h"

namespace draco {
class Mesh;
}

namespace aureole::gltf {

enum class ComponentType : std::uint32_t;

/// The triangles of a primitive, decompressed from its KHR_draco_mesh_compression.
class DracoMesh {
public:
    /// `indices` and `vertices` are the counts of the primitive's accessors, which the data must agree with. Throws
    /// Error (BadInput) where they do not, and for damaged data.
    DracoMesh(const Document& document, const JsonValue& extension, std::size_t indices, std::size_t vertices);
    DracoMesh(const DracoMesh&) = delete;
    DracoMesh& operator=(const DracoMesh&) = delete;
    DracoMesh(DracoMesh&&) = delete;
    DracoMesh& operator=(DracoMesh&&) = delete;
    ~DracoMesh();

    /// Three for each triangle, all below the number of vertices.
    std::vector<std::uint32_t> indices() const;

    /// An attribute of all vertices as the bytes of an accessor of that many components of that type; none where the
    /// extension does not have it.
    std::optional<std::vector<std::byte>> attribute(const char* name, ComponentType type, std::size_t components) const;

private:
    JsonValue attributes_;
    std::unique_ptr<const draco::Mesh> mesh_;
};

} // namespace aureole::gltf
