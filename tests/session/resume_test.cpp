// Renders that are stopped, killed and resumed end with the bytes of those that are not.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>
#include <vector>

#include "cli_test.h"
#include "faults.h"
#include "full_sweep.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

class ResumeTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene = write("scene.json", shadedScene());
        checkpoint = path("a.ckpt");
    }

    Arguments command(Arguments options, const std::string& output = "out.exr") const {
        Arguments arguments = {"render", scene, "-o", path(output), "--progress", "none"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }

    /// The picture's channels, which all have to be the same to the last bit.
    std::vector<Channel> render(const Arguments& options) const {
        expectDone(command(options));
        return readExr(path("out.exr")).channels;
    }

    static void expectSame(const std::vector<Channel>& found, const std::vector<Channel>& expected) {
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_EQ(found[i].name, expected[i].name);
            EXPECT_EQ(found[i].values, expected[i].values) << found[i].name;
        }
    }

    static std::string bytes(const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    std::string scene;
    std::string checkpoint;
};

TEST_F(ResumeTest, GoesOnToAnAbsoluteTargetWithTheSameBytes) {
    for (const Arguments& more : {Arguments{"--backend", "reference"}, Arguments{"--aov", "all"}}) {
        const auto with = [&](Arguments options) {
            options.insert(options.end(), more.begin(), more.end());
            return options;
        };
        const std::vector<Channel> whole = render(with({"--spp", "40"}));
        render(with({"--spp", "13", "--checkpoint", checkpoint}));
        expectSame(render(with({"--spp", "40", "--resume", checkpoint})), whole);
        // Finished, it is kept, and there is nothing left to do.
        expectSame(render(with({"--spp", "40", "--resume", checkpoint, "--drop-checkpoint"})), whole);
        EXPECT_FALSE(std::filesystem::exists(checkpoint));
    }
}

TEST_F(ResumeTest, AdaptiveSamplingDecidesAsInOneRun) {
    const Arguments adaptive = {"--noise", "0.01", "--aov", "samples"};
    const auto to = [&](const std::string& spp, Arguments options) {
        options.insert(options.end(), adaptive.begin(), adaptive.end());
        options.insert(options.end(), {"--spp", spp});
        return options;
    };
    const std::vector<Channel> whole = render(to("300", {}));
    const auto samples =
        std::find_if(whole.begin(), whole.end(), [](const Channel& c) { return c.name == "samples.Y"; });
    ASSERT_NE(samples, whole.end());
    EXPECT_NE(std::ranges::min(samples->values), std::ranges::max(samples->values));
    // Where it is first decided which pixels get more samples, and later.
    const std::vector<const char*> few = {"64", "100"};
    for (const char* const first : fullSweep() ? std::vector{"64", "72", "100", "200"} : few) {
        render(to(first, {"--checkpoint", checkpoint}));
        expectSame(render(to("300", {"--resume", checkpoint})), whole);
    }
}

TEST_F(ResumeTest, PartsGoOnTooAndAreMerged) {
    const std::vector<Channel> whole = render({"--samples", "16:48", "--backend", "reference"});
    const Arguments range = {"--samples", "16:48", "--backend", "reference", "--resume", checkpoint};
    expectFailure(kBadInput, command(range), {"a.ckpt", "no such file"});
    render({"--samples", "16:32", "--backend", "reference", "--checkpoint", checkpoint});
    expectSame(render(range), whole);
    expectFailure(kBadInput, command({"--samples", "8:48", "--backend", "reference", "--resume", checkpoint}),
                  {"16:48", "from 8"});
}

TEST_F(ResumeTest, SignalsLeaveACheckpoint) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const std::string backend = signal == SIGINT ? "gpu" : "reference";
        const pid_t process =
            start(command({"--spp", "1000000", "--backend", backend, "--checkpoint", checkpoint, "--every", "0.05s"}));
        ASSERT_TRUE(waitForFile(process, checkpoint));
        noteFault();
        ASSERT_EQ(::kill(process, signal), 0);
        EXPECT_EQ(finish(process).code, kInterrupted);
        const auto samples = readExr(path("out.exr")).attributes.at("aureole.samples");
        // The image and the checkpoint end with the same sample.
        const std::string count = samples.substr(2);
        render({"--spp", count, "--backend", backend, "--resume", checkpoint, "--stats-json", path("stats.json")});
        EXPECT_NE(bytes(path("stats.json")).find("\"resumed_samples\": " + count), std::string::npos);
        std::filesystem::remove(checkpoint);
    }
}

