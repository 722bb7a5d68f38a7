// Workers that die, hang, lie or look for a way out, and what the program makes of them.

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "import_files.h"
#include "sandbox/isolated_read.h"
#include "sandbox/protocol.h"
#include "sandbox/settings.h"
#include "workers.h"

namespace aureole::sandbox {

namespace {

/// Gives one file, however often.
class OneFile : public AssetFiles {
public:
    explicit OneFile(std::filesystem::path file)
        : file_(std::move(file)) {}

    InputFile openAsset() override { return InputFile::open(file_); }
    std::filesystem::path resolve(std::string_view reference, std::string_view place) override {
        if (reference != "other") {
            fail(ExitCode::BadInput, "{}: {} is not to be had", place, reference);
        }
        return file_;
    }
    std::optional<std::filesystem::path> find(std::string_view /*reference*/, std::string_view /*place*/) override {
        return std::nullopt;
    }
    InputFile open(const std::filesystem::path& path) override {
        if (path != file_) {
            fail(ExitCode::BadInput, "{} is not to be opened", path.string());
        }
        return InputFile::open(file_);
    }

private:
    std::filesystem::path file_;
};

void take(Unpacker& in, std::string& answer) {
    in.expectLayout<std::string>();
    in(answer);
}

class IsolatedReadTest : public testing::Test {
protected:
    void SetUp() override { settings_ = test::strictSettings(AUREOLE_HOSTILE_WORKER, std::uint64_t{1} << 28U); }
    void TearDown() override { configure({}); }

    /// What the worker answers to a wish.
    std::string ask(const std::string& wish) {
        configure(settings_);
        const InputFile asset = InputFile::open(folder_.write("asset", wish));
        OneFile files(folder_.path() / "asset");
        std::string answer;
        readIsolated({.asset = asset, .files = &files, .result = [&](Unpacker& in) { take(in, answer); }});
        return answer;
    }

    /// The message of the error that a wish ends with.
    std::string errorOf(const std::string& wish) {
        return test::messageOf([&] { ask(wish); });
    }

    void expectError(const std::string& wish, std::vector<std::string> parts) {
        parts.push_back((folder_.path() / "asset").string());
        EXPECT_TRUE(test::containsAll(errorOf(wish), parts)) << wish;
    }

