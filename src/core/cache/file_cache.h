#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/cache/file_lock.h"

namespace aureole {

/// Files in a folder of the user's cache, each under a name that tells its content apart. A cache never fails: what
/// goes wrong costs a line in the log. Safe for several processes at once: files appear whole, and a file that is
/// removed while another process has it open or mapped stays with that one.
class FileCache {
public:
    /// `folder` is made when the first file is stored; an empty path is a cache that holds nothing. `what` names the
    /// cache's files in messages, in the plural.
    FileCache(std::filesystem::path folder, std::uint64_t maximumBytes, std::string what);

    /// The file of a name, which counts as used now; none where there is no such file.
    std::optional<std::filesystem::path> find(const std::string& name) const;

    /// Calls write(path), which writes `bytes` bytes whole or not at all. Files that were used least recently go
    /// before, so that all together stay within the maximum. Nothing is stored that takes more than that, or more than
    /// half of what the disk has left. Returns whether it is kept now.
    bool store(const std::string& name, std::uint64_t bytes,
               const std::function<void(const std::filesystem::path&)>& write) const;

    /// A lock to hold while a file of that name is made and stored, so that two processes do not both make it. A
    /// process that has to wait for the lock says so in the log. Once it has the lock it looks for the file again, and
    /// makes it only where the other process did not store it.
    FileLock lock(const std::string& name) const;

    /// Removes a file that turned out to be of no use, and says why.
    void discard(const std::string& name, const std::string& why) const;

private:
    /// What all files take, as far as this process knows: the folder is looked through now and then alone, as a scene
    /// may have ten thousand files made.
    struct Room {
        std::mutex mutex;
        std::uint64_t bytes = 0;
        std::uint32_t stores = 0; ///< before the next look
    };

    void makeRoom(std::uint64_t bytes) const;

    std::filesystem::path folder_;
    std::uint64_t maximumBytes_;
    std::string what_;
    std::shared_ptr<Room> room_ = std::make_shared<Room>(); ///< of all copies
};

} // namespace aureole
