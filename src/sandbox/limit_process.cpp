#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>

#include <omp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/confine.h"
#include "sandbox/protocol.h"

namespace aureole::sandbox {

namespace {

/// A reader has one or two files open at a time.
constexpr rlim_t kOpenFiles = 32;
/// A thread's stack and its share of the heap, which take addresses before they take memory.
constexpr std::uint64_t kThreadBytes = std::uint64_t{256} << 20U;

#ifdef __SANITIZE_ADDRESS__
constexpr bool kLimitsMemory = false; // the shadow of all memory takes terabytes of addresses
#else
constexpr bool kLimitsMemory = true;
#endif

/// Lowers a limit; never raises one that this process was given.
void limit(int resource, rlim_t value) {
    rlimit now{};
    ::getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
    const rlim_t lower = std::min(value, now.rlim_max);
    const rlimit wanted{lower, lower};
    if (::setrlimit(static_cast<__rlimit_resource_t>(resource), &wanted) != 0) {
        std::_Exit(EXIT_FAILURE); // cannot be; better nothing than without
    }
}

/// The bytes of addresses that this process has: of its program and libraries.
std::uint64_t addressBytes() {
    std::ifstream stream("/proc/self/statm");
    std::uint64_t pages = 0;
    stream >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limitMemory(std::uint64_t bytes) {
    omp_set_num_threads(static_cast<int>(
        std::clamp<std::uint64_t>(bytes / kThreadBytes, 1, static_cast<std::uint64_t>(omp_get_max_threads()))));
    const std::uint64_t own = addressBytes();
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (kLimitsMemory && bytes < kMost - own) {
        limit(RLIMIT_AS, own + bytes);
    }
}

} // namespace

void closeInherited() {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    if (::syscall(SYS_close_range, kWorkerChannel + 1U, ~0U, 0) != 0) { // a kernel before 5.9
        for (int descriptor = kWorkerChannel + 1; descriptor < static_cast<int>(::sysconf(_SC_OPEN_MAX));
             ++descriptor) {
            ::close(descriptor);
        }
    }
}

void limitProcess(const Settings& settings) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
        std::signal(signal, SIG_IGN);
    }
    // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_DUMPABLE, 0);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // NOLINTEND(cppcoreguidelines-pro-type-vararg)
    limitMemory(settings.memory);
    limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__ // whose reports may go to a file
    limit(RLIMIT_FSIZE, 0);
#endif
    limit(RLIMIT_NOFILE, std::min<rlim_t>(kOpenFiles, kWorkerChannel + rlim_t{2} + settings.files));
    // The program keeps the time; this is for a worker that is left alone.
    const double processor = std::ceil(settings.seconds * omp_get_max_threads()) + 1.0;
    if (processor < 1e9) {
        limit(RLIMIT_CPU, static_cast<rlim_t>(processor));
    }
}

} // namespace aureole::sandbox
