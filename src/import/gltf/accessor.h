#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/math.h"
#include "import/gltf/document.h"
#include "import/gltf/draco_mesh.h"

namespace aureole::gltf {

enum class ComponentType : std::uint32_t {
    Byte = 5120,
    UnsignedByte = 5121,
    Short = 5122,
    UnsignedShort = 5123,
    UnsignedInt = 5125,
    Float = 5126,
};

/// An accessor, checked against its buffer views. Sparse ones and ones without a buffer view included.
class Accessor {
public:
    /// `index` is the JSON value that refers to the accessor.
    Accessor(const Document& document, const JsonValue& index)
        : Accessor(document, index, nullptr, "") {}

    /// That of the attribute `name`, which a compressed mesh (or nullptr) may hold in the buffer view's place.
    Accessor(const Document& document, const JsonValue& index, const DracoMesh* compressed, const char* name);

    std::size_t count() const { return count_; }
    std::size_t components() const { return components_; }
    ComponentType componentType() const { return type_; }
    bool normalized() const { return normalized_; }
    const JsonValue& json() const { return json_; }

    /// Elements [first, first + count) as vectors of L floats; L is at most components(). Normalised integers become
    /// 0 to 1 or -1 to 1.
    template <glm::length_t L>
    std::vector<glm::vec<L, float>> vectors(std::size_t first, std::size_t count) const;

    /// All components of all elements, one element after the other.
    std::vector<double> numbers() const;

    /// All elements of a scalar accessor of an unsigned type.
    std::vector<std::uint32_t> indices() const;

private:
    struct Block {
        std::span<const std::byte> bytes; ///< empty: all zero
        std::size_t stride = 0;
    };
    struct Sparse {
        std::vector<std::uint32_t> indices; ///< strictly increasing
        Block values;
    };

    bool readCompressed(const DracoMesh& compressed, const char* name);
    static Block locate(const Document& document, const JsonValue& holder, std::size_t count, std::size_t elementSize,
                        bool mayStride);
    void readSparse(const Document& document, const JsonValue& sparse);
    double component(const std::byte* element, std::size_t index) const;
    const std::byte* element(std::size_t index) const; ///< nullptr: zero

    JsonValue json_;
    std::size_t count_ = 0;
    std::size_t components_ = 0;
    ComponentType type_ = ComponentType::Float;
    bool normalized_ = false;
    std::shared_ptr<const std::vector<std::byte>> decompressed_; ///< what dense_ points into where it was compressed
    Block dense_;
    Sparse sparse_;
};

} // namespace aureole::gltf