    test::TemporaryFolder folder_;
    Settings settings_;
};

TEST_F(IsolatedReadTest, GivesWhatAWorkerReads) {
    EXPECT_EQ(ask("hello"), "hello");
    settings_.isolation = Isolation::Limits;
    EXPECT_EQ(ask("hello"), "hello");
}

TEST_F(IsolatedReadTest, AWorkerMayHaveThreads) {
    EXPECT_EQ(ask("threads"), "a thread ran");
}

#ifndef __SANITIZE_ADDRESS__ // which has no filter
TEST_F(IsolatedReadTest, FromAWorkerThereIsNoWayOut) {
    EXPECT_EQ(ask("ways out"), "none");
}
#endif

TEST_F(IsolatedReadTest, WithoutTheFilterThereWouldBe) {
    settings_.isolation = Isolation::Limits;
    const std::string found = ask("ways out");
    for (const char* way : {"open", "stat", "socket", "fork", "kill", "executable memory", "memory file"}) {
        EXPECT_NE(found.find(way), std::string::npos) << way;
    }
    // A file that is opened for writing stays empty.
    std::filesystem::remove("/tmp/aureole_hostile");
}

TEST_F(IsolatedReadTest, DeathIsAnErrorOfTheAsset) {
    expectError("abort", {"signal 6 (Aborted)", "--asset-memory", "256 MiB"});
    expectError("segfault", {test::kSegmentationFault});
    expectError("exit", {"exit code 7", "without a result"});
}

TEST_F(IsolatedReadTest, ErrorsComeThroughAsTheyAre) {
    EXPECT_EQ(errorOf("error"), "found the word error");
    expectError("exception", {"its reader failed: too long"});
    EXPECT_EQ(errorOf("long error"), std::string(kLongestText, 'x'));
    expectError("long name", {"found a file name of"});
}

#ifndef __SANITIZE_ADDRESS__ // whose shadow takes more addresses than any limit has
TEST_F(IsolatedReadTest, MemoryIsLimited) {
    expectError("memory", {"takes more than 256 MiB of memory", "--asset-memory"});
}
#endif

TEST_F(IsolatedReadTest, TimeIsLimited) {
    settings_.seconds = 0.3;
    expectError("hang", {"longer than 0.3 s", "--asset-time"});
    expectError("spin", {"longer than 0.3 s"});
}

TEST_F(IsolatedReadTest, AWorkerThatLeavesItsChannelIsEnded) {
    expectError("close and hang", {"signal 9"});
}

TEST_F(IsolatedReadTest, FilesAreThoseThatTheAssetMayHave) {
    EXPECT_EQ(errorOf("open /etc/passwd"), "/etc/passwd is not to be opened");
    EXPECT_EQ(errorOf("resolve ../secret"), "here: ../secret is not to be had");
    EXPECT_EQ(ask("resolve other"), "13");
}

#ifndef __SANITIZE_ADDRESS__ // whose checks of types need a file of their own
TEST_F(IsolatedReadTest, TheNumberOfFilesIsLimited) {
    expectError("often " + (folder_.path() / "asset").string(), {"more than 10 files", "--asset-files"});
    settings_.files = 1000;
    EXPECT_TRUE(
        test::containsAll(errorOf("often " + (folder_.path() / "asset").string()), {"too many files are open"}));
}
#endif

TEST_F(IsolatedReadTest, GarbageIsNoResult) {
    expectError("garbage", {"its reader's result is none", "more than it may hold"});
    expectError("another layout", {"its reader's result is none", "the layout of another version"});
    expectError("log", {"more warnings than any file is worth"});
    expectError("much log", {"more warnings than any file is worth"});
    expectError("longer than any", {"a text that is too long"});
}

TEST_F(IsolatedReadTest, SecretsOfTheEnvironmentStay) {
    ::setenv("AUREOLE_TEST_SECRET", "1", 1); // NOLINT(concurrency-mt-unsafe)
    EXPECT_EQ(ask("environment"), "no secret");
    ::unsetenv("AUREOLE_TEST_SECRET"); // NOLINT(concurrency-mt-unsafe)
}

TEST_F(IsolatedReadTest, NoFurtherDescriptorIsInherited) {
    std::vector<int> open;
    for (int i = 0; i < 20; ++i) {
        open.push_back(::dup(2)); // not closed on exec
    }
    EXPECT_EQ(ask("descriptors"), "1"); // the asset
    for (const int descriptor : open) {
        ::close(descriptor);
    }
}

TEST_F(IsolatedReadTest, AWorkerThatIsNotThereIsNamed) {
    settings_.worker = folder_.path() / "none";
    try {
        ask("hello");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::Internal);
        EXPECT_TRUE(test::containsAll(error.what(), {"none", "cannot be started"}));
    }
}

#ifndef __SANITIZE_ADDRESS__ // which has no filter
/// Has the kernel answer as one without filters of system calls would, to this process and its children.
void refuseFilters() {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    const scmp_arg_cmp sets{0, SCMP_CMP_EQ, PR_SET_SECCOMP, 0};
    ASSERT_EQ(seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1, &sets), 0);
    ASSERT_EQ(seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(seccomp), 0, nullptr), 0);
    ASSERT_EQ(seccomp_load(filter), 0);
    seccomp_release(filter);
}

TEST_F(IsolatedReadTest, WithoutFiltersNothingIsReadUnlessToldSo) {
    const pid_t child = ::fork();
    if (child == 0) {
        refuseFilters();
        int wrong = 0;
        try {
            ask("hello");
            wrong = 1;
        } catch (const Error& error) {
            const std::string text = error.what();
            wrong =
                error.code() == ExitCode::Usage && text.find("--asset-isolation limits") != std::string::npos ? 0 : 2;
        }
        settings_.isolation = Isolation::Limits;
        wrong += ask("hello") == "hello" ? 0 : 4;
        ::_exit(wrong);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}
#endif

TEST_F(IsolatedReadTest, ManyThreadsReadAtOnce) {
    configure(settings_);
    const auto file = folder_.write("asset", "hello");
    const auto bad = folder_.write("bad", "abort");
    std::vector<std::thread> threads;
    std::atomic<int> answered = 0;
    std::atomic<int> failed = 0;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            const InputFile asset = InputFile::open(i % 2 == 0 ? file : bad);
            try {
                std::string answer;
                readIsolated({.asset = asset, .result = [&](Unpacker& in) { take(in, answer); }});
                answered += answer == "hello" ? 1 : 0;
            } catch (const Error& error) {
                failed += std::string(error.what()).starts_with(bad.string()) ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(answered, 4);
    EXPECT_EQ(failed, 4);
}

} // namespace

} // namespace aureole::sandbox
