#include "voxel/export/export_stream.h"

#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "core/interrupt.h"

namespace aureole {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20U;

} // namespace

ExportStream::ExportStream(const std::filesystem::path& path)
    : path_(path)
    , stream_(path, std::ios::binary | std::ios::trunc) {
    check();
    buffer_.reserve(kBuffer);
}

void ExportStream::write(std::span<const std::byte> bytes) {
    if (buffer_.size() + bytes.size() > kBuffer) {
        flush();
    }
    if (bytes.size() > kBuffer) {
        stream_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        written_ += bytes.size();
        check();
        return;
    }
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void ExportStream::rewrite(std::uint64_t offset, std::span<const std::byte> bytes) {
    flush();
    stream_.seekp(static_cast<std::streamoff>(offset));
    stream_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    stream_.seekp(static_cast<std::streamoff>(written_));
    check();
}

void ExportStream::finish() {
    flush();
    stream_.close();
    check();
}

void ExportStream::flush() {
    stream_.write(reinterpret_cast<const char*>(buffer_.data()), static_cast<std::streamsize>(buffer_.size()));
    written_ += buffer_.size();
    buffer_.clear();
    check();
}

void ExportStream::check() const {
    if (!stream_) {
        fail(ExitCode::CannotWrite, "{}: cannot be written: {}", path_.string(), std::strerror(errno));
    }
}

void ExportProgress::add(std::uint64_t done) {
    constexpr std::uint64_t kBetweenChecks = std::uint64_t{1} << 16U;
    done_ += done;
    if (done_ - checked_ >= kBetweenChecks) {
        checked_ = done_;
        if (interruptRequested()) {
            fail(ExitCode::Interrupted, "interrupted: nothing was written");
        }
        progress_.update(done_);
    }
}

} // namespace aureole
