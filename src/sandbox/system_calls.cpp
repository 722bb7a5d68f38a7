// The filter of system calls (man 2 seccomp): an allow-list, which libseccomp turns into a program for the kernel.

#include <array>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <memory>

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/confine.h"

namespace aureole::sandbox {

namespace {

/// Calls that a worker may make with any arguments.
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

/// The kernel looks at registers, of which an int fills the lower half.
constexpr scmp_datum_t kIntBits = 0xFFFFFFFF;

/// An allow-list under way. The first call that fails is remembered, and those after it do nothing.
class Filter {
public:
    Filter()
        : context_(seccomp_init(SCMP_ACT_ERRNO(EPERM))) {
        if (!context_) {
            error_ = ENOMEM;
            return;
        }
        // The numbers of another architecture's calls mean others.
        note(seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
        // The kernel's own errors.
        note(seccomp_attr_set(context_.get(), SCMP_FLTATR_API_SYSRAWRC, 1));
    }

    void allow(long call) { add(SCMP_ACT_ALLOW, call, {}); }
    /// Another error than EPERM, for which the C library has another way.
    void refuseWith(long call, std::uint16_t error) { add(SCMP_ACT_ERRNO(error), call, {}); }
    /// Where that argument has those bits of `mask`.
    void allowWhere(long call, unsigned argument, scmp_datum_t mask, scmp_datum_t bits) {
        add(SCMP_ACT_ALLOW, call, {{argument, SCMP_CMP_MASKED_EQ, mask, bits}});
    }

    int apply() {
        if (error_ == 0) {
            note(seccomp_load(context_.get()));
        }
        return error_;
    }

private:
    struct Release {
        void operator()(void* context) const { seccomp_release(context); }
    };

    void add(std::uint32_t action, long call, std::initializer_list<scmp_arg_cmp> conditions) {
        if (error_ == 0) {
            note(seccomp_rule_add_array(context_.get(), action, static_cast<int>(call),
                                        static_cast<unsigned>(conditions.size()), conditions.begin()));
        }
    }
    void note(int result) {
        if (error_ == 0 && result < 0) {
            error_ = -result;
        }
    }

    std::unique_ptr<void, Release> context_;
    int error_ = 0; ///< an errno
};

} // namespace

int refuseSystemCalls() {
    if (!kFilters) {
        return 0;
    }
    Filter filter; // which also sees to it that the process gains no privileges
    for (const long call : kAllowed) {
        filter.allow(call);
    }
    filter.allowWhere(SYS_clone, 0, CLONE_THREAD, CLONE_THREAD);
    filter.refuseWith(SYS_clone3, ENOSYS); // its arguments are out of sight
    filter.allowWhere(SYS_mmap, 2, PROT_EXEC, 0);
    filter.allowWhere(SYS_mprotect, 2, PROT_EXEC, 0);
    filter.allowWhere(SYS_fcntl, 1, kIntBits, F_DUPFD_CLOEXEC);
    filter.allowWhere(SYS_tgkill, 0, kIntBits, static_cast<std::uint32_t>(::getpid())); // abort()
    return filter.apply();
}

} // namespace aureole::sandbox
