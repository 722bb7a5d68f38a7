#pragma once

// A model's outline: what a scene needs to know of a model whose voxels are there already. It stands in the user's
// cache by the content of the model's files, so that a second render reads these files once and parses none of them.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/cache/file_cache.h"
#include "import/import.h"

namespace aureole {

class OutlineCache {
public:
    /// A cache in that folder. With an empty path it holds nothing.
    explicit OutlineCache(std::filesystem::path folder);

    /// What the outline of a model file is called: by its content as it is now. None where the file cannot be read.
    static std::optional<std::string> nameOf(const std::filesystem::path& file, const ImportOptions& options);

    /// The outline of that name, if the model's further files all have the content that they had when it was stored;
    /// else none.
    std::optional<ImportedModel> find(const std::string& name, const std::filesystem::path& file,
                                      const ImportOptions& options) const;

    /// Keeps the outline of a model that was read from its file and these further ones. `name` is what nameOf gave
    /// before that; nothing is kept where it gives another now.
    void store(const std::string& name, const std::filesystem::path& file, const ImportOptions& options,
               const ImportedModel& model, const std::vector<std::filesystem::path>& references) const;

private:
    FileCache files_;
};

} // namespace aureole
