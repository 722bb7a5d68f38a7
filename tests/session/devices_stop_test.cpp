// Several devices that are stopped: what they have finished is in the picture and counted, and what can be gone on from
// is in the checkpoint.

#include "cli_test.h"
#include "faults.h"
#include "film/film.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class DevicesStopTest : public FaultyRenderTest {
protected:
    Arguments command(const Arguments& options, const std::string& output = "out.exr") const {
        Arguments arguments = {"render", scene_,     "-o",  path(output),   "--allow-cpu",     "--progress",
                               "none",   "--device", "0,0", "--stats-json", path("stats.json")};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }

    Image render(const Arguments& options) const {
        expectDone(command(options));
        return readExr(path("out.exr"));
    }

    nlohmann::json stats() const { return readJson(path("stats.json")); }

    /// The end of the samples of a picture that has one range of them from 0.
    static std::uint32_t samplesOf(const Image& image) {
        const IndexRanges ranges = parseRanges(image.attributes.at("aureole.samples"));
        EXPECT_EQ(ranges.size(), 1U);
        EXPECT_EQ(ranges.at(0).first, 0U);
        return ranges.at(0).second;
    }

    static void expectSame(const Image& found, const Image& expected) {
        ASSERT_EQ(found.channels.size(), expected.channels.size());
        for (std::size_t i = 0; i < found.channels.size(); ++i) {
            EXPECT_EQ(found.channels[i].values, expected.channels[i].values) << found.channels[i].name;
        }
    }
};

/// 13 samples are a batch of 8 and a part of one, which the devices begin at once: when the time is up, before anything
/// is finished, they have both.
TEST_F(DevicesStopTest, ByTheTimeInTheLastBatchLeaveACheckpointOfTheWholeOnes) {
    const Image whole = render({"--spp", "40"});
    const std::uint32_t samples = samplesOf(render({"--spp", "13", "--time", "0.001s", "--checkpoint", checkpoint_}));
    EXPECT_EQ(samples, 13U);
    EXPECT_EQ(stats().at("devices")[0].at("samples").get<std::uint32_t>() +
                  stats().at("devices")[1].at("samples").get<std::uint32_t>(),
              samples);
    ASSERT_TRUE(fs::exists(checkpoint_));
    expectSame(render({"--spp", "40", "--resume", checkpoint_}), whole);
    EXPECT_EQ(stats().at("resumed_samples"), 8);
}

TEST_F(DevicesStopTest, CountWhatIsInThePicture) {
    const std::uint32_t samples = samplesOf(render({"--time", "0.4s", "--checkpoint", checkpoint_}));
    const nlohmann::json found = stats();
    std::uint64_t ofDevices = 0;
    for (const nlohmann::json& device : found.at("devices")) {
        ofDevices += device.at("samples").get<std::uint64_t>();
    }
    EXPECT_EQ(ofDevices, samples);
    EXPECT_EQ(found.at("samples"), samples);
    const std::string count = std::to_string(samples);
    const Image resumed = render({"--spp", count, "--resume", checkpoint_});
    EXPECT_EQ(stats().at("rays"), 0);
    expectSame(resumed, render({"--spp", count}));
    EXPECT_EQ(stats().at("rays"), found.at("rays"));
}

/// Five samples are one piece: the other device has nothing to do, until it gets that one.
TEST_F(DevicesStopTest, ALostOneLeavesItsOnlyPieceToTheOther) {
    const Image whole = render({"--spp", "5"});
    expectDone(command({"--spp", "5"}), withFaults("lost:0:18"));
    EXPECT_NE(errorsSoFar().find("warning: device 0 is out: "), std::string::npos) << errorsSoFar();
    expectSame(readExr(path("out.exr")), whole);
    EXPECT_EQ(stats().at("devices")[1].at("samples"), 5);
}

/// What is no whole batch is in the picture alone; where that cannot be written, it is lost.
TEST_F(DevicesStopTest, AFailureAtTheEndLeavesTheCheckpointOfWholeBatches) {
    fs::create_directory(path("pictures"));
    const pid_t process =
        start(command({"--spp", "1605", "--checkpoint", checkpoint_, "--every", "0.02s"}, "pictures/out.exr"));
    EXPECT_TRUE(waitForFile(process, checkpoint_));
    fs::remove_all(path("pictures"));
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, kCannotWrite) << outcome.err;
    EXPECT_NE(outcome.err.find("a.ckpt has samples 0:1600, "), std::string::npos) << outcome.err;
    EXPECT_EQ(stats().at("devices")[0].at("samples").get<int>() + stats().at("devices")[1].at("samples").get<int>(),
              1605);
}

} // namespace

} // namespace aureole
