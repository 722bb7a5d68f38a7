// Several devices render one picture. The first one of the machine, named twice, counts as two.

#include <csignal>
#include <utility>

#include <fmt/format.h>

#include "cli_test.h"
#include "faults.h"
#include "film/film.h"
#include "full_sweep.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class DevicesTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", shadedScene());
    }

    Arguments command(const Arguments& options, const std::string& output = "out.exr") const {
        Arguments arguments = {"render", scene_, "-o", path(output), "--allow-cpu", "--progress", "none"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }

    Image render(const Arguments& options, const Variables& variables = {}) const {
        expectDone(command(options), variables);
        return readExr(path("out.exr"));
    }

    /// With the first device twice.
    Image renderOnTwo(Arguments options, const Variables& variables = {}) const {
        options.insert(options.end(), {"--device", "0,0", "--stats-json", path("stats.json")});
        return render(options, variables);
    }

    nlohmann::json stats() const { return readJson(path("stats.json")); }

    std::string scene_;
};

/// In every channel. Batches' sums are added where no bit of them is lost, as good as ever: in pairs of floats on a
/// device, in double beyond it, so that it does not show who added which.
void expectSameBytes(const Image& found, const Image& expected) {
    for (const Channel& channel : expected.channels) {
        const Channel* other = found.find(channel.name);
        ASSERT_NE(other, nullptr) << channel.name;
        EXPECT_EQ(other->values, channel.values) << channel.name;
    }
}

TEST_F(DevicesTest, TwoRenderThePictureOfOne) {
    const Arguments options = {"--spp", "77", "--aov", "all"};
    const Image one = render(options);
    const Image two = renderOnTwo(options);
    expectSameBytes(two, one);
    ASSERT_EQ(two.channels.size(), one.channels.size());
    EXPECT_EQ(two.attributes.at("aureole.samples"), "0:77");
    EXPECT_TRUE(two.attributes.at("aureole.device").starts_with("2 x ")) << two.attributes.at("aureole.device");
    const nlohmann::json figures = stats();
    ASSERT_EQ(figures.at("devices").size(), 2U);
    std::uint64_t samples = 0;
    std::uint64_t rays = 0;
    for (const nlohmann::json& device : figures.at("devices")) {
        EXPECT_GT(device.at("samples"), 0) << "one device did nothing";
        EXPECT_GT(device.at("seconds"), 0.0);
        EXPECT_TRUE(device.at("failure").is_null());
        EXPECT_FALSE(device.at("uuid").get<std::string>().empty());
        samples += device.at("samples").get<std::uint64_t>();
        rays += device.at("rays").get<std::uint64_t>();
    }
    EXPECT_EQ(samples, 77U);
    EXPECT_EQ(rays, figures.at("rays").get<std::uint64_t>());
}

TEST_F(DevicesTest, AnyNumberRendersTheSame) {
    const Arguments options = {"--spp", "77", "--aov", "all"};
    const Image one = render(options);
    // Each compiles its kernels. Two are tried above.
    const std::vector<std::size_t> counts =
        fullSweep() ? std::vector<std::size_t>{1, 3, 7} : std::vector<std::size_t>{1, 3};
    for (const std::size_t count : counts) {
        std::string devices = "0";
        for (std::size_t i = 1; i < count; ++i) {
            devices += ",0";
        }
        Arguments several = options;
        several.insert(several.end(), {"--device", devices, "--stats-json", path("stats.json")});
        const Image image = render(several);
        expectSameBytes(image, one);
        EXPECT_EQ(image.channels.size(), one.channels.size());
        EXPECT_EQ(stats().at("devices").size(), count);
    }
}

TEST_F(DevicesTest, AllAreThoseOfHardwareUnlessThereAreNone) {
    const nlohmann::json devices = parseJson(expectDone({"devices", "--json"}).out);
    std::size_t hardware = 0;
    std::size_t software = 0;
    for (const nlohmann::json& device : devices) {
        const bool isSoftware = device.at("software").get<bool>();
        const bool usable = device.at("usable").get<bool>();
        hardware += usable && !isSoftware ? 1 : 0;
        software += usable && isSoftware ? 1 : 0;
    }
    render({"--spp", "1", "--device", "all", "--stats-json", path("stats.json")});
    EXPECT_EQ(stats().at("devices").size(), hardware > 0 ? hardware : software);
    if (hardware == 0) {
        expectFailure(kNoDevice, {"render", scene_, "-o", path("out.exr"), "--device", "all"},
                      {"no usable hardware device", "--allow-cpu"});
    }
}

