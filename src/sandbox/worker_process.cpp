#include "sandbox/worker_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/companion.h"
#include "core/error.h"
#include "sandbox/protocol.h"

namespace aureole::sandbox {

namespace {

namespace fs = std::filesystem;

/// The variables that say how programs are loaded and how libraries behave. Others may hold secrets, and stay here.
std::vector<char*> workerEnvironment() {
    constexpr std::array<std::string_view, 6> kPrefixes = {"LD_", "OMP_", "GOMP_", "ASAN_", "UBSAN_", "GLIBC_"};
    std::vector<char*> kept;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        for (const std::string_view prefix : kPrefixes) {
            if (std::string_view(*variable).starts_with(prefix)) {
                kept.push_back(*variable);
            }
        }
    }
    kept.push_back(nullptr);
    return kept;
}

/// What the child does between its birth and its program.
class StartActions {
public:
    explicit StartActions(int channel) {
        ::posix_spawn_file_actions_init(&files_);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
#ifdef __SANITIZE_ADDRESS__
            if (stream == STDERR_FILENO) {
                continue; // for the sanitizers' reports
            }
#endif
            ::posix_spawn_file_actions_addopen(&files_, stream, "/dev/null", O_RDWR, 0);
        }
        ::posix_spawn_file_actions_adddup2(&files_, channel, kWorkerChannel);
        // Signals that this program ignores or blocks would stay so.
        ::posix_spawnattr_init(&attributes_);
        sigset_t signals;
        ::sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&attributes_, &signals);
        ::sigfillset(&signals);
        ::posix_spawnattr_setsigdefault(&attributes_, &signals);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~StartActions() {
        ::posix_spawn_file_actions_destroy(&files_);
        ::posix_spawnattr_destroy(&attributes_);
    }
    StartActions(const StartActions&) = delete;
    StartActions& operator=(const StartActions&) = delete;
    StartActions(StartActions&&) = delete;
    StartActions& operator=(StartActions&&) = delete;

    const posix_spawn_file_actions_t* files() const {
        return &files_;
    }
    const posix_spawnattr_t* attributes() const {
        return &attributes_;
    }

private:
    posix_spawn_file_actions_t files_{};
    posix_spawnattr_t attributes_{};
};

} // namespace

fs::path findWorker() {
    return findCompanion("aureole-import", "the program that reads models and pictures",
                         "--asset-isolation none does without");
}

WorkerProcess::WorkerProcess(const fs::path& program) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        fail(ExitCode::Internal, "{}: cannot be started: {}", program.string(), std::strerror(errno));
    }
    channel_ = ends[0];
    // Above the descriptors that the child's own take the place of. NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const int theirs = ::fcntl(ends[1], F_DUPFD_CLOEXEC, kWorkerChannel + 1);
    ::close(ends[1]);
    const StartActions actions(theirs);
    std::string name = program.string();
    std::array<char*, 2> arguments = {name.data(), nullptr};
    const int error = ::posix_spawn(&process_, name.c_str(), actions.files(), actions.attributes(), arguments.data(),
                                    workerEnvironment().data());
    ::close(theirs);
    if (error != 0) {
        process_ = -1;
        ::close(channel_);
        fail(ExitCode::Internal, "{}: cannot be started: {}", name, std::strerror(error));
    }
}

WorkerProcess::~WorkerProcess() {
    if (process_ > 0) {
        kill();
        wait();
    }
    if (channel_ >= 0) {
        ::close(channel_);
    }
}

int WorkerProcess::takeChannel() {
    return std::exchange(channel_, -1);
}

WorkerProcess::End WorkerProcess::wait() {
    int status = 0;
    pid_t found = 0;
    do {
        found = ::waitpid(process_, &status, 0);
    } while (found < 0 && errno == EINTR);
    process_ = -1;
    if (found < 0) {
        return {}; // whoever started us has children's ends ignored
    }
    return WIFSIGNALED(status) ? End{WTERMSIG(status), 0} : End{0, WEXITSTATUS(status)};
}

void WorkerProcess::kill() const {
    ::kill(process_, SIGKILL);
}

} // namespace aureole::sandbox