TEST_F(ResumeTest, SigUsr1WritesACheckpointAndGoesOn) {
    Arguments arguments =
        command({"--spp", "1000000", "--backend", "reference", "--checkpoint", checkpoint, "--every", "1h"});
    *std::find(arguments.begin(), arguments.end(), "none") = "json";
    const pid_t process = start(arguments);
    ASSERT_TRUE(waitForError(process, R"("stage":"render")")) << errorsSoFar();
    EXPECT_FALSE(std::filesystem::exists(checkpoint));
    ASSERT_EQ(::kill(process, SIGUSR1), 0);
    EXPECT_TRUE(waitForFile(process, checkpoint));
    ::kill(process, SIGINT);
    EXPECT_EQ(finish(process).code, kInterrupted);
}

/// Whenever the program is killed, what is there is whole, and the next run goes on from it. The reference backend
/// starts so fast that most kills find it at work.
TEST_F(ResumeTest, KilledAtRandomMomentsItLosesNothing) {
    const bool full = fullSweep();
    const int kills = full ? 100 : 8;
    const auto with = [&](Arguments options) {
        const Arguments more = {"--spp", "4000", "--backend", full ? "gpu" : "reference"};
        options.insert(options.end(), more.begin(), more.end());
        return options;
    };
    const Arguments goOn = with({"--checkpoint", checkpoint, "--resume", checkpoint, "--every", "0.01s"});
    const std::vector<Channel> whole = render(with({}));
    std::filesystem::remove(path("out.exr"));
    std::mt19937 random(1);
    int killed = 0;
    while (killed < kills) {
        const pid_t process = start(command(goOn));
        std::this_thread::sleep_for(std::chrono::milliseconds(std::uniform_int_distribution<int>(0, 700)(random)));
        noteFault();
        ::kill(process, SIGKILL);
        const Outcome outcome = finish(process);
        if (outcome.code == 0) {
            expectSame(readExr(path("out.exr")).channels, whole);
            std::filesystem::remove(checkpoint);
            std::filesystem::remove(path("out.exr"));
            continue;
        }
        ++killed;
        ASSERT_EQ(outcome.code, 128 + SIGKILL) << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(path("out.exr")) && readExr(path("out.exr")).channels.empty());
    }
    expectSame(render(goOn), whole);
}

TEST_F(ResumeTest, CheckpointsOfOtherRendersAreRefused) {
    render({"--spp", "16", "--checkpoint", checkpoint});
    const auto refused = [&](Arguments options, const std::vector<std::string>& fragments, int code = kBadInput) {
        options.insert(options.end(), {"--spp", "32", "--resume", checkpoint});
        expectFailure(code, command(options), fragments);
    };
    const auto told = [&](const Arguments& options, const std::string& differences) {
        refused(options, {"a.ckpt: found the checkpoint of another render: " + differences + "\n"});
    };
    told({"--seed", "5"}, "aureole.seed is 1, expected 5");
    told({"--sampler", "independent"}, "aureole.sampler is sobol, expected independent");
    told({"--max-depth", "4"}, "aureole.max_depth is 0, expected 4");
    told({"--clamp", "3"}, "aureole.clamp is none, expected 3");
    told({"--resolution", "48"}, "aureole.resolution is 16, expected 48");
    told({"--surface", "planes"}, "aureole.surface is cubes, expected planes");
    told({"--transparent"}, "aureole.transparent is false, expected true");
    told({"--max-depth", "4", "--seed", "5", "--sampling", "uniform"},
         "aureole.seed is 1, expected 5; aureole.max_depth is 0, expected 4; aureole.sampling is bsdf, expected "
         "uniform");
    refused({"--set", "/environment/horizon=0.6"},
            {"another render: aureole.scene_hash is ", "it was made by: ", "--spp 16 --checkpoint"});
    refused({"--size", "16x12"}, {"a.ckpt", "another render: aureole.size is 32x24, expected 16x12"});
    refused({"--camera", "back"}, {"aureole.camera is front, expected back"});
    refused({"--crop", "0,0,8,8"}, {"aureole.crop"});
    refused({"--aov", "depth"}, {"aureole.aovs is none, expected depth"});
    refused({"--backend", "reference"}, {"aureole.backend is gpu, expected reference"});
    refused({"--noise", "0.1"}, {"another render"});
    expectFailure(kUsage, command({"--spp", "8", "--resume", checkpoint}), {"--resume", "0:16", "at most the 8"});
    std::ofstream(checkpoint, std::ios::app) << 'x';
    refused({}, {"a.ckpt", "damaged"});
}