TEST_F(DevicesTest, CheckpointsGoOnOnAnyNumber) {
    const std::string checkpoint = path("a.ckpt");
    const Image whole = render({"--spp", "40", "--aov", "all"});
    const Arguments first = {"--spp", "13", "--aov", "all", "--checkpoint", checkpoint};
    const Arguments second = {"--spp", "40", "--aov", "all", "--resume", checkpoint};
    renderOnTwo(first);
    expectSameBytes(render(second), whole);
    fs::remove(checkpoint);
    render(first);
    expectSameBytes(renderOnTwo(second), whole);
    EXPECT_EQ(stats().at("resumed_samples"), 8);
}

TEST_F(DevicesTest, OnesThatAreLostLeaveTheirSamplesToTheOthers) {
    const Image whole = render({"--spp", "160"});
    // The scene is there after 17 submissions; the first piece of samples takes about 5.
    for (const char* const fault : {"lost:0:20", "memory:1:4"}) {
        expectSameBytes(renderOnTwo({"--spp", "160"}, withFaults(fault)), whole);
        EXPECT_NE(errorsSoFar().find("warning: device 0 is out: "), std::string::npos) << errorsSoFar();
        const std::size_t lost = std::string(fault).find(":0:") != std::string::npos ? 0 : 1;
        const nlohmann::json devices = stats().at("devices");
        EXPECT_TRUE(devices[lost].at("failure").is_string()) << fault;
        EXPECT_TRUE(devices[1 - lost].at("failure").is_null()) << fault;
        EXPECT_EQ(devices[0].at("samples").get<int>() + devices[1].at("samples").get<int>(), 160);
        EXPECT_LT(devices[lost].at("samples").get<int>(), 160);
    }
}

TEST_F(DevicesTest, BloomRunsOnOneThatIsLeft) {
    scene_ = write("scene.json", bloomScene());
    const Image whole = render({"--spp", "160"});
    expectSameBytes(renderOnTwo({"--spp", "160"}, withFaults("lost:0:20")), whole);
}

TEST_F(DevicesTest, TheLastOneThatIsLostLeavesACheckpointOfAllThatIsDone) {
    const std::string checkpoint = path("a.ckpt");
    // Never due before, but written when nobody is left.
    expectFailure(kNoDevice,
                  command({"--spp", "100000", "--device", "0,0", "--checkpoint", checkpoint, "--every", "1h"}),
                  {"lost", "a.ckpt has samples 0:", "--resume"}, withFaults("lost:0:40,lost:1:50"));
    EXPECT_FALSE(fs::exists(path("out.exr")));
    std::string text = errorsSoFar();
    text = text.substr(text.find("has samples 0:") + 14);
    const std::string samples = text.substr(0, text.find(','));
    EXPECT_GE(std::stoi(samples), 8);
    const Image resumed = render({"--spp", samples, "--resume", checkpoint});
    expectSameBytes(resumed, render({"--spp", samples}));
    expectFailure(kOutOfMemory, command({"--device", "0,0"}), {"free on"}, withFaults("memory:0:3,memory:1:6"));
}

TEST_F(DevicesTest, ASignalSavesWhatIsDone) {
    const std::string checkpoint = path("a.ckpt");
    Arguments arguments =
        command({"--spp", "100000000", "--device", "0,0", "--checkpoint", checkpoint, "--every", "0.05s"});
    const pid_t process = start(arguments);
    EXPECT_TRUE(waitForFile(process, checkpoint));
    ::kill(process, SIGINT);
    EXPECT_EQ(finish(process).code, kInterrupted);
    const Image saved = readExr(path("out.exr"));
    const std::string samples = saved.attributes.at("aureole.samples");
    ASSERT_TRUE(samples.starts_with("0:"));
    const std::string count = samples.substr(2);
    EXPECT_EQ(std::stoul(count) % 8, 0U);
    render({"--spp", count, "--resume", checkpoint, "--stats-json", path("stats.json")});
    EXPECT_EQ(stats().at("resumed_samples"), std::stoul(count));
    EXPECT_EQ(stats().at("rays"), 0);
}

