// A worker that has been taken over: what it does stands in the asset.

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "sandbox/worker.h"

namespace {

using namespace aureole;
using namespace aureole::sandbox;

/// Ways out of a process, each of which returns a negative number where it is closed.
const std::map<std::string, std::function<long()>>& waysOut() {
    static const std::map<std::string, std::function<long()>> ways = {
        {"open", [] { return ::open("/etc/passwd", O_RDONLY); }},
        {"open for writing", [] { return ::open("/tmp/aureole_hostile", O_WRONLY | O_CREAT, 0600); }},
        {"stat",
         [] {
             struct stat status {};
             return ::stat("/etc/passwd", &status);
         }},
        {"access", [] { return ::access("/etc/passwd", R_OK); }},
        {"unlink", [] { return ::unlink("/tmp/aureole_hostile"); }},
        {"chdir", [] { return ::chdir("/"); }},
        {"socket", [] { return ::socket(AF_INET, SOCK_STREAM, 0); }},
        {"local socket", [] { return ::socket(AF_UNIX, SOCK_STREAM, 0); }},
        {"execve", [] { return ::execl("/none", "none", nullptr); }},
        {"fork",
         [] {
             const pid_t child = ::fork();
             if (child == 0) {
                 std::_Exit(0);
             }
             if (child > 0) { // its end must not stop this process once that is traced, below
                 ::waitpid(child, nullptr, 0);
             }
             return child;
         }},
        {"kill", [] { return ::kill(::getppid(), 0); }},
        {"signal to a thread", [] { return ::syscall(SYS_tgkill, ::getppid(), ::getppid(), 0); }},
        {"ptrace", [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }},
        {"memory of another",
         [] {
             char byte = 0;
             iovec here{&byte, 1};
             iovec there{reinterpret_cast<void*>(&byte), 1};
             return ::process_vm_readv(::getppid(), &here, 1, &there, 1, 0);
         }},
        {"executable memory",
         [] {
             void* const memory =
                 ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
             return memory == MAP_FAILED ? -1L : 0L;
         }},
        {"memory made executable",
         [] {
             void* const memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
             return ::mprotect(memory, 4096, PROT_READ | PROT_EXEC);
         }},
        {"memory file", [] { return ::memfd_create("hostile", 0); }},
        {"limits", [] {
             const rlimit more{1000, 1000};
             return ::syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &more, nullptr);
         }}};
    return ways;
}

/// The names of the ways out that are open, with commas.
std::string openWays() {
    std::string found;
    for (const auto& [name, tryIt] : waysOut()) {
        errno = 0;
        if (tryIt() >= 0 || errno != EPERM) {
            found += (found.empty() ? "" : ", ") + name;
        }
    }
    return found.empty() ? "none" : found;
}

/// Sends the start of a message that never ends, without the link.
template <typename... Fields>
void sendStart(Fields... fields) {
    Channel channel(::fcntl(kWorkerChannel, F_DUPFD_CLOEXEC, 0));
    Packer out(channel);
    out(fields...);
    out.flush();
    std::this_thread::sleep_for(std::chrono::hours(1));
}

/// A text of far more than there can be.
void sendGarbage() {
    sendStart(Message::Result, layoutOf<std::string>(), std::uint64_t{1} << 60U);
}

/// A message for the log that has a gibibyte.
void sendLongText() {
    sendStart(Message::Log, LogLevel::Info, std::uint64_t{1} << 30U);
}

/// Takes memory and writes to it, so that it is there, until there is no more.
void takeMemory() {
    std::vector<std::vector<char>> taken;
    for (;;) {
        taken.emplace_back(std::size_t{1} << 24U, 'x');
    }
}

void actUpon(const std::string& wish, WorkerLink& link) {
    std::string answer = wish;
    if (wish == "abort") {
        std::abort();
    } else if (wish == "segfault") {
        ::raise(SIGSEGV);
    } else if (wish == "exit") {
        std::_Exit(7);
    } else if (wish == "hang") {
        std::this_thread::sleep_for(std::chrono::hours(1));
    } else if (wish == "spin") {
        for (volatile bool on = true; on;) {
        }
    } else if (wish == "close and hang") {
        ::close(kWorkerChannel);
        std::this_thread::sleep_for(std::chrono::hours(1));
    } else if (wish == "memory") {
        takeMemory();
    } else if (wish == "error") {
        fail(ExitCode::BadInput, "found the word {}", wish);
    } else if (wish == "exception") {
        throw std::length_error("too long");
    } else if (wish == "garbage") {
        sendGarbage();
    } else if (wish == "another layout") {
        std::vector<std::string> answers{answer};
        link.sendResult(answers);
        return;
    } else if (wish == "log") {
        for (;;) {
            link.log(LogLevel::Debug, "again");
        }
    } else if (wish == "long error") {
        fail(ExitCode::BadInput, "{}", std::string(2 * kLongestText, 'x'));
    } else if (wish == "long name") {
        link.resolve(std::string(2 * kLongestText, 'x'), "here");
    } else if (wish == "longer than any") {
        sendLongText();
    } else if (wish == "much log") {
        const std::string text(2 * kLongestText, 'x'); // which the link cuts
        for (int i = 0; i < 300; ++i) {
            link.log(LogLevel::Debug, text);
        }
    } else if (wish == "ways out") {
        answer = openWays();
    } else if (wish == "threads") {
        std::thread([&] { answer = "a thread ran"; }).join();
    } else if (wish == "environment") {
        answer = std::getenv("AUREOLE_TEST_SECRET") == nullptr ? "no secret" : "a secret";
    } else if (wish == "descriptors") {
        // The channel and the asset may be there.
        int count = 0;
        for (int descriptor = kWorkerChannel + 1; descriptor < 1000; ++descriptor) {
            count += ::lseek(descriptor, 0, SEEK_CUR) >= 0 || errno != EBADF ? 1 : 0;
        }
        answer = std::to_string(count);
    } else if (wish.starts_with("open ")) {
        answer = std::to_string(link.open(wish.substr(5)).size());
    } else if (wish.starts_with("resolve ")) {
        answer = std::to_string(link.open(link.resolve(wish.substr(8), "here")).size());
    } else if (wish.starts_with("often ")) {
        std::vector<InputFile> files;
        for (;;) {
            files.push_back(link.open(wish.substr(6)));
        }
    }
    link.sendResult(answer);
}

} // namespace

int main() {
    serveTask([](const Task&, WorkerLink& link) {
        const std::vector<std::byte> bytes = link.openAsset().readAll(1000);
        actUpon({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, link);
    });
}
