#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.h"
#include "scene/import.h"

namespace aureole {

/// The files one import reads: the model, and what it refers to inside the scene folder. Hashes all of them.
class AssetReader {
public:
    AssetReader(std::filesystem::path file, const ImportOptions& options);

    const std::filesystem::path& file() const { return file_; }
    /// The model's name for messages.
    const std::string& name() const { return name_; }

    /// The whole model file.
    std::vector<std::byte> readModel();

    /// Adds the model file to the hash without holding it in memory.
    void hashModel();

    /// The path of a file that the model refers to; see resolveAsset. `place` is the place inside the model.
    std::filesystem::path resolve(std::string_view reference, std::string_view place) const;

    /// As above, but empty for a file that is missing.
    std::optional<std::filesystem::path> find(std::string_view reference, std::string_view place);

    /// Reads a file that `resolve` returned.
    std::vector<std::byte> read(const std::filesystem::path& path);

    std::string hash() const { return hasher_.hex(); }

    /// The files read beside the model itself, and whether any that the model refers to was missing.
    const std::vector<std::filesystem::path>& references() const { return references_; }
    bool missedFiles() const { return missedFiles_; }

private:
    std::filesystem::path file_;
    std::string name_;
    std::filesystem::path sceneFolder_;
    Hasher hasher_;
    std::vector<std::filesystem::path> references_;
    bool missedFiles_ = false;
};

} // namespace aureole