TEST_F(DevicesTest, TimeAndRangesHold) {
    const Image timed = renderOnTwo({"--time", "0.2s"});
    const IndexRanges ranges = parseRanges(timed.attributes.at("aureole.samples"));
    ASSERT_EQ(ranges.size(), 1U);
    EXPECT_EQ(ranges[0].first, 0U);
    const Arguments part = {"--samples", "5:30", "--crop", "3,2,20,17"};
    expectSameBytes(renderOnTwo(part), render(part));
}

TEST_F(DevicesTest, RenderFrames) {
    const auto frames = [&](const std::string& name, const Arguments& more) {
        Arguments options = {"--set",        R"(/animation={"camera": "front", "turntable": {"frames": 4}})",
                             "--frames",     "1:3",
                             "--spp",        "20",
                             "--stats-json", path("stats.json")};
        options.insert(options.end(), more.begin(), more.end());
        expectDone(command(options, name + ".#.exr"));
    };
    frames("one", {});
    frames("two", {"--device", "0,0"});
    for (const char* const frame : {"1", "2"}) {
        expectSameBytes(readExr(path(fmt::format("two.{}.exr", frame))),
                        readExr(path(fmt::format("one.{}.exr", frame))));
    }
    // Of both frames together, 20 each.
    EXPECT_NE(errorsSoFar().find(" samples per pixel in all frames together, "), std::string::npos) << errorsSoFar();
    EXPECT_EQ(stats().at("samples"), 20);
    const nlohmann::json devices = stats().at("devices");
    EXPECT_EQ(devices[0].at("samples").get<int>() + devices[1].at("samples").get<int>(), 40);
    EXPECT_EQ(devices[0].at("rays").get<std::uint64_t>() + devices[1].at("rays").get<std::uint64_t>(),
              stats().at("rays").get<std::uint64_t>());
}

TEST_F(DevicesTest, WhatDoesNotGoWithSeveralIsRefused) {
    const std::vector<std::string> several = {"2 devices", "--noise is 0.1", "--noise 0"};
    expectFailure(kUsage, command({"--device", "0,0", "--set", "/integrator/noise=0.1"}), {"2 devices"});
    // Before the scene is read, where the options tell.
    const std::string scene = std::exchange(scene_, path("none.json"));
    expectFailure(kUsage, command({"--device", "0,0", "--noise", "0.1"}), several);
    expectFailure(kUsage, command({"--samples", "0:8", "--noise", "0.1"}), {"--samples", "--noise is 0.1"});
    expectFailure(kBadInput, command({"--device", "0,0", "--set", "/integrator/noise=0.1", "--noise", "0"}),
                  {"none.json"});
    scene_ = scene;
    for (const char* const selector : {"0,,0", ",", "0,"}) {
        expectFailure(kUsage, command({"--device", selector}), {std::string("found '") + selector + "'", "uuid:"});
    }
    expectFailure(kUsage, command({"--device", ""}), {"--device: found ''", "an index of 'aureole devices'"});
    expectFailure(kUsage, command({"--device", "0,all"}), {"--device: found 'all' in '0,all', expected it alone"});
    expectFailure(kNoDevice, command({"--device", "0,no such"}), {"'no such'"});
    const nlohmann::json devices = parseJson(expectDone({"devices", "--json"}).out);
    const std::string uuid = "uuid:" + devices.at(0).at("uuid").get<std::string>();
    expectFailure(kUsage, command({"--device", "0," + uuid}), {"same device", uuid});
    render({"--spp", "1"});
    expectFailure(kUsage, {"bloom", path("out.exr"), "-o", path("b.exr"), "--device", "all"}, {"'all'", "one device"});
    expectFailure(kUsage, {"bench", "scan", "--device", "0,0"}, {"'0,0'", "one device"});
}

} // namespace

} // namespace aureole
