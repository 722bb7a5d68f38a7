#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "import/asset_reader.h"

namespace aureole {

/// Finds the pictures that a model's materials refer to. Exporters write the paths of their own machine: where there is
/// no such file, or none that may be read, one of the same name in the folder of the reference is taken; where that is
/// missing too, the material goes without it, as the shape is whole. Both are warned of, once for each reference.
class PictureFinder {
public:
    /// `reader` outlives the finder.
    explicit PictureFinder(const AssetReader& reader)
        : reader_(reader) {}

    /// A path for the reader. `folder` is that of the file in which the reference stands, relative to the model's and
    /// empty or with a slash at its end; `place` is the reference's place in the model.
    std::optional<std::filesystem::path> find(const std::string& folder, const std::string& reference,
                                              std::string_view place);

private:
    std::optional<std::filesystem::path> search(const std::string& folder, const std::string& reference,
                                                std::string_view place) const;

    const AssetReader& reader_;
    std::map<std::string, std::optional<std::filesystem::path>> found_; ///< by folder and reference
};

} // namespace aureole
