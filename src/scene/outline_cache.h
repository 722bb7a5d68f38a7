#pragma once

// A model's outline: what a scene needs to know of a model whose voxels are there already. It stands in the user's
// cache by the content of the model's files, so that a second render reads these files once and parses none of them.

#include <filesystem>
#include <optional>
#include <vector>

#include "core/file_cache.h"
#include "scene/import.h"

namespace aureole {

class OutlineCache {
public:
    /// In a folder; an empty path is a cache that holds nothing.
    explicit OutlineCache(std::filesystem::path folder);

    /// The outline of a model whose files all have the content that they had when it was stored; else none.
    std::optional<ImportedModel> find(const std::filesystem::path& file, const ImportOptions& options) const;

    /// Keeps the outline of a model that was read from its file and these further ones.
    void store(const std::filesystem::path& file, const ImportOptions& options, const ImportedModel& model,
               const std::vector<std::filesystem::path>& references) const;

private:
    FileCache files_;
};

} // namespace aureole