/// The scene's hash and settings tell before anything is opened, voxelised or rendered.
TEST_F(ResumeTest, OtherCheckpointsAreRefusedBeforeTheLongWork) {
    render({"--spp", "16", "--checkpoint", checkpoint});
    write("foreign.ckpt", "no checkpoint");
    const auto refused = [&](int code, Arguments options, const std::string& file) {
        std::filesystem::remove(path("stats.json"));
        options.insert(options.end(), {"--no-cache", "--resume", path(file), "--stats-json", path("stats.json")});
        const Outcome outcome = expectFailure(code, command(options), {file});
        EXPECT_EQ(outcome.err.find("device 0"), std::string::npos) << "it was opened";
        if (std::filesystem::exists(path("stats.json"))) {
            const nlohmann::json stats = parseJson(bytes(path("stats.json")));
            EXPECT_TRUE(stats.at("voxels").is_null());
            EXPECT_EQ(stats.at("seconds").at("build"), 0.0);
        }
    };
    refused(kBadInput, {"--spp", "32"}, "missing.ckpt");
    refused(kBadInput, {"--spp", "32"}, "foreign.ckpt");
    refused(kBadInput, {"--spp", "32", "--seed", "5"}, "a.ckpt");
    refused(kBadInput, {"--spp", "32", "--set", "/environment/horizon=0.6"}, "a.ckpt");
    refused(kUsage, {"--spp", "8"}, "a.ckpt");
}

TEST_F(ResumeTest, WhatACheckpointLacksIsTold) {
    const auto errors = [&](const Arguments& options) { return expectDone(command(options)).err; };
    const std::string none = "warning: no checkpoint is written to " + checkpoint + ": found samples 0:4, ";
    const std::string lacks = "warning: the checkpoint " + checkpoint + " has samples 0:8 of 0:12: ";
    EXPECT_NE(errors({"--spp", "4", "--checkpoint", checkpoint}).find(none), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(checkpoint));
    EXPECT_NE(errors({"--spp", "12", "--checkpoint", checkpoint}).find(lacks), std::string::npos);
    EXPECT_NE(errors({"--spp", "12", "--resume", checkpoint}).find(lacks), std::string::npos);
    for (const Arguments& whole : {Arguments{"--spp", "16"}, Arguments{"--spp", "12", "--drop-checkpoint"},
                                   Arguments{"--spp", "3", "--backend", "reference"}}) {
        Arguments options = whole;
        options.insert(options.end(), {"--checkpoint", checkpoint});
        EXPECT_EQ(errors(options).find("warning"), std::string::npos) << whole[1];
    }
}

TEST_F(ResumeTest, AnotherCheckpointGetsWhatIsResumed) {
    const std::string other = path("b.ckpt");
    const auto renderTo = [&](const std::string& spp, Arguments options) {
        options.insert(options.end(), {"--spp", spp, "--backend", "reference"});
        return render(options);
    };
    renderTo("16", {"--checkpoint", checkpoint});
    for (const char* const spp : {"16", "20"}) {
        const std::vector<Channel> first = renderTo(spp, {"--resume", checkpoint, "--checkpoint", other});
        ASSERT_TRUE(std::filesystem::exists(other)) << spp;
        expectSame(renderTo(spp, {"--resume", other, "--drop-checkpoint"}), first);
        EXPECT_TRUE(std::filesystem::exists(checkpoint));
    }
}

TEST_F(ResumeTest, OptionsThatDoNotGoTogetherAreRefused) {
    expectFailure(kUsage, command({"--every", "5s"}), {"--every", "--checkpoint"});
    expectFailure(kUsage, command({"--drop-checkpoint"}), {"--drop-checkpoint", "--checkpoint"});
    expectFailure(kUsage, command({"--frames", "0:2", "--checkpoint", checkpoint}), {"--frames", "--skip-existing"});
    expectFailure(kCannotWrite, command({"--checkpoint", path("none/a.ckpt")}), {"none"});
}

} // namespace

} // namespace aureole
