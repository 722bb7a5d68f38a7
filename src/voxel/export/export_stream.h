#pragma once

// What the writers of other formats share.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"

namespace aureole {

/// A new file, written from front to back through a buffer. Throws Error (CannotWrite).
class ExportStream {
public:
    explicit ExportStream(const std::filesystem::path& path);

    void write(std::span<const std::byte> bytes);
    void text(std::string_view text) { write(std::as_bytes(std::span(text))); }
    template <typename T>
    void number(T value) {
        write(std::as_bytes(std::span<const T>(&value, 1)));
    }
    std::uint64_t size() const { return written_ + buffer_.size(); }
    /// Replaces bytes that were written.
    void rewrite(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Call it last: makes sure that all has reached the file.
    void finish();

private:
    void flush();
    void check() const;

    std::filesystem::path path_;
    std::ofstream stream_;
    std::vector<std::byte> buffer_;
    std::uint64_t written_ = 0;
};

/// Shows how far an export is, and throws Error (Interrupted) where it is to stop.
class ExportProgress {
public:
    /// `total` is the amount of work in voxels or bytes.
    ExportProgress(std::string stage, std::uint64_t total)
        : progress_(std::move(stage), total > 0 ? total : 1) {}
    ~ExportProgress() { progress_.update(done_); }
    ExportProgress(const ExportProgress&) = delete;
    ExportProgress& operator=(const ExportProgress&) = delete;
    ExportProgress(ExportProgress&&) = delete;
    ExportProgress& operator=(ExportProgress&&) = delete;

    /// That much more is done. A piece of 2^16 is small enough for an answer to Ctrl-C at once.
    void add(std::uint64_t done);

private:
    Progress progress_;
    std::uint64_t done_ = 0;
    std::uint64_t checked_ = 0; ///< what was done when the stop was last looked for
};

} // namespace aureole
