#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/cache/file_lock.h"

namespace aureole {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// One process tells another that something has happened.
class Signal {
public:
    Signal() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
    ~Signal() {
        ::close(ends_[0]);
        ::close(ends_[1]);
    }
    Signal(const Signal&) = delete;
    Signal& operator=(const Signal&) = delete;
    Signal(Signal&&) = delete;
    Signal& operator=(Signal&&) = delete;

    void send() const { EXPECT_EQ(::write(ends_[1], "x", 1), 1); }
    void wait() const {
        char byte = 0;
        EXPECT_EQ(::read(ends_[0], &byte, 1), 1);
    }

private:
    std::array<int, 2> ends_{};
};

class FileLockTest : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("aureole_file_lock_" + std::to_string(::getpid()));
        fs::remove_all(folder_);
        lock_ = folder_ / "deep" / "thing.lock";
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// Runs body() in a process of its own, which ends with what that returns.
    template <typename Body>
    static pid_t inChild(Body body) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::_exit(body());
        }
        return child;
    }
    static int resultOf(pid_t child) {
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    static void nothing() {}

    fs::path folder_;
    fs::path lock_;
};

/// The file comes and goes with each holder, and others open it meanwhile.
TEST_F(FileLockTest, TakesNoLinkForItsFile) {
    fs::create_directories(lock_.parent_path());
    const fs::path other = folder_ / "other";
    std::ofstream(other) << "precious";
    fs::create_symlink(other, lock_);
    FileLock lock(lock_, [] { ADD_FAILURE() << "waits"; });
    EXPECT_FALSE(lock.isHeld());
    lock.giveUp();
    EXPECT_EQ(fs::file_size(other), 8U);
}

TEST_F(FileLockTest, OneProcessAtATimeHoldsIt) {
    constexpr int kProcesses = 4;
    constexpr int kRounds = 200;
    const fs::path inside = folder_ / "inside";
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
        children.push_back(inChild([&] {
            for (int round = 0; round < kRounds; ++round) {
                const FileLock lock(lock_, nothing);
                const int file = ::open(inside.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600); // NOLINT(*-vararg)
                if (!lock.isHeld() || file < 0) {
                    return 1;
                }
                ::close(file);
                std::this_thread::sleep_for(100us);
                fs::remove(inside);
            }
            return 0;
        }));
    }
    for (const pid_t child : children) {
        EXPECT_EQ(resultOf(child), 0) << "two held it at once";
    }
    EXPECT_FALSE(fs::exists(lock_));
}

TEST_F(FileLockTest, WhoIsKilledLeavesNoLock) {
    const Signal held;
    const pid_t child = inChild([&] {
        const FileLock lock(lock_, nothing);
        held.send();
        ::pause();
        return 0;
    });
    held.wait();
    bool waited = false;
    {
        const FileLock lock(lock_, [&] {
            waited = true;
            ::kill(child, SIGKILL);
        });
        EXPECT_TRUE(waited);
        EXPECT_TRUE(lock.isHeld());
        EXPECT_TRUE(fs::exists(lock_)) << "another process would not meet this one";
    }
    EXPECT_EQ(resultOf(child), 128 + SIGKILL);
    EXPECT_FALSE(fs::exists(lock_));
}

TEST_F(FileLockTest, GivenUpItLetsAllGoThatWait) {
    const Signal held;
    const Signal waiting;
    std::vector<pid_t> children;
    for (int i = 0; i < 3; ++i) {
        children.push_back(inChild([&] {
            held.wait();
            const FileLock lock(lock_, [&] { waiting.send(); });
            return lock.isHeld() ? 1 : 0;
        }));
    }
    {
        FileLock lock(lock_, nothing);
        for (std::size_t i = 0; i < children.size(); ++i) {
            held.send();
            waiting.wait();
        }
        std::this_thread::sleep_for(20ms); // from the call to waiting itself
        lock.giveUp();
        EXPECT_FALSE(lock.isHeld());
    }
    for (const pid_t child : children) {
        EXPECT_EQ(resultOf(child), 0) << "it holds the lock";
    }
    EXPECT_FALSE(fs::exists(lock_));
    EXPECT_TRUE(FileLock(lock_, nothing).isHeld()) << "that was for those who waited only";
}

TEST_F(FileLockTest, WithoutAPlaceThereIsNone) {
    EXPECT_FALSE(FileLock("", nothing).isHeld());
    fs::create_directories(folder_);
    std::ofstream(folder_ / "deep") << "in the way";
    EXPECT_FALSE(FileLock(lock_, nothing).isHeld());
}

} // namespace
} // namespace aureole
