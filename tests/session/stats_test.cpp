// What --stats-json writes is what its schema tells, key by key.

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "faults.h"
#include "json_schema.h"
#include "matches.h"
#include "test_files.h"

namespace aureole {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const JsonSchema& schema() {
    static const JsonSchema read{Json::parse(std::ifstream(testFile(AUREOLE_STATS_SCHEMA)))};
    return read;
}

class StatsTest : public CliTest {
protected:
    /// The figures of a render, which fit the schema.
    Json stats(const Arguments& arguments) const {
        expectDone(command(arguments));
        return written();
    }

    /// Those of one that fails: with the code and the message of the program.
    Json statsOfFailure(int code, const Arguments& arguments, const Variables& variables = {}) const {
        fs::remove(path("stats.json"));
        const Outcome outcome = expectFailure(code, command(arguments), {}, variables);
        Json document = written();
        EXPECT_EQ(document.at("exit_code"), code);
        const std::string failure = document.at("failure").get<std::string>();
        EXPECT_NE(outcome.err.find("aureole: error: " + failure + "\n"), std::string::npos) << outcome.err << failure;
        EXPECT_EQ(outcome.err.find("written  "), std::string::npos) << outcome.err;
        for (const char* const ofPictures : {"samples", "samples_total", "output_bytes"}) {
            EXPECT_EQ(document.at(ofPictures), 0) << ofPictures;
        }
        EXPECT_TRUE(document.at("sample_ranges").is_null());
        return document;
    }

    Arguments command(Arguments arguments) const {
        arguments.insert(arguments.begin(), {"render", write("scene.json", scene_)});
        arguments.insert(arguments.end(), {"--stats-json", path("stats.json")});
        return arguments;
    }

    /// What the last run wrote, which fits the schema.
    Json written() const {
        std::ifstream stream(path("stats.json"));
        if (!stream) {
            ADD_FAILURE() << "no figures were written\n" << errorsSoFar();
            return {};
        }
        Json document = Json::parse(stream);
        EXPECT_EQ(schema().errors(document), std::vector<std::string>{}) << document.dump(1);
        return document;
    }

    std::string scene_ = boxScene();
};

TEST_F(StatsTest, SchemaListsEveryKeyAsRequiredAndTellsOfIt) {
    for (const Json& object : {schema().root(), schema().root().at("properties").at("seconds")}) {
        EXPECT_EQ(object.at("additionalProperties"), false);
        EXPECT_EQ(object.at("required").size(), object.at("properties").size());
        for (const Json& key : object.at("required")) {
            EXPECT_GE(object.at("properties").at(key.get<std::string>()).at("description").get<std::string>().size(),
                      10U);
        }
    }
}

TEST_F(StatsTest, ManualPageListsEveryKey) {
    std::ifstream stream(testFile(AUREOLE_RENDER_TEXT));
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::size_t begin = text.find("| keys | unit |");
    ASSERT_NE(begin, std::string::npos);
    const std::string table = text.substr(begin, text.find("\n\n", begin) - begin);
    std::istringstream lines(table);
    std::set<std::string> listed;
    for (std::string line; std::getline(lines, line);) {
        const std::string keys = line.substr(0, line.find('|', 1));
        for (const std::vector<std::string>& key : matchesOf(keys, "`([a-z_]+)`")) {
            EXPECT_TRUE(listed.insert(key[1]).second) << key[1] << " twice";
        }
    }
    std::set<std::string> keys;
    for (const auto& [key, value] : schema().root().at("properties").items()) {
        keys.insert(key);
    }
    EXPECT_EQ(listed, keys);
    for (const auto& [stage, value] : schema().root().at("properties").at("seconds").at("properties").items()) {
        EXPECT_NE(table.find("`" + stage + "`"), std::string::npos) << stage;
    }
}

/// Spans of one track lie apart or within each other, and the device's within the time of the render.
TEST_F(StatsTest, TimelineHasTheStagesAndTheDevice) {
    const Json figures = stats({"-o", path("a.png"), "--resolution", "16", "--allow-cpu", "--trace", path("t.json")});
    const Json trace = readJson(path("t.json"));
    std::map<std::string, std::pair<double, double>> firstOf; // span, by its name
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> tracks;
    for (const Json& event : trace.at("traceEvents")) {
        if (event.at("ph") == "X") {
            const double begin = event.at("ts");
            const std::pair<double, double> span{begin, begin + event.at("dur").get<double>()};
            firstOf.emplace(event.at("name"), span);
            tracks[{event.at("pid"), event.at("tid")}].push_back(span);
        }
    }
    for (const char* const name : {"load", "device", "upload", "pipelines", "render", "write", "encode"}) {
        ASSERT_TRUE(firstOf.contains(name)) << name;
    }
    const auto [begin, end] = firstOf.at("render");
    EXPECT_NEAR((end - begin) * 1e-6, figures.at("seconds").at("render"), 0.01);
    const auto [waves, wavesEnd] = firstOf.at("waves");
    EXPECT_GT(waves, begin);
    EXPECT_LT(wavesEnd, end);
    for (auto& [track, spans] : tracks) {
        std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
            return a.first < b.first || (a.first == b.first && a.second > b.second);
        });
        std::vector<double> open;
        for (const auto& [from, to] : spans) {
            while (!open.empty() && open.back() <= from) {
                open.pop_back();
            }
            EXPECT_TRUE(open.empty() || to <= open.back() + 1.0) << track.first << " " << track.second; // microseconds
            open.push_back(to);
        }
    }
}

