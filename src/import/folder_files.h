#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.h"
#include "core/stopwatch.h"
#include "import/import.h"
#include "sandbox/asset_files.h"

namespace aureole {

/// The files of one import, opened by the rules of asset_path.h. Hashes all of them, each when it is opened: who reads
/// them may be a worker, whose word for it is not taken. All of them together have the time that a worker has.
class FolderFiles final : public sandbox::AssetFiles {
public:
    /// Opens the model. Throws Error (BadInput).
    FolderFiles(std::filesystem::path model, const ImportOptions& options);

    InputFile openAsset() override;
    std::filesystem::path resolve(std::string_view reference, std::string_view place) override;
    std::optional<std::filesystem::path> find(std::string_view reference, std::string_view place) override;
    InputFile open(const std::filesystem::path& path) override;

    const InputFile& asset() const { return asset_; }

    /// Adds the model to the hash: first of all, and once.
    void hashAsset() { hash(asset_); }
    std::string hash() const { return hasher_.hex(); }

    /// The files opened beside the model itself, and whether any that it refers to was missing
    /// or refused.
    const std::vector<std::filesystem::path>& references() const { return references_; }
    bool missedFiles() const { return missedFiles_; }

private:
    void hash(const InputFile& file);
    std::string placeInModel(std::string_view place) const;

    std::filesystem::path model_;
    std::filesystem::path sceneFolder_;
    InputFile asset_;
    Hasher hasher_;
    Stopwatch clock_;
    std::set<std::filesystem::path> granted_;
    std::vector<std::filesystem::path> references_;
    bool missedFiles_ = false;
};

} // namespace aureole
