#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace aureole {

/// Turns a reference found in a file into the path of an existing regular file inside `sceneFolder`.
/// `reference` is relative to `baseFolder`; backslashes count as slashes. `place` says where the reference stands,
/// such as "model.gltf: /images/0/uri", and opens the messages.
/// It holds no symbolic link and is to be opened with Links::Refuse (core/input_file.h).
/// Throws Error (BadInput) for an absolute path, a URL, a path that leaves the folder once symbolic links are
/// resolved, and a file that is missing.
std::filesystem::path resolveAsset(const std::filesystem::path& sceneFolder, const std::filesystem::path& baseFolder,
                                   std::string_view reference, std::string_view place);

/// As above, but empty for a file that is missing.
std::optional<std::filesystem::path> findAsset(const std::filesystem::path& sceneFolder,
                                               const std::filesystem::path& baseFolder, std::string_view reference,
                                               std::string_view place);

} // namespace aureole
