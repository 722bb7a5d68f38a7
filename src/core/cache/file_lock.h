#pragma once

#include <filesystem>
#include <functional>

namespace aureole {

/// A lock that one process at a time holds, by a file that is there while someone does. The kernel drops it with the
/// process, however that ends, so that none goes stale; a file that a killed process left behind is taken over. On a
/// network file system it holds between machines where that has locks (NFS 4 has).
class FileLock {
public:
    /// Waits for the lock, after a call of `onWait` where another process has it. The file's folder is made. Where the
    /// folder or its file system does not allow locks, or the holder before gave up, this holds none: that is no error,
    /// as it only means that work is done twice. An empty path is no lock.
    FileLock(std::filesystem::path file, const std::function<void()>& onWait);
    /// Removes the file and lets the lock go.
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    FileLock(FileLock&&) = delete;
    FileLock& operator=(FileLock&&) = delete;

    bool isHeld() const { return descriptor_ >= 0; }

    /// What the lock was for cannot be shared: those that wait now need not do it one after the other, and get no lock.
    void giveUp();

private:
    void release();
    void removeName() const;

    std::filesystem::path file_;
    int descriptor_ = -1;
};

} // namespace aureole
