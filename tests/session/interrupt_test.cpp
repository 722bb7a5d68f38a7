#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "cli_test.h"
#include "faults.h"
#include "film/film.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class InterruptTest : public CliTest {
protected:
    /// Starts a render that would take very long, waits until it has begun, and interrupts it.
    Outcome interrupt(const Arguments& options, int signal, int times = 1) const {
        Arguments arguments = {
            "render", write("scene.json", boxScene()), "-o", path("out.exr"), "--spp", "100000000", "--progress",
            "json"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const pid_t process = start(arguments);
        EXPECT_TRUE(waitForError(process, R"("stage":"render")")) << "the program ended by itself\n" << errorsSoFar();
        noteFault();
        for (int i = 0; i < times; ++i) {
            EXPECT_EQ(::kill(process, signal), 0);
            std::this_thread::sleep_for(std::chrono::milliseconds(i + 1 < times ? 1 : 0));
        }
        return finish(process);
    }

    void expectSavedState(const Outcome& outcome) const {
        EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
        EXPECT_NE(outcome.err.find("interrupted"), std::string::npos);
        const Image image = readExr(path("out.exr"));
        const IndexRanges ranges = parseRanges(image.attributes.at("aureole.samples"));
        ASSERT_EQ(ranges.size(), 1U);
        EXPECT_LT(ranges[0].second, 100000000U);
        const std::string count = std::to_string(ranges[0].second) + " samples per pixel";
        EXPECT_NE(outcome.err.find(count), std::string::npos) << outcome.err;
        EXPECT_EQ(pixel(image, 0, 0), (std::vector<float>{1.0F, 1.0F, 1.0F}));
    }
};

