#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/input_file.h"

namespace aureole::sandbox {

/// The files that the reading of one asset may open: the asset itself, and what it refers to inside the scene's folder.
/// In the program it is the folder (FolderFiles), in a worker the program, which is asked. Functions throw Error
/// (BadInput).
class AssetFiles {
public:
    virtual ~AssetFiles() = default;

    /// The asset itself.
    virtual InputFile openAsset() = 0;

    /// The path of a file that the asset refers to. `place` is the place inside the asset, for messages.
    virtual std::filesystem::path resolve(std::string_view reference, std::string_view place) = 0;

    /// As above, but empty for a file that is missing.
    virtual std::optional<std::filesystem::path> find(std::string_view reference, std::string_view place) = 0;

    /// Opens what `resolve` or `find` gave, and nothing else.
    virtual InputFile open(const std::filesystem::path& path) = 0;
};

} // namespace aureole::sandbox
