// The host runs out of memory: the exit code says so, and what was rendered is kept where that can be.

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "cli_test.h"
#include "faults.h"
#include "full_sweep.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class MemoryTest : public FaultyRenderTest {
protected:
    Arguments command(const Arguments& backend, const Arguments& more) const {
        Arguments arguments = {"render", scene_, "-o", path("out.exr")};
        arguments.insert(arguments.end(), backend.begin(), backend.end());
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    std::vector<std::vector<float>> render(const Arguments& backend, const Arguments& more) const {
        expectDone(command(backend, more));
        return valuesOf(path("out.exr"));
    }

    /// Samples of each pixel that the progress so far tells of.
    std::uint32_t samplesSoFar() const {
        const std::string errors = errorsSoFar();
        const std::string before = R"("stage":"render","done":)";
        const std::size_t at = errors.rfind(before);
        return at == std::string::npos
                   ? 0
                   : static_cast<std::uint32_t>(std::strtoul(errors.c_str() + at + before.size(), nullptr, 10));
    }

    /// Starts a render of very many samples.
    pid_t startLong(const Arguments& backend, const std::string& every, const Variables& variables) const {
        return start(command(backend, {"--spp", "100000000", "--checkpoint", checkpoint_, "--every", every,
                                       "--progress", "json"}),
                     variables);
    }

    /// Expects a run that ended for want of memory and left a checkpoint, but no picture: one that goes on as if
    /// nothing had happened. Returns its samples.
    std::string expectKept(const Outcome& outcome, const Arguments& backend) const {
        EXPECT_EQ(outcome.code, kOutOfMemory) << outcome.err;
        EXPECT_NE(outcome.err.find(R"("log":"error","message":"out of memory; )"), std::string::npos) << outcome.err;
        EXPECT_FALSE(fs::exists(path("out.exr")));
        std::string samples = samplesKept(outcome.err);
        if (samples.empty()) {
            ADD_FAILURE() << outcome.err;
            return "0";
        }
        const auto resumed =
            render(backend, {"--spp", samples, "--resume", checkpoint_, "--stats-json", path("stats.json")});
        EXPECT_EQ(readJson(path("stats.json")).at("resumed_samples"), std::stoul(samples));
        EXPECT_EQ(resumed, render(backend, {"--spp", samples}));
        fs::remove(path("out.exr"));
        return samples;
    }

    /// "N" of "a.ckpt has samples 0:N" in what the program said.
    static std::string samplesKept(const std::string& errors) {
        const std::string before = "a.ckpt has samples 0:";
        const std::size_t at = errors.find(before);
        return at == std::string::npos ? ""
                                       : errors.substr(at + before.size(), errors.find(',', at) - at - before.size());
    }

    /// Bytes of the film that a checkpoint takes, as devices and the reference keep it: twelve floats, six doubles.
    static constexpr std::uint64_t kFilmBytes = 32ULL * 24 * 48;
};

/// One device goes the way of several.
const std::vector<Arguments> kBackends =
    fullSweep() ? std::vector<Arguments>{{}, {"--device", "0,0"}, {"--backend", "reference"}}
                : std::vector<Arguments>{{"--device", "0,0"}, {"--backend", "reference"}};

TEST_F(MemoryTest, WhatIsRenderedIsSaved) {
    for (const Arguments& backend : kBackends) {
        const std::string trigger = path("trigger");
        const pid_t process = startLong(backend, "1h", withoutMemory(kFilmBytes, 1, trigger));
        EXPECT_TRUE(waitUntil(process, [&] { return samplesSoFar() >= 16; })); // of which each device has some
        EXPECT_FALSE(fs::exists(checkpoint_));
        // The film is fetched for a checkpoint, of several devices for the whole too: once, there is no memory for it.
        std::ofstream(trigger) << "now";
        ::kill(process, SIGUSR1);
        expectKept(finish(process), backend);
        fs::remove(checkpoint_);
        fs::remove(trigger);
    }
}

TEST_F(MemoryTest, WhereThatCannotBeTheLastCheckpointStays) {
    for (const Arguments& backend : kBackends) {
        // From the first one on there is no memory for films.
        const pid_t process = startLong(backend, "0.02s", withoutMemory(kFilmBytes, 0, checkpoint_));
        expectKept(finish(process), backend);
        fs::remove(checkpoint_);
    }
}

} // namespace

} // namespace aureole
