#include "scene/json/model_reads.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "scene/scene_memory.h"

namespace aureole {

namespace {

/// What a reader and the model that comes of it take of memory for each byte of the file: measured were 10 of OBJ, PLY
/// and glTF, and compressed ones have more. Files that a model refers to are not counted.
constexpr std::uint64_t kMemoryOfByte = 32;

/// 0 where that cannot be told.
std::uint64_t bytesOfFile(const std::filesystem::path& path) {
    std::error_code status;
    const std::uintmax_t bytes = std::filesystem::file_size(path, status);
    return status ? 0 : bytes;
}

} // namespace

std::size_t filesAtOnce(std::span<const std::uint64_t> sizes, std::uint64_t memory) {
    std::size_t count = 0;
    for (std::uint64_t left = memory / kMemoryOfByte; count < std::min(kFilesAtOnce, sizes.size()); ++count) {
        if (count > 0 && sizes[count] > left) {
            break;
        }
        left -= std::min(left, sizes[count]);
    }
    return count;
}

void ModelReads::expect(ModelSource source) {
    reads_.push_back({std::move(source)});
}

ImportedModel ModelReads::take(const ModelSource& source) {
    const auto found =
        std::find_if(reads_.begin(), reads_.end(), [&](const Read& read) { return read.source == source; });
    if (found == reads_.end()) {
        return importModel(source.path, source.options);
    }
    reads_.erase(reads_.begin(), found); // those before it were wrong in other ways
    if (!reads_.front().outcome) {
        readFirst();
    }
    Read read = std::move(reads_.front());
    reads_.pop_front();
    read.outcome->tell();
    return std::move(read.model);
}

void ModelReads::readFirst() {
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < std::min(kFilesAtOnce, reads_.size()); ++i) {
        sizes.push_back(bytesOfFile(reads_[i].source.path));
    }
    const std::size_t count = filesAtOnce(sizes, sceneMemoryLimit());
    std::vector<ReadOutcome> outcomes = readTogether(
        count, [&](std::size_t i) { reads_[i].model = importModel(reads_[i].source.path, reads_[i].source.options); });
    for (std::size_t i = 0; i < count; ++i) {
        reads_[i].outcome = std::move(outcomes[i]);
    }
}

} // namespace aureole