TEST_F(StatsTest, OfTheGpu) {
    const Json found = stats({"-o", path("a.png"), "--resolution", "16", "--allow-cpu"});
    EXPECT_EQ(found.at("schema"), 1);
    EXPECT_EQ(found.at("backend"), "gpu");
    EXPECT_EQ(found.at("samples_total"), 32 * 24 * 4);
    EXPECT_EQ(found.at("output_bytes"), fs::file_size(path("a.png")));
    EXPECT_NEAR(found.at("rays_per_second").get<double>() * found.at("seconds").at("render").get<double>(),
                found.at("rays").get<double>(), 1e-3);
    EXPECT_TRUE(found.at("triangles").is_null());
    EXPECT_EQ(found.at("exit_code"), 0);
    EXPECT_TRUE(found.at("failure").is_null());
    for (const char* const stage : {"device", "upload", "pipelines", "render"}) {
        EXPECT_GT(found.at("seconds").at(stage), 0.0) << stage;
    }
    double sum = 0.0;
    for (const auto& [stage, seconds] : found.at("seconds").items()) {
        sum += stage == "total" ? 0.0 : seconds.get<double>();
    }
    const double total = found.at("seconds").at("total").get<double>();
    EXPECT_LE(sum, total) << "stages are apart";
    EXPECT_GE(sum, 0.98 * total - 0.02) << "what is in no stage; the latter is what a busy machine may add";
    const Json& devices = found.at("devices");
    ASSERT_EQ(devices.size(), 1U) << "one is listed too";
    EXPECT_EQ(devices[0].at("samples"), 4);
    EXPECT_EQ(devices[0].at("rays"), found.at("rays"));
}

TEST_F(StatsTest, OfSeveralDevicesTellPipelinesFromUploads) {
    const Json found = stats({"-o", path("a.png"), "--resolution", "16", "--allow-cpu", "--device", "0,0"});
    EXPECT_EQ(found.at("devices").size(), 2U);
    for (const char* const stage : {"upload", "pipelines"}) {
        EXPECT_GT(found.at("seconds").at(stage), 0.0) << stage;
    }
}

TEST_F(StatsTest, OfTheReferenceWithNoise) {
    const Json found = stats({"-o", path("a.exr"), "--backend", "reference", "--noise", "0.05", "--spp", "64"});
    EXPECT_EQ(found.at("backend"), "reference");
    EXPECT_TRUE(found.at("voxels").is_null());
    EXPECT_GT(found.at("triangles"), 0);
    EXPECT_NEAR(found.at("samples_total").get<double>(), found.at("mean_samples").get<double>() * 32 * 24, 1e-3);
}

TEST_F(StatsTest, OfFramesAddUp) {
    const Arguments frames = {"--set",
                              R"(/animation={"camera": "front", "turntable": {"frames": 4}})",
                              "--frames",
                              "0:2",
                              "-o",
                              path("f#.png"),
                              "--skip-existing",
                              "--backend",
                              "reference"};
    const Json found = stats(frames);
    EXPECT_EQ(found.at("frames"), 2);
    EXPECT_EQ(found.at("samples_total"), 2 * 32 * 24 * 4);
    EXPECT_EQ(found.at("output_bytes"), fs::file_size(path("f0.png")) + fs::file_size(path("f1.png")));
    const Json again = stats(frames);
    EXPECT_EQ(again.at("frames"), 0);
    EXPECT_EQ(again.at("samples_total"), 0);
    EXPECT_EQ(again.at("backend"), "reference");
}

