#include "import/gltf/meshopt.h"

#include <cstdint>
#include <string>

#include <meshoptimizer.h>

#include "core/error.h"

namespace aureole::gltf {

namespace {

struct Layout {
    std::size_t count = 0;
    std::size_t stride = 0;
};

void requireStride(const JsonValue& meshopt, const Layout& layout, const std::string& of, bool fits,
                   const char* expected) {
    if (!fits) {
        fail(ExitCode::BadInput, "{}: found {} with a byte stride of {}, expected {}", meshopt.place(), of,
             layout.stride, expected);
    }
}

/// Data that say that they hold more than their codec can squeeze into so few bytes would only cost memory: attributes
/// take a quarter of a byte for 16 elements' bytes at least, triangles and indices a byte each.
Layout readLayout(const JsonValue& view, const JsonValue& meshopt, const std::string& mode, std::size_t encoded) {
    const Layout layout{meshopt["count"].unsignedInteger(), meshopt["byteStride"].unsignedInteger()};
    const bool attributes = mode == "ATTRIBUTES";
    if (attributes) {
        requireStride(meshopt, layout, mode, layout.stride % 4 == 0 && layout.stride >= 4 && layout.stride <= 256,
                      "a multiple of 4 up to 256");
    } else {
        requireStride(meshopt, layout, mode, layout.stride == 2 || layout.stride == 4, "2 or 4");
    }
    const std::size_t mostBytes = encoded * (attributes ? 64 : 12);
    if (layout.count > mostBytes / layout.stride) {
        fail(ExitCode::BadInput, "{}: found {} elements of {} bytes, expected at most what {} bytes can hold",
             meshopt.place(), layout.count, layout.stride, encoded);
    }
    const std::uint64_t size = view["byteLength"].unsignedInteger();
    if (layout.count * layout.stride != size) {
        fail(ExitCode::BadInput, "{}: found {} elements of {} bytes, expected the {} bytes of its buffer view",
             meshopt.place(), layout.count, layout.stride, size);
    }
    if (mode == "TRIANGLES" && layout.count % 3 != 0) {
        fail(ExitCode::BadInput, "{}/count: found {}, expected a multiple of 3 for triangles", meshopt.place(),
             layout.count);
    }
    return layout;
}

/// Undoes what made the attributes smaller before they were compressed.
void applyFilter(const JsonValue& meshopt, const Layout& layout, std::vector<std::byte>& decoded) {
    const std::string filter = meshopt.textOr("filter", "NONE");
    if (filter == "NONE") {
        return;
    }
    if (filter == "OCTAHEDRAL") {
        requireStride(meshopt, layout, filter, layout.stride == 4 || layout.stride == 8, "4 or 8");
        meshopt_decodeFilterOct(decoded.data(), layout.count, layout.stride);
    } else if (filter == "QUATERNION") {
        requireStride(meshopt, layout, filter, layout.stride == 8, "8");
        meshopt_decodeFilterQuat(decoded.data(), layout.count, layout.stride);
    } else if (filter == "EXPONENTIAL") {
        meshopt_decodeFilterExp(decoded.data(), layout.count, layout.stride);
    } else {
        fail(ExitCode::BadInput, "{}/filter: found '{}', expected NONE, OCTAHEDRAL, QUATERNION or EXPONENTIAL",
             meshopt.place(), filter);
    }
}

} // namespace

std::optional<JsonValue> meshoptOf(const JsonValue& holder) {
    const std::optional<JsonValue> extension = holder.extension("EXT_meshopt_compression");
    return extension ? extension : holder.extension("KHR_meshopt_compression");
}

std::vector<std::byte> decodeMeshopt(const JsonValue& view, const JsonValue& meshopt,
                                     std::span<const std::byte> encoded) {
    const std::string mode = meshopt["mode"].text();
    if (mode != "ATTRIBUTES" && mode != "TRIANGLES" && mode != "INDICES") {
        fail(ExitCode::BadInput, "{}/mode: found '{}', expected ATTRIBUTES, TRIANGLES or INDICES", meshopt.place(),
             mode);
    }
    const Layout layout = readLayout(view, meshopt, mode, encoded.size());
    std::vector<std::byte> decoded(layout.count * layout.stride);
    const auto* bytes = reinterpret_cast<const unsigned char*>(encoded.data());
    int status = 0;
    if (mode == "ATTRIBUTES") {
        status = meshopt_decodeVertexBuffer(decoded.data(), layout.count, layout.stride, bytes, encoded.size());
    } else if (mode == "TRIANGLES") {
        status = meshopt_decodeIndexBuffer(decoded.data(), layout.count, layout.stride, bytes, encoded.size());
    } else {
        status = meshopt_decodeIndexSequence(decoded.data(), layout.count, layout.stride, bytes, encoded.size());
    }
    if (status != 0) {
        // The low four bits of the first byte are the version of the codec, of which attributes have a newer one.
        const bool newer = mode == "ATTRIBUTES" && !encoded.empty() && encoded[0] == std::byte{0xa1};
        fail(ExitCode::BadInput, "{}: found {}, expected {} elements of mode {}", meshopt.place(),
             newer ? "data of the codec's version 1, of which only 0 is read" : "damaged data", layout.count, mode);
    }
    if (mode == "ATTRIBUTES") {
        applyFilter(meshopt, layout, decoded);
    }
    return decoded;
}

} // namespace aureole::gltf
