#include "import/folder_files.h"

#include <utility>

#include "core/error.h"
#include "import/asset_path.h"
#include "import/file_pieces.h"

namespace aureole {

FolderFiles::FolderFiles(std::filesystem::path model, const ImportOptions& options)
    : model_(std::move(model))
    , sceneFolder_(options.sceneFolder.empty() ? model_.parent_path() : options.sceneFolder)
    , asset_(InputFile::open(model_, options.modelLinks)) {}

InputFile FolderFiles::openAsset() {
    return asset_.duplicate();
}

std::string FolderFiles::placeInModel(std::string_view place) const {
    return fmt::format("{}: {}", model_.string(), place);
}

std::filesystem::path FolderFiles::resolve(std::string_view reference, std::string_view place) {
    try {
        std::filesystem::path path = resolveAsset(sceneFolder_, model_.parent_path(), reference, placeInModel(place));
        granted_.insert(path);
        return path;
    } catch (const Error&) { // which whoever asks may get over
        missedFiles_ = true;
        throw;
    }
}

std::optional<std::filesystem::path> FolderFiles::find(std::string_view reference, std::string_view place) {
    std::optional<std::filesystem::path> path =
        findAsset(sceneFolder_, model_.parent_path(), reference, placeInModel(place));
    if (path) {
        granted_.insert(*path);
    }
    missedFiles_ = missedFiles_ || !path;
    return path;
}

InputFile FolderFiles::open(const std::filesystem::path& path) {
    if (!granted_.contains(path)) {
        fail(ExitCode::BadInput, "{}: its reader asked for {}, which it does not refer to", model_.string(),
             path.string());
    }
    InputFile file = InputFile::open(path, Links::Refuse);
    hash(file);
    references_.push_back(path);
    return file;
}

void FolderFiles::hash(const InputFile& file) {
    forEachPiece(file, clock_, [&](std::span<const std::byte> piece) { hasher_.add(piece.data(), piece.size()); });
}

} // namespace aureole
