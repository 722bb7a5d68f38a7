#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace aureole::gltf {

/// The two parts of a glTF file; they point into the file's bytes.
struct Container {
    std::span<const std::byte> json;
    std::span<const std::byte> binary; ///< the BIN chunk; empty where there is none
};

/// Splits a GLB file; a file without its magic number is JSON as a whole, unless `name` ends in .glb. Throws Error
/// (BadInput) naming offset, found and expected for a .glb without the magic number, for a version other than 2 and for
/// anything that reaches beyond the end of the file.
Container openContainer(std::span<const std::byte> file, const std::string& name);

/// The bytes of a "data:...;base64," URI. Throws Error (BadInput) opening with `place` for another encoding and for
/// characters that are none of base64's.
std::vector<std::byte> decodeDataUri(const std::string& uri, const std::string& place);

/// Undoes the %XX escapes of a relative URI. Throws Error (BadInput) for a broken one.
std::string decodePercent(const std::string& uri, const std::string& place);

} // namespace aureole::gltf
