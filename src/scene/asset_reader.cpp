#include "scene/asset_reader.h"

#include <fstream>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "scene/asset_path.h"

namespace aureole {

namespace {

constexpr std::uintmax_t kMaxAssetBytes = std::uintmax_t{1} << 34U;

} // namespace

AssetReader::AssetReader(std::filesystem::path file, const ImportOptions& options)
    : file_(std::move(file))
    , name_(file_.string())
    , sceneFolder_(options.sceneFolder.empty() ? file_.parent_path() : options.sceneFolder) {}

std::vector<std::byte> AssetReader::readModel() {
    std::vector<std::byte> bytes = readFile(file_, kMaxAssetBytes);
    hasher_.add(bytes.data(), bytes.size());
    return bytes;
}

void AssetReader::hashModel() {
    std::error_code status;
    if (!std::filesystem::exists(file_, status)) {
        fail(ExitCode::BadInput, "{}: no such file", name_);
    }
    if (!std::filesystem::is_regular_file(file_, status)) {
        fail(ExitCode::BadInput, "{}: not a regular file", name_);
    }
    std::ifstream stream(file_, std::ios::binary);
    if (!stream) {
        fail(ExitCode::BadInput, "{}: cannot be read", name_);
    }
    std::vector<char> block(std::size_t{1} << 20U);
    while (stream) {
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        hasher_.add(block.data(), static_cast<std::size_t>(stream.gcount()));
    }
}

std::filesystem::path AssetReader::resolve(std::string_view reference, std::string_view place) const {
    return resolveAsset(sceneFolder_, file_.parent_path(), reference, fmt::format("{}: {}", name_, place));
}

std::optional<std::filesystem::path> AssetReader::find(std::string_view reference, std::string_view place) {
    std::optional<std::filesystem::path> path =
        findAsset(sceneFolder_, file_.parent_path(), reference, fmt::format("{}: {}", name_, place));
    missedFiles_ = missedFiles_ || !path;
    return path;
}

std::vector<std::byte> AssetReader::read(const std::filesystem::path& path) {
    std::vector<std::byte> bytes = readFile(path, kMaxAssetBytes);
    hasher_.add(bytes.data(), bytes.size());
    references_.push_back(path);
    return bytes;
}

} // namespace aureole
