#include "import/gltf/accessor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "core/error.h"

namespace aureole::gltf {

namespace {

std::size_t sizeOf(ComponentType type) {
    switch (type) {
    case ComponentType::Byte:
    case ComponentType::UnsignedByte:
        return 1;
    case ComponentType::Short:
    case ComponentType::UnsignedShort:
        return 2;
    case ComponentType::UnsignedInt:
    case ComponentType::Float:
        return 4;
    }
    return 0;
}

ComponentType readType(const JsonValue& value) {
    const std::uint64_t code = value.unsignedInteger();
    const auto type = static_cast<ComponentType>(code);
    if (code > std::numeric_limits<std::uint32_t>::max() || sizeOf(type) == 0) {
        fail(ExitCode::BadInput, "{}: found component type {}, expected 5120 to 5123, 5125 or 5126", value.place(),
             code);
    }
    return type;
}

std::size_t readComponents(const JsonValue& value) {
    constexpr std::array<std::pair<const char*, std::size_t>, 5> kTypes = {
        {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}}};
    for (const auto& [name, components] : kTypes) {
        if (value.text() == name) {
            return components;
        }
    }
    fail(ExitCode::BadInput, "{}: found '{}', expected SCALAR, VEC2, VEC3, VEC4 or MAT4", value.place(), value.text());
}

template <typename T>
T load(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

template <typename Integer>
double decode(const std::byte* bytes, bool normalized) {
    const double value = load<Integer>(bytes);
    return normalized ? std::max(value / std::numeric_limits<Integer>::max(), -1.0) : value;
}

double decodeComponent(ComponentType type, const std::byte* bytes, bool normalized) {
    switch (type) {
    case ComponentType::Byte:
        return decode<std::int8_t>(bytes, normalized);
    case ComponentType::UnsignedByte:
        return decode<std::uint8_t>(bytes, normalized);
    case ComponentType::Short:
        return decode<std::int16_t>(bytes, normalized);
    case ComponentType::UnsignedShort:
        return decode<std::uint16_t>(bytes, normalized);
    case ComponentType::UnsignedInt:
        return decode<std::uint32_t>(bytes, normalized);
    case ComponentType::Float:
        return load<float>(bytes);
    }
    return 0.0;
}

} // namespace

Accessor::Accessor(const Document& document, const JsonValue& index, const DracoMesh* compressed, const char* name)
    : json_(document.follow(index, "accessors", "accessor"))
    , count_(json_["count"].unsignedInteger())
    , components_(readComponents(json_["type"]))
    , type_(readType(json_["componentType"])) {
    const std::optional<JsonValue> normalized = json_.find("normalized");
    normalized_ = normalized && normalized->boolean();
    // A count without data behind it is bounded by the indices that can refer to it.
    constexpr std::size_t kMaxWithoutData = std::size_t{1} << 26U;
    if (compressed != nullptr && readCompressed(*compressed, name)) {
        // What the buffer view holds, if there is one, is for readers that do not decompress.
    } else if (json_.has("bufferView")) {
        dense_ = locate(document, json_, count_, components_ * sizeOf(type_), true);
    } else if (count_ > kMaxWithoutData) {
        fail(ExitCode::BadInput, "{}: found {} elements without a buffer view, expected at most {}", json_.place(),
             count_, kMaxWithoutData);
    }
    if (const std::optional<JsonValue> sparse = json_.find("sparse")) {
        readSparse(document, *sparse);
    }
}

bool Accessor::readCompressed(const DracoMesh& compressed, const char* name) {
    std::optional<std::vector<std::byte>> elements = compressed.attribute(name, type_, components_);
    if (!elements) {
        return false;
    }
    const std::size_t size = components_ * sizeOf(type_);
    if (elements->size() / size != count_) {
        fail(ExitCode::BadInput, "{}/count: found {}, expected the {} that are compressed", json_.place(), count_,
             elements->size() / size);
    }
    decompressed_ = std::make_shared<const std::vector<std::byte>>(std::move(*elements));
    dense_ = {*decompressed_, size};
    return true;
}

Accessor::Block Accessor::locate(const Document& document, const JsonValue& holder, std::size_t count,
                                 std::size_t elementSize, bool mayStride) {
    const JsonValue reference = holder["bufferView"];
    const std::size_t view = reference.index(document.count("bufferViews"), "buffer view");
    const std::span<const std::byte> bytes = document.bufferView(view);
    const std::uint64_t offset = holder.unsignedOr("byteOffset", 0);
    const std::uint64_t given = document.element("bufferViews", view).unsignedOr("byteStride", 0);
    const std::size_t stride = mayStride && given != 0 ? given : elementSize;
    constexpr std::size_t kMaxStride = 252;
    if (stride < elementSize || stride > std::max(kMaxStride, elementSize)) {
        fail(ExitCode::BadInput, "{}: found a byte stride of {}, expected {} to {}", holder.place(), stride,
             elementSize, kMaxStride);
    }
    const std::size_t available = offset < bytes.size() ? bytes.size() - offset : 0;
    // readType refuses types without a size. NOLINTNEXTLINE(clang-analyzer-core.DivideZero)
    const std::size_t fitting = available < elementSize ? 0 : (available - elementSize) / stride + 1;
    if (count > fitting) {
        fail(ExitCode::BadInput, "{}: found {} elements, expected at most the {} that fit in buffer view {}",
             holder.place(), count, fitting, view);
    }
    return {bytes.subspan(std::min<std::size_t>(offset, bytes.size())), stride};
}

void Accessor::readSparse(const Document& document, const JsonValue& sparse) {
    const std::uint64_t count = sparse["count"].unsignedInteger();
    const JsonValue where = sparse["indices"];
    const ComponentType type = readType(where["componentType"]);
    const Block block = locate(document, where, count, sizeOf(type), false);
    sparse_.values = locate(document, sparse["values"], count, components_ * sizeOf(type_), false);
    sparse_.indices.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double index = decodeComponent(type, block.bytes.data() + i * block.stride, false);
        const double least = i == 0 ? 0.0 : sparse_.indices.back() + 1.0;
        if (!(index >= least && index < static_cast<double>(count_))) {
            fail(ExitCode::BadInput, "{}: index {}: found {}, expected {} to {}", where.place(), i, index, least,
                 static_cast<double>(count_) - 1.0);
        }
        sparse_.indices.push_back(static_cast<std::uint32_t>(index));
    }
}

