// A library to preload that makes a folder a full disk, so that tests of it need no rights.
//
//   AUREOLE_TEST_DISK=BYTES:FOLDER    files below FOLDER take BYTES more in all; then it is full

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

std::atomic<std::size_t> taken = 0;

struct Disk {
    std::size_t bytes = 0;
    std::string_view folder;
};

Disk disk() {
    const char* const text = std::getenv("AUREOLE_TEST_DISK");
    if (text == nullptr) {
        return {};
    }
    char* end = nullptr;
    const std::size_t bytes = std::strtoull(text, &end, 10);
    return {bytes, end + 1};
}

bool isBelow(int file, std::string_view folder) {
    std::array<char, PATH_MAX> path{};
    const ssize_t length = ::readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path.data(), path.size());
    return length > 0 && std::string_view(path.data(), static_cast<std::size_t>(length)).starts_with(folder);
}

/// How many of `wanted` bytes there is room for.
std::size_t room(int file, std::size_t wanted) {
    const Disk full = disk();
    if (full.folder.empty() || !isBelow(file, full.folder)) {
        return wanted;
    }
    const std::size_t before = std::min(taken.load(), full.bytes);
    const std::size_t granted = std::min(wanted, full.bytes - before);
    taken += granted;
    return granted;
}

} // namespace

extern "C" {

// The C library's names for parameters are its own.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)

ssize_t write(int file, const void* bytes, size_t count) {
    static const auto next = reinterpret_cast<ssize_t (*)(int, const void*, size_t)>(::dlsym(RTLD_NEXT, "write"));
    const std::size_t granted = room(file, count);
    if (granted == 0 && count > 0) {
        errno = ENOSPC;
        return -1;
    }
    return next(file, bytes, granted);
}

/// As much as is in its first part that is not empty: callers ask again for the rest.
ssize_t writev(int file, const iovec* parts, int count) {
    const iovec* const end = parts + count;
    const iovec* const first = std::find_if(parts, end, [](const iovec& part) { return part.iov_len > 0; });
    return first == end ? 0 : ::write(file, first->iov_base, first->iov_len);
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)

} // extern "C"