TEST_F(StatsTest, OfAPictureThatCannotBeWritten) {
    scene_ = shadedScene();          // without noise, a picture takes no more
    const FileSizeLimit limit(6000); // the figures take half of it
    for (const char* const devices : {"0", "0,0"}) {
        const Json found = statsOfFailure(
            kCannotWrite, {"-o", path("a.exr"), "--size", "256x192", "--spp", "8", "--allow-cpu", "--device", devices});
        EXPECT_NE(found.at("failure").get<std::string>().find("a.exr: cannot be written"), std::string::npos);
        EXPECT_GT(found.at("rays"), 0);
        EXPECT_GT(found.at("seconds").at("render"), 0.0);
        EXPECT_GT(found.at("voxels"), 0);
        std::uint64_t samples = 0;
        for (const Json& device : found.at("devices")) {
            samples += device.at("samples").get<std::uint64_t>();
        }
        EXPECT_EQ(samples, 8U);
    }
}

TEST_F(StatsTest, OfDevicesThatFail) {
    const Arguments options = {"-o", path("a.exr"), "--spp", "1000000", "--allow-cpu", "--device", "0"};
    Json found = statsOfFailure(kNoDevice, options, withFaults("lost:0:60"));
    EXPECT_NE(found.at("failure").get<std::string>().find("lost"), std::string::npos);
    EXPECT_GT(found.at("rays"), 0);
    EXPECT_GT(found.at("devices").at(0).at("samples"), 0);
    EXPECT_EQ(found.at("devices").at(0).at("failure"), found.at("failure"));
    found = statsOfFailure(kOutOfMemory, options, withFaults("memory:0:0"));
    EXPECT_EQ(found.at("rays"), 0);
    EXPECT_EQ(found.at("devices").size(), 1U);
    Arguments two = options;
    two.back() = "0,0";
    found = statsOfFailure(kNoDevice, two, withFaults("lost:0:60,lost:1:80"));
    for (const Json& device : found.at("devices")) {
        EXPECT_TRUE(device.at("failure").is_string());
    }
}

TEST_F(StatsTest, OfADeviceThatIsNotThere) {
    const Json found = statsOfFailure(kNoDevice, {"-o", path("a.exr"), "--device", "no such device"});
    EXPECT_TRUE(found.at("device").is_null());
    EXPECT_TRUE(found.at("driver").is_null());
    EXPECT_EQ(found.at("width"), 32);
    EXPECT_EQ(found.at("height"), 24);
    EXPECT_EQ(found.at("seed"), 1);
    EXPECT_EQ(found.at("scene_hash").get<std::string>().size(), 16U);
}

TEST_F(StatsTest, OfASceneThatIsBad) {
    const Json found =
        statsOfFailure(kBadInput, {"-o", path("a.exr"), "--set", "/version=99", "--backend", "reference"});
    EXPECT_EQ(found.at("backend"), "reference");
    for (const char* const unknown : {"scene_hash", "device", "driver", "width", "height", "seed", "sample_ranges"}) {
        EXPECT_TRUE(found.at(unknown).is_null()) << unknown;
    }
}

TEST_F(StatsTest, ThatCannotBeWrittenAreNoFailureOfTheirOwn) {
    const FileSizeLimit limit(1500);
    const Outcome outcome = expectFailure(kCannotWrite, command({"-o", path("a.exr"), "--spp", "8", "--size", "64x48"}),
                                          {"warning: ", "stats.json: cannot be"});
    EXPECT_NE(outcome.err.find("aureole: error: " + path("a.exr") + ": cannot be"), std::string::npos) << outcome.err;
}

/// All work counts for the devices, that on a frame that is not written too.
TEST_F(StatsTest, OfFramesThatAreInterrupted) {
    const pid_t process = start(
        command({"--set", R"(/animation={"camera": "front", "turntable": {"frames": 4}})", "--frames", "0:2", "-o",
                 path("f#.png"), "--spp", "100000000", "--allow-cpu", "--device", "0,0", "--progress", "json"}));
    ASSERT_TRUE(waitForError(process, R"("stage":"render")")) << errorsSoFar();
    ::kill(process, SIGINT);
    EXPECT_EQ(finish(process).code, kInterrupted);
    const Json found = written();
    EXPECT_EQ(found.at("exit_code"), kInterrupted);
    EXPECT_EQ(found.at("interrupted"), true);
    EXPECT_EQ(found.at("frames"), 0);
    EXPECT_EQ(found.at("samples"), 0);
    const Json& devices = found.at("devices");
    EXPECT_GT(devices.at(0).at("samples").get<int>() + devices.at(1).at("samples").get<int>(), 0);
    EXPECT_EQ(devices.at(0).at("rays").get<std::uint64_t>() + devices.at(1).at("rays").get<std::uint64_t>(),
              found.at("rays").get<std::uint64_t>());
}

} // namespace

} // namespace aureole