const std::byte* Accessor::element(std::size_t index) const {
    if (!sparse_.indices.empty()) {
        const auto found = std::lower_bound(sparse_.indices.begin(), sparse_.indices.end(), index);
        if (found != sparse_.indices.end() && *found == index) {
            return sparse_.values.bytes.data() +
                   static_cast<std::size_t>(found - sparse_.indices.begin()) * sparse_.values.stride;
        }
    }
    return dense_.bytes.empty() ? nullptr : dense_.bytes.data() + index * dense_.stride;
}

template <glm::length_t L>
std::vector<glm::vec<L, float>> Accessor::vectors(std::size_t first, std::size_t count) const {
    const std::size_t size = sizeOf(type_);
    std::vector<glm::vec<L, float>> result(count, glm::vec<L, float>(0.0F));
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* bytes = element(first + i);
        for (glm::length_t c = 0; bytes != nullptr && c < L; ++c) {
            result[i][c] =
                static_cast<float>(decodeComponent(type_, bytes + static_cast<std::size_t>(c) * size, normalized_));
        }
    }
    return result;
}

template std::vector<glm::vec2> Accessor::vectors<2>(std::size_t, std::size_t) const;
template std::vector<glm::vec3> Accessor::vectors<3>(std::size_t, std::size_t) const;
template std::vector<glm::vec4> Accessor::vectors<4>(std::size_t, std::size_t) const;

std::vector<double> Accessor::numbers() const {
    std::vector<double> result(count_ * components_);
    for (std::size_t i = 0; i < count_; ++i) {
        const std::byte* bytes = element(i);
        for (std::size_t c = 0; bytes != nullptr && c < components_; ++c) {
            result[components_ * i + c] = decodeComponent(type_, bytes + c * sizeOf(type_), normalized_);
        }
    }
    return result;
}

std::vector<std::uint32_t> Accessor::indices() const {
    if (components_ != 1 || (type_ != ComponentType::UnsignedByte && type_ != ComponentType::UnsignedShort &&
                             type_ != ComponentType::UnsignedInt)) {
        fail(ExitCode::BadInput, "{}: found {} of the type {}, expected SCALAR of an unsigned type for indices",
             json_.place(), json_["type"].text(), json_["componentType"].unsignedInteger());
    }
    std::vector<std::uint32_t> result(count_, 0);
    for (std::size_t i = 0; i < count_; ++i) {
        if (const std::byte* bytes = element(i)) {
            result[i] = static_cast<std::uint32_t>(decodeComponent(type_, bytes, false));
        }
    }
    return result;
}

} // namespace aureole::gltf
