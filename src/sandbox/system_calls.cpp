// The filter of system calls: a program for the kernel's packet filter (man 2 seccomp), an allow-list.

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/confine.h"

namespace aureole::sandbox {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the filter of system calls knows x86-64 and aarch64"
#endif

/// Whatever their arguments.
constexpr std::array kAllowed = {
    // Descriptors that are open: files of the asset and the channel.
    SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_lseek, SYS_close, SYS_sendto, SYS_recvfrom,
    SYS_sendmsg, SYS_recvmsg, SYS_ppoll,
#ifdef SYS_poll
    SYS_poll,
#endif
    // Memory.
    SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_getrandom,
    // Threads and the end of them.
    SYS_futex, SYS_sched_yield, SYS_sched_getaffinity, SYS_set_robust_list, SYS_rseq, SYS_gettid, SYS_getpid, SYS_exit,
    SYS_exit_group,
    // Handlers of signals, for the sanitizers and abort().
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    // Clocks.
    SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_restart_syscall};

#ifdef __SANITIZE_ADDRESS__
constexpr bool kFilters = false; // the sanitizers read files of /proc with every exception and thread
#else
constexpr bool kFilters = true;
#endif

constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;

/// The low half of an argument; both architectures are little-endian.
constexpr std::uint32_t argument(std::size_t index) {
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
}

class Filter {
public:
    Filter() {
        load(offsetof(seccomp_data, arch));
        // Another architecture has other numbers.
        add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
        give(SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
    }

    void allow(long call) {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1);
        give(SECCOMP_RET_ALLOW);
    }

    /// Another error than EPERM, for which the C library has another way.
    void refuseWith(long call, std::uint32_t error) {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1);
        give(SECCOMP_RET_ERRNO | error);
    }

    /// Where an argument has any of the bits.
    void allowWithBits(long call, std::size_t index, std::uint32_t bits) {
        allowIf(call, index, BPF_JSET, bits, SECCOMP_RET_ALLOW, kRefuse);
    }
    void allowWithoutBits(long call, std::size_t index, std::uint32_t bits) {
        allowIf(call, index, BPF_JSET, bits, kRefuse, SECCOMP_RET_ALLOW);
    }
    void allowWith(long call, std::size_t index, std::uint32_t value) {
        allowIf(call, index, BPF_JEQ, value, SECCOMP_RET_ALLOW, kRefuse);
    }

    int apply() {
        give(kRefuse);
        sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
        return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
    }

private:
    void add(int code, std::uint32_t value, std::uint8_t onTrue, std::uint8_t onFalse) {
        code_.push_back({static_cast<std::uint16_t>(code), onTrue, onFalse, value});
    }
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset), 0, 0); }
    void give(std::uint32_t action) { add(BPF_RET | BPF_K, action, 0, 0); }

    void allowIf(long call, std::size_t index, int test, std::uint32_t value, std::uint32_t onTrue,
                 std::uint32_t onFalse) {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4);
        load(argument(index));
        add(BPF_JMP | test | BPF_K, value, 0, 1);
        give(onTrue);
        give(onFalse);
    }

    std::vector<sock_filter> code_;
};

} // namespace

int refuseSystemCalls() {
    if (!kFilters) {
        return 0;
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return errno;
    }
    Filter filter;
    for (const long call : kAllowed) {
        filter.allow(call);
    }
    filter.allowWithBits(SYS_clone, 0, CLONE_THREAD);
    filter.refuseWith(SYS_clone3, ENOSYS); // its arguments are out of sight
    filter.allowWithoutBits(SYS_mmap, 2, PROT_EXEC);
    filter.allowWithoutBits(SYS_mprotect, 2, PROT_EXEC);
    filter.allowWith(SYS_fcntl, 1, F_DUPFD_CLOEXEC);
    filter.allowWith(SYS_tgkill, 0, static_cast<std::uint32_t>(::getpid())); // abort()
    return filter.apply();
}

} // namespace aureole::sandbox
