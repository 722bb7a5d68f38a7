#include "core/cache/file_lock.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aureole {

namespace fs = std::filesystem;

namespace {

int openLock(const fs::path& file) {
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    // Never through a link, as giveUp() makes the file longer or shorter. NOLINTNEXTLINE(*-vararg)
    return ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
}

/// False where there are no locks here.
bool lockOpened(int descriptor, const std::function<void()>& onWait) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
        return true;
    }
    if (errno != EWOULDBLOCK) {
        return false;
    }
    onWait();
    int status = 0;
    do {
        status = ::flock(descriptor, LOCK_EX);
    } while (status != 0 && errno == EINTR);
    return status == 0;
}

/// Whether the name still leads to the file that was opened by it. It does not where the last holder has removed the
/// file: the next process then makes a new one of that name, and a lock on the old one would not keep it out.
bool isStillNamed(const fs::path& file, int descriptor) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

/// Whether the last holder called giveUp(), which makes the removed file longer. Only processes that already wait for
/// its lock still have that file open, and so are told.
bool wasGivenUp(int descriptor) {
    struct stat opened {};
    return ::fstat(descriptor, &opened) == 0 && opened.st_size > 0;
}

} // namespace

FileLock::FileLock(fs::path file, const std::function<void()>& onWait)
    : file_(std::move(file)) {
    for (bool told = false; !file_.empty() && descriptor_ < 0;) {
        const int descriptor = openLock(file_);
        if (descriptor < 0) {
            return;
        }
        const bool locked = lockOpened(descriptor, [&] {
            if (!told) {
                onWait();
            }
            told = true;
        });
        if (locked && isStillNamed(file_, descriptor)) {
            descriptor_ = descriptor;
            return;
        }
        const bool again = locked && !wasGivenUp(descriptor);
        ::close(descriptor);
        if (!again) {
            return;
        }
    }
}

FileLock::~FileLock() {
    release();
}

void FileLock::giveUp() {
    if (descriptor_ >= 0) {
        removeName();
        [[maybe_unused]] const int status = ::ftruncate(descriptor_, 1); // works on a full disk too
        release();
    }
}

void FileLock::release() {
    if (descriptor_ >= 0) {
        removeName(); // before the lock goes, so that nobody takes one on a file that is removed
        ::close(descriptor_);
        descriptor_ = -1;
    }
}

void FileLock::removeName() const {
    if (isStillNamed(file_, descriptor_)) {
        std::error_code ignored;
        fs::remove(file_, ignored);
    }
}

} // namespace aureole
