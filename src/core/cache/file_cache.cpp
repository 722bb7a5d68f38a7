#include "core/cache/file_cache.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/log.h"

namespace aureole {

namespace fs = std::filesystem;

namespace {

/// How long nothing was written to a half-written file whose writer is gone. One that was only stopped for so long
/// finds its file removed when it goes on, which costs that program a line in its log.
constexpr std::chrono::minutes kAbandoned{30};
/// After so many files those of other processes are counted again.
constexpr std::uint32_t kStoresPerLook = 256;

/// The extension of locks. Only their holders remove them: without one that is held, a second process would come in.
constexpr const char* kLockExtension = ".lock";

struct CachedFile {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes = 0;
};

/// When a file was used last. The clock may have been wrong then: a file of the future counts as used now, and is
/// marked so, or it would outlast all others.
fs::file_time_type whenUsed(const fs::directory_entry& entry, std::error_code& gone) {
    const fs::file_time_type used = entry.last_write_time(gone);
    const fs::file_time_type now = fs::file_time_type::clock::now();
    if (gone || used <= now) {
        return used;
    }
    std::error_code ignored;
    fs::last_write_time(entry.path(), now, ignored);
    return now;
}

/// What may be removed from a folder; half-written files only once they are abandoned.
std::vector<CachedFile> filesIn(const fs::path& folder) {
    std::vector<CachedFile> files;
    std::error_code status;
    for (fs::directory_iterator entry(folder, status), end; !status && entry != end; entry.increment(status)) {
        std::error_code gone; // another process may remove it meanwhile
        const fs::file_time_type used = whenUsed(*entry, gone);
        const bool half = entry->path().extension().string().starts_with(".part");
        if (gone || !entry->is_regular_file(gone) || entry->path().extension() == kLockExtension ||
            (half && fs::file_time_type::clock::now() - used < kAbandoned)) {
            continue;
        }
        const std::uintmax_t bytes = entry->file_size(gone);
        if (!gone) {
            files.push_back({entry->path(), used, bytes});
        }
    }
    return files;
}

} // namespace

FileCache::FileCache(fs::path folder, std::uint64_t maximumBytes, std::string what)
    : folder_(std::move(folder))
    , maximumBytes_(maximumBytes)
    , what_(std::move(what)) {}

std::optional<fs::path> FileCache::find(const std::string& name) const {
    std::error_code status;
    const fs::path path = folder_ / name;
    if (folder_.empty() || !fs::is_regular_file(path, status)) {
        return std::nullopt;
    }
    fs::last_write_time(path, fs::file_time_type::clock::now(), status); // a folder of others may forbid it
    return path;
}

bool FileCache::store(const std::string& name, std::uint64_t bytes,
                      const std::function<void(const fs::path&)>& write) const {
    if (folder_.empty()) {
        return false;
    }
    try {
        if (bytes > maximumBytes_) {
            fail(ExitCode::CannotWrite, "found {} bytes, expected at most {}", bytes, maximumBytes_);
        }
        fs::create_directories(folder_);
        makeRoom(bytes);
        if (const std::uintmax_t left = fs::space(folder_).available; bytes > left / 2) {
            fail(ExitCode::CannotWrite, "{}: found {} bytes left on the disk, expected twice the {} to be stored",
                 folder_.string(), left, bytes);
        }
        write(folder_ / name);
        return true;
    } catch (const Error& error) {
        if (error.code() == ExitCode::Interrupted) {
            throw;
        }
        logWarning("cache of {}: not stored: {}", what_, error.what());
    } catch (const std::exception& error) {
        logWarning("cache of {}: not stored: {}", what_, error.what());
    }
    return false;
}

FileLock FileCache::lock(const std::string& name) const {
    return {folder_.empty() ? fs::path() : folder_ / (name + kLockExtension),
            [&] { logInfo("cache of {}: another process makes {}: waiting for it", what_, name); }};
}

void FileCache::discard(const std::string& name, const std::string& why) const {
    logWarning("cache of {}: not used: {}", what_, why);
    std::error_code ignored;
    fs::remove(folder_ / name, ignored);
}

void FileCache::makeRoom(std::uint64_t bytes) const {
    const std::lock_guard lock(room_->mutex);
    room_->bytes += bytes;
    if (room_->stores > 0 && room_->bytes <= maximumBytes_) {
        --room_->stores;
        return;
    }
    room_->stores = kStoresPerLook;
    std::vector<CachedFile> files = filesIn(folder_);
    std::uint64_t total = bytes;
    for (const CachedFile& file : files) {
        total += file.bytes;
    }
    std::sort(files.begin(), files.end(), [](const CachedFile& a, const CachedFile& b) { return a.used < b.used; });
    for (const CachedFile& file : files) {
        if (total <= maximumBytes_) {
            break;
        }
        std::error_code ignored;
        fs::remove(file.path, ignored);
        total -= file.bytes;
    }
    room_->bytes = total;
}

} // namespace aureole
