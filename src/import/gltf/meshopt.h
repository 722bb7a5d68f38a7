#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "import/gltf/json_value.h"

namespace aureole::gltf {

/// EXT_meshopt_compression, or the same by its newer name, of a buffer or a buffer view.
std::optional<JsonValue> meshoptOf(const JsonValue& holder);

/// What the buffer view `view` holds, decompressed by its extension `meshopt` from `encoded`. Throws Error (BadInput)
/// where the extension's members do not fit each other or the view, or the data are damaged.
std::vector<std::byte> decodeMeshopt(const JsonValue& view, const JsonValue& meshopt,
                                     std::span<const std::byte> encoded);

} // namespace aureole::gltf
