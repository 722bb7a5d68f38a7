#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "cli_test.h"

namespace aureole {

namespace {

class BenchRenderTest : public CliTest {
protected:
    /// The JSON of a run on a small picture of the box.
    nlohmann::json bench(const Arguments& more) const {
        const std::string file = path("render.json");
        Arguments arguments = {
            "bench", "render",     write("scene.json", boxScene()), "--size", "12x8", "--resolution", "16", "--json",
            file,    "--allow-cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectDone(arguments);
        return readJson(file);
    }
};

/// That a table of kernels has those of paths, with what is known of them on every device.
void expectKernels(const nlohmann::json& table) {
    EXPECT_EQ(table.at("title"), "Kernels, as the driver tells");
    std::map<std::string, nlohmann::json> kernels;
    for (const nlohmann::json& row : table.at("rows")) {
        EXPECT_TRUE(row.contains("occupancy")) << row.dump();
        EXPECT_GT(row.at("workgroup"), 0) << row.dump();
        kernels.emplace(row.at(""), row.at("bytes/vertex")); // those of scenes of several octrees come last
    }
    EXPECT_EQ(kernels.at("wave_begin"), 92);
    EXPECT_EQ(kernels.at("wave_trace"), 100);
    EXPECT_EQ(kernels.at("wave_shade"), 276);
    EXPECT_TRUE(kernels.at("wave_sum").is_null());
}

TEST_F(BenchRenderTest, ErrorsFallAsThoseOfIndependentSamples) {
    const nlohmann::json document = bench({"--spp", "64", "--reference", "512", "--repeats", "4", "--strategy",
                                           "uniform,mis", "--camera", "front", "--surface", "cubes"});
    EXPECT_EQ(document.at("benchmark"), "render");
    const nlohmann::json& errors = document.at("tables").at(0).at("rows");
    ASSERT_EQ(errors.size(), 2U * 4);
    for (std::size_t i = 0; i < errors.size(); ++i) {
        EXPECT_EQ(errors[i].at(""), i < 4 ? "uniform" : "mis");
        EXPECT_EQ(errors[i].at("samples"), 8 << (i % 4));
    }
    // Eight times the samples have an eighth of the error, up to its own noise and that of the reference.
    const double fall = errors[0].at("relmse").get<double>() / errors[3].at("relmse").get<double>();
    EXPECT_NEAR(std::log2(fall), 3.0, 0.5);
    const nlohmann::json& rates = document.at("tables").at(1).at("rows");
    ASSERT_EQ(rates.size(), 2U);
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const nlohmann::json& row = rates[i];
        const auto number = [&](const char* key) { return row.at(key).get<double>(); };
        EXPECT_EQ(row.at(""), errors[4 * i].at(""));
        EXPECT_EQ(row.at("relmse"), errors[4 * i + 3].at("relmse"));
        EXPECT_NEAR(number("Msamples/s") * number("ms") * 1e3, 12.0 * 8 * 64, 1e-3);
        EXPECT_NEAR(number("Mray/s") / number("Msamples/s"), number("rays/sample"), 1e-6);
        EXPECT_GE(number("rays/sample"), 1.0);
        EXPECT_LT(number("rays/sample"), 3.0) << "a convex box: a ray, one more, and one to the light";
        EXPECT_NEAR(number("efficiency") * number("relmse") * number("ms") / 1e3, 1.0, 1e-6);
        EXPECT_LE(number("quartile 1"), number("Msamples/s"));
        EXPECT_GE(number("quartile 3"), number("Msamples/s"));
    }
}

TEST_F(BenchRenderTest, EveryStrategyConvergesToOnePicture) {
    const nlohmann::json document = bench({"--spp", "32", "--reference", "128", "--repeats", "1"});
    const nlohmann::json& rates = document.at("tables").at(1).at("rows");
    ASSERT_EQ(rates.size(), 6U);
    for (const nlohmann::json& row : rates) {
        EXPECT_LT(row.at("relmse").get<double>(), 0.05) << row.dump();
    }
}

TEST_F(BenchRenderTest, ValuesOfTheSceneAreReplaced) {
    const nlohmann::json document = bench(
        {"--spp", "8", "--reference", "16", "--repeats", "1", "--strategy", "bsdf", "--set", "/integrator/maxDepth=1"});
    EXPECT_EQ(document.at("tables").at(1).at("rows").at(0).at("rays/sample"), 1.0) << "the camera's alone";
}

TEST_F(BenchRenderTest, TellsTheSpeedOfAllScenesOfAFolder) {
    std::filesystem::create_directory(path("scenes"));
    write("scenes/b.json", boxScene());
    std::string planes = boxScene();
    planes.replace(planes.find(R"("normals": "face")"), 17, R"("surface": "planes")");
    write("scenes/a.json", planes);
    nlohmann::json several = nlohmann::json::parse(boxScene());
    for (nlohmann::json& asset : several.at("assets")) {
        asset["voxels"] = {{"resolution", 16}};
    }
    write("scenes/several.json", several.dump());
    write("scenes/some.schema.json", "{}");
    write("scenes/README.md", "");
    const std::string file = path("all.json");
    expectDone({"bench", "render", "--all", path("scenes"), "--allow-cpu", "--repeats", "1", "--size", "24x16",
                "--resolution", "40", "--json", file});
    const nlohmann::json document = readJson(file);
    const nlohmann::json& rows = document.at("tables").at(0).at("rows");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].at(""), "a");
    EXPECT_EQ(rows[0].at("surface"), "planes");
    EXPECT_EQ(rows[1].at(""), "b");
    EXPECT_EQ(rows[1].at("surface"), "cubes");
    EXPECT_EQ(rows[2].at(""), "several");
    for (const nlohmann::json& row : rows) {
        const auto number = [&](const char* key) { return row.at(key).get<double>(); };
        EXPECT_NEAR(number("Mray/s") / number("Msamples/s"), number("rays/sample"), 1e-6);
        if (row.at("") == "several") { // the benchmark traces its rays through one octree
            EXPECT_TRUE(row.at("of bounce1").is_null());
            EXPECT_TRUE(row.at("bounce1 Mray/s").is_null());
        } else {
            EXPECT_NEAR(number("of bounce1") * number("bounce1 Mray/s"), number("Mray/s"), 1e-6);
        }
    }
    expectKernels(document.at("tables").at(1));
}

