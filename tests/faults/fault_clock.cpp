// A library to preload that sets the clock back by a day while the program runs, so that tests of it need no rights.
//
//   AUREOLE_TEST_CLOCK=FILE    once FILE is there

#include <cstdlib>
#include <ctime>

#include <dlfcn.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

constexpr time_t kBack = 24L * 60 * 60;

time_t setBack() {
    const char* const file = std::getenv("AUREOLE_TEST_CLOCK");
    return file != nullptr && ::access(file, F_OK) == 0 ? kBack : 0;
}

} // namespace

extern "C" {

// The C library's names for parameters are its own.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)

int clock_gettime(clockid_t clock, timespec* now) noexcept {
    static const auto next = reinterpret_cast<int (*)(clockid_t, timespec*)>(::dlsym(RTLD_NEXT, "clock_gettime"));
    const int status = next(clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI) {
        now->tv_sec -= setBack();
    }
    return status;
}

int gettimeofday(timeval* now, void* zone) noexcept {
    static const auto next = reinterpret_cast<int (*)(timeval*, void*)>(::dlsym(RTLD_NEXT, "gettimeofday"));
    const int status = next(now, zone);
    now->tv_sec -= setBack();
    return status;
}

time_t time(time_t* now) noexcept {
    static const auto next = reinterpret_cast<time_t (*)(time_t*)>(::dlsym(RTLD_NEXT, "time"));
    const time_t seconds = next(nullptr) - setBack();
    if (now != nullptr) {
        *now = seconds;
    }
    return seconds;
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)

} // extern "C"