TEST_F(InterruptTest, OnTheDeviceSavesTheImageAndProgressIsJsonLines) {
    const Outcome outcome = interrupt({}, SIGINT);
    expectSavedState(outcome);
    EXPECT_NE(outcome.err.find(R"({"stage":"render","done":)"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(R"("rays_per_second":)"), std::string::npos) << outcome.err;
}

TEST_F(InterruptTest, OnTheReferenceBackendSavesTheImage) {
    expectSavedState(interrupt({"--backend", "reference"}, SIGTERM));
}

TEST_F(InterruptTest, ALostTerminalSavesTheImage) {
    const auto before = std::signal(SIGHUP, SIG_DFL); // lest the tests were started by nohup
    // Of which the system sends one, and each shell in it another.
    expectSavedState(interrupt({"--backend", "reference"}, SIGHUP, 5));
    std::signal(SIGHUP, before);
}

TEST_F(InterruptTest, ALimitOfProcessorTimeSavesTheImage) {
    expectSavedState(interrupt({"--backend", "reference"}, SIGXCPU, 3)); // one comes each second
}

/// The samples are there: the picture is written as they are. A frame would not be made again, and is left out.
TEST_F(InterruptTest, WhileDenoisingThePictureIsWrittenNoisy) {
    const std::string scene = write("scene.json", boxScene());
    const Arguments common = {"render", scene,        "--backend", "reference", "--size",     "640x480", "--spp",
                              "2",      "--no-bloom", "--denoise", "builtin",   "--progress", "json"};
    const auto interrupted = [&](const Arguments& more) {
        Arguments arguments = common;
        arguments.insert(arguments.end(), more.begin(), more.end());
        const pid_t process = start(arguments);
        EXPECT_TRUE(waitForError(process, R"("stage":"denoise")")) << errorsSoFar();
        noteFault();
        EXPECT_EQ(::kill(process, SIGINT), 0);
        const Outcome outcome = finish(process);
        EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
        return outcome.err;
    };
    const std::string ofPicture = interrupted({"-o", path("out.exr")});
    EXPECT_NE(ofPicture.find("out.exr stays noisy"), std::string::npos) << ofPicture;
    EXPECT_FALSE(readExr(path("out.exr")).attributes.contains("aureole.denoise"));
    const std::string ofFrames = interrupted({"--set", R"(/animation={"camera": "front", "turntable": {"frames": 4}})",
                                              "--frames", "0:1", "-o", path("f#.exr")});
    EXPECT_NE(ofFrames.find("is left out"), std::string::npos) << ofFrames;
    EXPECT_FALSE(fs::exists(path("f0.exr")));
}

/// So it is among the camera rays that a denoiser reads.
TEST_F(InterruptTest, WhileItSeesMoreThePictureIsWrittenNoisy) {
    const auto interrupted = [&](const std::string& file, const Arguments& more) {
        Arguments arguments = {"render",
                               write("scene.json", boxScene()),
                               "-o",
                               path(file),
                               "--size",
                               "640x480",
                               "--spp",
                               "2",
                               "--backend",
                               "reference",
                               "--denoise-rays",
                               "64",
                               "--no-bloom",
                               "--progress",
                               "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const pid_t process = start(arguments);
        EXPECT_TRUE(waitForError(process, R"({"stage":"render","done":1000000,)")) << errorsSoFar();
        noteFault();
        EXPECT_EQ(::kill(process, SIGINT), 0);
        const Outcome outcome = finish(process);
        EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
        return outcome.err;
    };
    const std::string ofPicture = interrupted("out.exr", {"--denoise", "builtin"});
    EXPECT_NE(ofPicture.find("out.exr stays noisy"), std::string::npos) << ofPicture;
    EXPECT_FALSE(readExr(path("out.exr")).attributes.contains("aureole.denoise"));
    const std::string ofRays = interrupted("rays.exr", {"--aov", "albedo,normal,depth,emission,halves"});
    EXPECT_NE(ofRays.find("rays.exr has none of more camera rays"), std::string::npos) << ofRays;
    EXPECT_FALSE(readExr(path("rays.exr")).attributes.contains("aureole.seen_rays"));
}

/// The program's early life: until there is a sample, nothing is saved, and nothing is left half-written.
class EarlyInterruptTest : public CliTest {
protected:
    /// Whether the process handles a signal itself.
    static std::string nameOf(pid_t process) {
        std::ifstream file("/proc/" + std::to_string(process) + "/comm");
        std::string name;
        std::getline(file, name);
        return name;
    }

    static bool handles(pid_t process, int signal) {
        std::ifstream status("/proc/" + std::to_string(process) + "/status");
        for (std::string word; status >> word;) {
            if (word == "SigCgt:") {
                std::uint64_t caught = 0;
                status >> std::hex >> caught;
                return ((caught >> static_cast<unsigned>(signal - 1)) & 1U) != 0;
            }
        }
        return false;
    }

    void expectNothing(const Outcome& outcome) const {
        EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
        EXPECT_NE(outcome.err.find("aureole: interrupted\n"), std::string::npos) << outcome.err;
        for (const auto& entry : fs::directory_iterator(path(""))) {
            const std::string name = entry.path().filename().string();
            EXPECT_TRUE(name == "scene.json" || name == "stdout.txt" || name == "stderr.txt" || name == "cache")
                << name;
        }
    }

    /// A render with a cache of its own, of so many voxels that there is time to interrupt it.
    pid_t startRender(const std::string& resolution) const {
        return start({"render", write("scene.json", boxScene()), "-o", path("out.exr"), "--resolution", resolution,
                      "--checkpoint", path("a.ckpt"), "--stats-json", path("stats.json"), "--progress", "json"},
                     {{"XDG_CACHE_HOME", path("cache")}});
    }

    fs::path octrees() const { return path("cache") + "/aureole/octrees"; }

    /// Octrees in the cache with an extension that starts like this.
    std::vector<fs::path> octrees(const std::string& extension) const {
        std::vector<fs::path> found;
        std::error_code gone;
        for (const auto& entry : fs::directory_iterator(octrees(), gone)) {
            if (entry.path().extension().string().starts_with(extension)) {
                found.push_back(entry.path());
            }
        }
        return found;
    }
};

TEST_F(EarlyInterruptTest, WhileVoxelising) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const pid_t process = startRender("2048");
        ASSERT_TRUE(waitForError(process, R"("stage":"voxelising")")) << errorsSoFar();
        noteFault();
        ASSERT_EQ(::kill(process, signal), 0);
        expectNothing(finish(process));
        EXPECT_TRUE(octrees(".part").empty() && octrees(".avo").empty());
    }
}

