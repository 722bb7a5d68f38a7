// Standard streams that are closed, or that nobody reads: no file takes their place, and a render goes on.

#include <csignal>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_test.h"
#include "faults.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class StreamsTest : public FaultyRenderTest {
protected:
    StreamsTest() { validates = false; }

    Arguments command(const std::string& samples, const Arguments& backend) const {
        Arguments arguments = {"render",  scene_,       "-o",           path("out.exr"),   "--spp",
                               samples,   "--progress", "json",         "--checkpoint",    checkpoint_,
                               "--every", "0.02s",      "--stats-json", path("stats.json")};
        arguments.insert(arguments.end(), backend.begin(), backend.end());
        return arguments;
    }

    /// Starts a render of very many samples and waits for its first checkpoint.
    pid_t startLong(const Arguments& backend) const {
        const pid_t process = start(command("100000000", backend));
        EXPECT_TRUE(waitForFile(process, checkpoint_));
        return process;
    }
};

/// What is opened first would get their numbers, and messages would go into it.
TEST_F(StreamsTest, ClosedOnesBecomeNoFiles) {
    const Arguments device;
    const Arguments reference = {"--backend", "reference"};
    for (const auto& [closed, backend] : {std::pair{std::vector{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}, device},
                                          {{STDIN_FILENO}, reference},
                                          {{STDOUT_FILENO}, reference},
                                          {{STDERR_FILENO}, reference}}) {
        noteFault();
        closedStreams = closed;
        const pid_t process = startLong(backend);
        for (const int stream : closed) {
            const std::string place = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(stream);
            std::error_code isEmpty;
            EXPECT_EQ(fs::read_symlink(place, isEmpty), "/dev/null") << stream;
        }
        ::kill(process, SIGINT);
        EXPECT_EQ(finish(process).code, kInterrupted);
        closedStreams.clear();
        const std::string samples = std::to_string(readJson(path("stats.json")).at("samples").get<int>());
        const auto picture = valuesOf(path("out.exr"));
        Arguments resumed = command(samples, backend);
        resumed.insert(resumed.end(), {"--resume", checkpoint_});
        expectDone(resumed);
        EXPECT_EQ(valuesOf(path("out.exr")), picture);
        fs::remove(checkpoint_);
    }
}

TEST_F(StreamsTest, AClosedInputChangesNothing) {
    noteFault();
    closedStreams = {STDIN_FILENO};
    expectDone({"validate", scene_});
}

TEST_F(StreamsTest, AClosedOutputIsAnErrorOfWhatWritesThere) {
    closedStreams = {STDOUT_FILENO};
    for (const Arguments& arguments : {Arguments{"info", scene_}, {"devices"}, {"--version"}}) {
        noteFault();
        expectFailure(kCannotWrite, arguments, {"standard output: cannot be written: Bad file descriptor"});
    }
}

TEST_F(StreamsTest, ModelsAreReadWithoutThem) {
    noteFault();
    closedStreams = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    const std::string model = write("m.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
    expectDone({"voxelize", model, "-o", path("m.avo"), "--resolution", "32"});
    closedStreams.clear();
    EXPECT_GT(info(path("m.avo")).at("voxels").get<int>(), 0);
}

/// As where the program that keeps its messages has ended.
TEST_F(StreamsTest, ARenderGoesOnWhereNobodyReadsItsMessages) {
    noteFault();
    const std::string pipe = path("stderr.txt");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    const pid_t process = start(command("200", {"--backend", "reference"}));
    ::close(reader);
    EXPECT_EQ(finish(process).code, 0);
    fs::remove(pipe);
    EXPECT_EQ(readJson(path("stats.json")).at("samples"), 200);
}

} // namespace

} // namespace aureole
