// Devices that are lost or out of memory, disks that are full, folders that are gone: the right exit code, what was
// good stays, and nothing half-written does. fault_layer.cpp makes devices fail.

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>

#include "cli_test.h"
#include "faults.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class FaultTest : public FaultyRenderTest {
protected:
    Arguments command(const Arguments& options, const std::string& output = "out.exr") const {
        Arguments arguments = {"render", scene_, "-o", path(output), "--progress", "none"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }

    std::vector<std::vector<float>> render(const Arguments& options, const std::string& output = "out.exr") const {
        expectDone(command(options, output));
        return valuesOf(path(output));
    }

    /// The files in this test's folder, besides those that every run leaves.
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(path(""))) {
            const std::string name = entry.path().filename().string();
            if (name != "scene.json" && name != "stdout.txt" && name != "stderr.txt") {
                names.push_back(name);
            }
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    static std::string bytes(const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    /// Starts a render of very many samples and waits for its first checkpoint.
    pid_t startLongRender(const Arguments& options, const std::string& output = "out.exr") const {
        Arguments arguments = command({"--spp", "1000000", "--checkpoint", checkpoint_, "--every", "0.02s"}, output);
        arguments.insert(arguments.end(), options.begin(), options.end());
        const pid_t process = start(arguments);
        EXPECT_TRUE(waitForFile(process, checkpoint_));
        return process;
    }
};

TEST_F(FaultTest, ALostDeviceLeavesTheCheckpoint) {
    const Outcome outcome =
        expectFailure(kNoDevice, command({"--spp", "1000000", "--checkpoint", checkpoint_, "--every", "0.01s"}),
                      {"lost", "a.ckpt has samples 0:", "--resume"}, withFaults("lost:0:5", checkpoint_));
    EXPECT_EQ(files(), (std::vector<std::string>{"a.ckpt"}));
    const std::string kept = "a.ckpt has samples 0:";
    const int samples = std::stoi(outcome.err.substr(outcome.err.find(kept) + kept.size())) + 20;
    const auto resumed = render({"--spp", std::to_string(samples), "--resume", checkpoint_});
    EXPECT_EQ(resumed, render({"--spp", std::to_string(samples)}));
}

TEST_F(FaultTest, ADeviceLostBeforeThereIsAnythingLeavesNothing) {
    const Outcome outcome =
        expectFailure(kNoDevice, command({"--checkpoint", checkpoint_}), {"lost"}, withFaults("lost:0:2"));
    EXPECT_EQ(outcome.err.find("a.ckpt"), std::string::npos) << outcome.err;
    EXPECT_TRUE(files().empty());
}

TEST_F(FaultTest, ADeviceOutOfMemoryIsToldApart) {
    for (const char* const fault : {"memory:0:0", "memory:0:5", "memory:0:14"}) {
        expectFailure(kOutOfMemory, command({}), {"free on"}, withFaults(fault));
        EXPECT_TRUE(files().empty());
    }
}

/// Queues, layers and all else fit a small device, and the picture is the same.
TEST_F(FaultTest, ADeviceOfTwoGibibytesIsEnough) {
    const Arguments options = {"--spp", "8", "--size", "160x90", "--aov", "all"};
    const auto whole = render(options);
    expectDone(command(options, "small.exr"), withFaults("heap:0:2048"));
    EXPECT_EQ(valuesOf(path("small.exr")), whole);
    expectFailure(kOutOfMemory, command(options, "none.exr"), {"free on"}, withFaults("heap:0:8"));
}

/// The built-in filter runs on GPUs, and where one has no memory for it, on the CPU.
TEST_F(FaultTest, AGpuWithoutMemoryToDenoiseLeavesItToTheCpu) {
    render({"--spp", "4", "--backend", "reference", "--aov", "albedo,normal,depth,halves"});
    const auto denoised = [&](const Variables& faults, bool onCpu) {
        const Outcome outcome =
            expectDone({"denoise", path("out.exr"), "-o", path("clean.exr"), "--denoiser", "builtin"}, faults);
        EXPECT_EQ(outcome.err.find("; the CPU denoises") != std::string::npos, onCpu) << outcome.err;
        return readExr(path("clean.exr"));
    };
    const Image byCpu = denoised({}, false);
    const Image byGpu = denoised(withFaults("gpu:0:0"), false);
    EXPECT_LT(largestDifference(byGpu, byCpu), 1e-3);
    for (const char* const fault : {"gpu:0:0,heap:0:1", "gpu:0:0,memory:0:3"}) {
        EXPECT_EQ(largestDifference(denoised(withFaults(fault), true), byCpu), 0.0);
    }
}

TEST_F(FaultTest, APictureThatDoesNotFitLeavesTheOneBefore) {
    render({"--spp", "2", "--backend", "reference"});
    const std::string before = bytes(path("out.exr"));
    {
        const FileSizeLimit limit(1500);
        expectFailure(kCannotWrite, command({"--spp", "8", "--backend", "reference"}),
                      {"out.exr: cannot be written: File too large"});
        expectFailure(kCannotWrite, command({"--spp", "2", "--size", "64x48", "--backend", "reference"}, "new.png"),
                      {"new.png: cannot be written: File too large"});
    }
    EXPECT_EQ(bytes(path("out.exr")), before);
    EXPECT_EQ(files(), (std::vector<std::string>{"out.exr"}));
}

TEST_F(FaultTest, ACheckpointThatDoesNotFitLeavesTheOneBefore) {
    const auto whole = render({"--spp", "24", "--aov", "depth", "--backend", "reference"});
    render({"--spp", "8", "--aov", "depth", "--backend", "reference", "--checkpoint", checkpoint_});
    const std::string before = bytes(checkpoint_);
    fs::remove(path("out.exr"));
    {
        // The film takes 37 KB, the picture much less.
        const FileSizeLimit limit(30000);
        expectFailure(kCannotWrite,
                      command({"--spp", "16", "--aov", "depth", "--backend", "reference", "--resume", checkpoint_}),
                      {"a.ckpt", "the picture is written"});
    }
    EXPECT_EQ(files(), (std::vector<std::string>{"a.ckpt", "out.exr"}));
    EXPECT_EQ(readExr(path("out.exr")).attributes.at("aureole.samples"), "0:16");
    EXPECT_EQ(bytes(checkpoint_), before);
    EXPECT_EQ(render({"--spp", "24", "--aov", "depth", "--backend", "reference", "--resume", checkpoint_}), whole);
}

TEST_F(FaultTest, ARemovedOutputFolderLeavesTheCheckpoint) {
    const auto whole = render({"--spp", "160"});
    fs::create_directory(path("pictures"));
    const pid_t process = startLongRender({}, "pictures/out.exr");
    noteFault();
    fs::remove_all(path("pictures"));
    ::kill(process, SIGINT);
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, kCannotWrite) << outcome.err;
    EXPECT_NE(outcome.err.find("the checkpoint " + checkpoint_ + " has samples 0:"), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), (std::vector<std::string>{"a.ckpt", "out.exr"}));
    // Few samples may be in it, or many.
    const Outcome resumed = run(command({"--spp", "160", "--resume", checkpoint_}));
    EXPECT_TRUE(resumed.code == 0 || resumed.code == kUsage) << resumed.err;
}

TEST_F(FaultTest, ARemovedFolderOfTheCheckpointLeavesThePicture) {
    fs::create_directory(path("checkpoints"));
    checkpoint_ = path("checkpoints/a.ckpt");
    const pid_t process = startLongRender({"--backend", "reference"});
    noteFault();
    fs::remove_all(path("checkpoints"));
    ::kill(process, SIGTERM);
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, kCannotWrite) << outcome.err;
    EXPECT_NE(outcome.err.find("the picture is written\n"), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), (std::vector<std::string>{"out.exr"}));
}

} // namespace

} // namespace aureole
