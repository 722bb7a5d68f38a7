#include "import/asset_reader.h"

#include <utility>

namespace aureole {

namespace {

constexpr std::uintmax_t kMaxAssetBytes = std::uintmax_t{1} << 34U;

} // namespace

AssetReader::AssetReader(std::filesystem::path file, sandbox::AssetFiles& files)
    : file_(std::move(file))
    , name_(file_.string())
    , files_(files) {}

std::vector<std::byte> AssetReader::readModel() const {
    return files_.openAsset().readAll(kMaxAssetBytes);
}

std::vector<std::byte> AssetReader::read(const std::filesystem::path& path) const {
    return files_.open(path).readAll(kMaxAssetBytes);
}

} // namespace aureole
