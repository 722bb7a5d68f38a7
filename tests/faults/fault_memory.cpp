// A library to preload that lets the program run out of memory, so that tests of it need no hook in it.
//
//   AUREOLE_TEST_MEMORY=BYTES:COUNT    operator new of exactly BYTES throws std::bad_alloc, COUNT times; 0: always
//   AUREOLE_TEST_MEMORY_AFTER=FILE     once FILE is there

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <dlfcn.h>
#include <unistd.h>

namespace {

std::atomic<unsigned> failures = 0;

bool fails(std::size_t size) {
    const char* fault = std::getenv("AUREOLE_TEST_MEMORY");
    char* end = nullptr;
    if (fault == nullptr || std::strtoull(fault, &end, 10) != size || *end != ':') {
        return false;
    }
    const char* after = std::getenv("AUREOLE_TEST_MEMORY_AFTER");
    if (after != nullptr && ::access(after, F_OK) != 0) {
        return false;
    }
    const auto count = static_cast<unsigned>(std::strtoul(end + 1, nullptr, 10));
    return count == 0 || failures++ < count;
}

} // namespace

// What frees goes with the other one.
// NOLINTNEXTLINE(misc-new-delete-overloads)
void* operator new(std::size_t size) {
    // That of the library, or of a sanitizer, which knows how to free it.
    static const auto next = reinterpret_cast<void* (*)(std::size_t)>(::dlsym(RTLD_NEXT, "_Znwm"));
    if (fails(size)) {
        throw std::bad_alloc();
    }
    return next(size);
}
