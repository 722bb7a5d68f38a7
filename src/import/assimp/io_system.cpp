#include "import/assimp/io_system.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <assimp/MemoryIOWrapper.h>

namespace aureole {

namespace {

class ModelStream : public Assimp::IOStream {
public:
    ModelStream(InputFile file, std::size_t start)
        : file_(std::move(file))
        , start_(std::min<std::size_t>(start, file_.size())) {}

    /// Whole elements alone count, as with fread.
    std::size_t Read(void* buffer, std::size_t size, std::size_t count) override {
        const std::size_t left = at_ < FileSize() ? FileSize() - at_ : 0;
        if (size == 0 || count == 0) {
            return 0;
        }
        const std::size_t whole = std::min(count, left / size);
        const std::size_t found = file_.readAt(start_ + at_, {static_cast<std::byte*>(buffer), whole * size});
        at_ += found;
        return found / size;
    }

    std::size_t Write(const void* /*buffer*/, std::size_t /*size*/, std::size_t /*count*/) override { return 0; }

    aiReturn Seek(std::size_t offset, aiOrigin origin) override {
        // Offsets back are huge unsigned ones, whose sum wraps around to what is meant.
        const std::size_t base = origin == aiOrigin_SET ? 0 : (origin == aiOrigin_CUR ? at_ : FileSize());
        const std::size_t target = base + offset;
        if (target > FileSize()) {
            return aiReturn_FAILURE;
        }
        at_ = target;
        return aiReturn_SUCCESS;
    }

    std::size_t Tell() const override { return at_; }
    std::size_t FileSize() const override { return file_.size() - start_; }
    void Flush() override {}

private:
    InputFile file_;
    std::size_t start_;
    std::size_t at_ = 0; ///< from there on
};

} // namespace

Assimp::IOStream* SingleFileIoSystem::Open(const char* file, const char* mode) {
    const bool writes = std::string_view(mode).find_first_of("wa+") != std::string_view::npos;
    if (!Exists(file) || writes) {
        return nullptr;
    }
    if (text_) {
        return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(text_->data()), text_->size());
    }
    return new ModelStream(reader_.openModel(), start_);
}

void SingleFileIoSystem::Close(Assimp::IOStream* stream) {
    delete stream;
}

} // namespace aureole
