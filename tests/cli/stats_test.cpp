// What --stats-json writes is what its schema tells, key by key.

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "json_schema.h"

namespace aureole {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const JsonSchema& schema() {
    static const JsonSchema read{Json::parse(std::ifstream(AUREOLE_STATS_SCHEMA))};
    return read;
}

class StatsTest : public CliTest {
protected:
    /// The figures of a render, which fit the schema.
    Json stats(Arguments arguments) const {
        const std::string file = path("stats.json");
        arguments.insert(arguments.begin(), {"render", write("scene.json", boxScene())});
        arguments.insert(arguments.end(), {"--stats-json", file});
        expectDone(arguments);
        Json document = Json::parse(std::ifstream(file));
        EXPECT_EQ(schema().errors(document), std::vector<std::string>{}) << document.dump(1);
        return document;
    }
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

TEST_F(StatsTest, ReadmeListsEveryKey) {
    std::ifstream stream(AUREOLE_README);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::size_t begin = text.find("| keys | unit |");
    ASSERT_NE(begin, std::string::npos);
    const std::string table = text.substr(begin, text.find("\n\n", begin) - begin);
    std::istringstream lines(table);
    std::set<std::string> listed;
    const std::regex code("`([a-z_]+)`");
    for (std::string line; std::getline(lines, line);) {
        const std::string keys = line.substr(0, line.find('|', 1));
        for (std::sregex_iterator at(keys.begin(), keys.end(), code), end; at != end; ++at) {
            EXPECT_TRUE(listed.insert((*at)[1]).second) << (*at)[1] << " twice";
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

TEST_F(StatsTest, OfTheGpu) {
    const Json found = stats({"-o", path("a.png"), "--resolution", "16", "--allow-cpu"});
    EXPECT_EQ(found.at("schema"), 1);
    EXPECT_EQ(found.at("backend"), "gpu");
    EXPECT_EQ(found.at("samples_total"), 32 * 24 * 4);
    EXPECT_EQ(found.at("output_bytes"), fs::file_size(path("a.png")));
    EXPECT_NEAR(found.at("rays_per_second").get<double>() * found.at("seconds").at("render").get<double>(),
                found.at("rays").get<double>(), 1e-3);
    EXPECT_TRUE(found.at("triangles").is_null());
    double sum = 0.0;
    for (const auto& [stage, seconds] : found.at("seconds").items()) {
        sum += stage == "total" ? 0.0 : seconds.get<double>();
    }
    EXPECT_LE(sum, found.at("seconds").at("total").get<double>()) << "stages are apart";
}

TEST_F(StatsTest, OfTheReferenceWithNoise) {
    const Json found = stats({"-o", path("a.exr"), "--backend", "reference", "--noise", "0.05", "--spp", "64"});
    EXPECT_EQ(found.at("backend"), "reference");
    EXPECT_TRUE(found.at("voxels").is_null());
    EXPECT_TRUE(found.at("kernels").is_null());
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

} // namespace

} // namespace aureole