TEST_F(BenchRenderTest, WrongOptionsAreNamed) {
    const std::string scene = write("scene.json", boxScene());
    expectFailure(kUsage, {"bench", "render", scene, "--all", path("."), "--allow-cpu"}, {"--all", "SCENE"});
    expectFailure(kUsage, {"bench", "render", "--all", path("."), "--strategy", "mis"}, {"--all", "--strategy"});
    expectFailure(kBadInput, {"bench", "render", "--all", path("nowhere")}, {"--all", "nowhere"});
    std::filesystem::create_directory(path("empty"));
    expectFailure(kBadInput, {"bench", "render", "--all", path("empty")}, {"--all", "empty", "no scene"});
    const auto refused = [&](Arguments more, const std::vector<std::string>& fragments) {
        more.insert(more.begin(), {"bench", "render", scene, "--allow-cpu"});
        expectFailure(kUsage, more, fragments);
    };
    refused({"--spp", "48"}, {"--spp", "48", "power of two"});
    refused({"--spp", "4"}, {"--spp", "4", "8"});
    refused({"--reference", "100"}, {"--reference", "100", "power of two"});
    refused({"--strategy", "mis,nee"}, {"--strategy", "'nee'", "lights"});
    refused({"--spp", "1048576", "--repeats", "5000"}, {"--repeats", "5000", "1048576"});
    expectFailure(kUsage, {"bench", "render", "--allow-cpu"}, {"SCENE"});
    expectFailure(kBadInput, {"bench", "render", path("none.json"), "--allow-cpu"}, {"none.json"});
    expectFailure(kCannotWrite, {"bench", "render", scene, "--json", path("none/r.json")}, {"none"});
}

} // namespace

} // namespace aureole
