#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/input_file.h"

namespace aureole {

/// Turns a reference found in a file into the path of an existing regular file inside `sceneFolder`.
/// `reference` is relative to `baseFolder`; backslashes count as slashes. `place` says where the reference stands,
/// such as "model.gltf: /images/0/uri", and opens the messages.
/// Throws Error (BadInput) for an absolute path, a URL, a path that leaves the folder once symbolic links are
/// resolved, and a file that is missing.
std::filesystem::path resolveAsset(const std::filesystem::path& sceneFolder, const std::filesystem::path& baseFolder,
                                   std::string_view reference, std::string_view place);

/// As above, but empty for a file that is missing.
std::optional<std::filesystem::path> findAsset(const std::filesystem::path& sceneFolder,
                                               const std::filesystem::path& baseFolder, std::string_view reference,
                                               std::string_view place);

/// Opens what either returned, which holds no symbolic link: one that has been put in a folder's or the file's place
/// since is an Error (BadInput).
InputFile openResolved(const std::filesystem::path& path);

} // namespace aureole