TEST_F(EarlyInterruptTest, WhileTheOctreeGoesIntoTheCache) {
    const pid_t process = startRender("768");
    ASSERT_TRUE(waitUntil(process, [&] { return !octrees(".part").empty(); })) << errorsSoFar();
    noteFault();
    ASSERT_EQ(::kill(process, SIGTERM), 0);
    expectNothing(finish(process));
    EXPECT_TRUE(octrees(".part").empty());
    for (const fs::path& octree : octrees(".avo")) { // it may have been whole already
        expectDone({"info", octree.string()});
    }
}

TEST_F(EarlyInterruptTest, WhatNohupStartsOutlivesItsTerminal) {
    const auto before = std::signal(SIGHUP, SIG_IGN);
    const pid_t process = startRender("64");
    std::signal(SIGHUP, before);
    ASSERT_TRUE(waitUntil(process, [&] { return handles(process, SIGTERM); })) << errorsSoFar();
    EXPECT_FALSE(handles(process, SIGHUP));
    noteFault();
    ASSERT_EQ(::kill(process, SIGHUP), 0);
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(EarlyInterruptTest, OfOtherCommands) {
    write("scene.json", boxScene());
    const std::vector<Arguments> commands = {
        {"bench", "scan", "--repeats", "10000"},
        {"voxelize", path("scene.json"), "-o", path("a.avo"), "--resolution", "4096"},
    };
    for (const Arguments& command : commands) {
        const pid_t process = start(command);
        // Benchmarks are another program, which takes this one's place.
        const std::string program = command.front() == "bench" ? "aureole-bench" : "aureole";
        ASSERT_TRUE(waitUntil(process, [&] { return nameOf(process) == program && handles(process, SIGTERM); }))
            << errorsSoFar();
        noteFault();
        ASSERT_EQ(::kill(process, SIGTERM), 0);
        const Outcome outcome = finish(process);
        EXPECT_EQ(outcome.code, kInterrupted) << command.front() << '\n' << outcome.err;
        EXPECT_NE(outcome.err.find("interrupted"), std::string::npos) << outcome.err;
    }
    EXPECT_FALSE(fs::exists(path("a.avo")));
}

/// However short a render is, the last line about it says that it is done.
TEST_F(InterruptTest, ProgressEndsWithAllThatIsDone) {
    const std::string scene = write("scene.json", boxScene());
    const std::string checkpoint = path("a.ckpt");
    for (const Arguments& more :
         {Arguments{"--backend", "reference"}, Arguments{"--checkpoint", checkpoint}, Arguments{"--resume", checkpoint},
          Arguments{"--time", "0.001s"}, Arguments{"--noise", "0.5"}}) {
        Arguments arguments = {"render", scene, "-o", path("out.exr"), "--spp", "8", "--progress", "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const std::string text = expectDone(arguments).err;
        const std::size_t last = text.rfind(R"({"stage":"render",)");
        ASSERT_NE(last, std::string::npos) << more.front() << '\n' << text;
        const auto line = parseJson(text.substr(last, text.find('\n', last) - last));
        EXPECT_EQ(line.at("done"), line.at("total")) << more.front() << '\n' << text;
        EXPECT_EQ(line.at("eta"), 0.0) << more.front() << '\n' << text;
        EXPECT_GE(line.at("rays_per_second"), 0.0);
    }
}

} // namespace

} // namespace aureole
