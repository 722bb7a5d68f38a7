#include <sstream>

#include <nlohmann/json.hpp>

#include "cli_test.h"

namespace aureole {

namespace {

class ProgressTest : public CliTest {
protected:
    /// The lines of stderr, each of which must be a JSON object.
    static std::vector<nlohmann::json> objects(const Outcome& outcome) {
        std::vector<nlohmann::json> found;
        std::istringstream lines(outcome.err);
        for (std::string line; std::getline(lines, line);) {
            const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
            EXPECT_TRUE(object.is_object()) << line;
            found.push_back(object);
        }
        return found;
    }
};

TEST_F(ProgressTest, WithJsonEveryLineIsAnObject) {
    const std::string scene = write("scene.json", boxScene());
    const auto lines = objects(expectDone({"render", scene, "-o", path("a.exr"), "--spp", "8", "--size", "16x16",
                                           "--resolution", "16", "--allow-cpu", "--progress", "json"}));
    bool rendered = false;
    for (const nlohmann::json& line : lines) {
        ASSERT_TRUE(line.contains("stage") != line.contains("log")) << line;
        rendered = rendered || (line.contains("stage") && line.at("stage") == "render" && line.at("eta") == 0.0);
    }
    EXPECT_TRUE(rendered);
}

TEST_F(ProgressTest, WithJsonTheErrorIsAnObjectToo) {
    const std::string name = "no \"such\"\n.json";
    const Outcome outcome = run({"render", path(name), "-o", path("a.exr"), "--progress", "json"});
    EXPECT_EQ(outcome.code, kBadInput);
    const auto lines = objects(outcome);
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines.back().at("log"), "error");
    EXPECT_NE(lines.back().at("message").get<std::string>().find(name), std::string::npos) << lines.back();
}

} // namespace

} // namespace aureole
