#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "import/gltf/json_value.h"

namespace aureole::gltf {

/// What becomes of a glTF extension. The table in scenes/README.md says how, and is held against this one by a test.
enum class Support : std::uint8_t {
    Rendered,     ///< as its specification has it
    Approximated, ///< by what materials here can
    Ignored,      ///< known to leave the shape as it is, so that a file may require it; a warning tells
};

struct Extension {
    std::string_view name;
    Support support = Support::Ignored;
};

/// All that aureole knows.
std::span<const Extension> knownExtensions();

/// Goes through the extensions that a document, given by its root, requires and uses. Throws Error (BadInput) for one
/// that is required and not known here; a warning tells, once for each, of those that are ignored or not known.
void checkExtensions(const JsonValue& root, const std::string& file);

} // namespace aureole::gltf
