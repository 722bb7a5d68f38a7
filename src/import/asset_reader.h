#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/asset_files.h"

namespace aureole {

/// What one import reads: the model, and what it refers to.
class AssetReader {
public:
    /// `files` outlives the reader.
    AssetReader(std::filesystem::path file, sandbox::AssetFiles& files);

    /// The model's path, for messages and its extension: it may not be there to open.
    const std::filesystem::path& file() const { return file_; }
    /// The model's name for messages.
    const std::string& name() const { return name_; }

    InputFile openModel() const { return files_.openAsset(); }

    /// The whole model file.
    std::vector<std::byte> readModel() const;

    /// The path of a file that the model refers to; see resolveAsset. `place` is the place inside the model.
    std::filesystem::path resolve(std::string_view reference, std::string_view place) const {
        return files_.resolve(reference, place);
    }

    /// As above, but empty for a file that is missing.
    std::optional<std::filesystem::path> find(std::string_view reference, std::string_view place) const {
        return files_.find(reference, place);
    }

    /// Reads a file that `resolve` or `find` returned.
    std::vector<std::byte> read(const std::filesystem::path& path) const;

private:
    std::filesystem::path file_;
    std::string name_;
    sandbox::AssetFiles& files_;
};

} // namespace aureole
