// What render refuses, what it does not, and that validate says the same.

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class RefusalsTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", boxScene());
    }

    Arguments render(const Arguments& options, const std::string& output = "a.exr") const {
        Arguments arguments = {"render", scene_, "-o", path(output), "--backend", "reference"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }

    std::string scene_;
};

/// A picture of one pixel, half box and half sky, that 65536 samples leave with far more noise than is asked for.
TEST_F(RefusalsTest, NoiseHasItsCapWithTimeToo) {
    const auto samples = [&](const Arguments& options) {
        Arguments arguments =
            render({"--size", "1x1", "--sampler", "independent", "--time", "20m", "--stats-json", path("stats.json")});
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return readJson(path("stats.json")).at("samples").get<int>();
    };
    EXPECT_EQ(samples({"--noise", "0.00001"}), 65536);
    EXPECT_EQ(samples({"--set", "/integrator/noise=0.00001", "--set", "/integrator/samplesPerPixel=null"}), 65536);
    EXPECT_EQ(samples({"--noise", "0.00001", "--spp", "96"}), 96);
    EXPECT_EQ(samples({"--set", "/integrator/noise=0.00001", "--set", "/integrator/samplesPerPixel=80"}), 80);
}

/// A camera that comes to stand on its target in frame 4 spoils that frame alone.
TEST_F(RefusalsTest, ABlindFrameIsAnErrorWhereItIsAskedFor) {
    const std::string path5 = R"({"camera": "front", "path": {"keys": [{"frame": 0, "position": [0, 0, 3],
        "target": [0, 0, 0]}, {"frame": 4, "position": [1, 1, 1], "target": [1, 1, 1]}]}})";
    const Arguments base = render({"--set", "/animation=" + path5, "--spp", "1"}, "f.#.exr");
    const auto frames = [&](const std::string& range) {
        Arguments arguments = base;
        arguments.insert(arguments.end(), {"--frames", range});
        return arguments;
    };
    expectDone(render({"--set", "/animation=" + path5, "--spp", "1"}));
    expectDone(frames("0:2"));
    EXPECT_TRUE(fs::exists(path("f.1.exr")));
    const std::string fault = "/animation/path/keys/1: found 'target' equal to 'position'";
    expectFailure(kBadInput, frames("3:5"), {fault, "frame 4"});
    EXPECT_FALSE(fs::exists(path("f.3.exr"))) << "the good frames before it would have cost time";
    expectFailure(kBadInput, {"validate", scene_, "--set", "/animation=" + path5}, {fault, "frame 4"});
}

/// Two triangles of a mesh "sheet", in a material.
std::string sheetScene(const std::string& material) {
    return R"({ "version": 1,
 "materials": { "grey": { "albedo": 0.5 }, "glass": { "model": "dielectric", "ior": 1.5 } },
 "assets": { "sheet": { "mesh": { "positions": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]], "triangles": [[0,1,2],[1,3,2]] } } },
 "instances": { "sheet": { "asset": "sheet", "material": ")" +
           material + R"(" } },
 "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
 "environment": { "type": "constant", "radiance": 1 }, "film": { "size": [8, 8] },
 "voxels": {
   "resolution": 16,
   "surface": "field" },
 "integrator": { "samplesPerPixel": 1 } })";
}

/// `validate` and `render` have the same to say of meshes that voxels of a field cannot show.
TEST_F(RefusalsTest, AFieldOfAnOpenMeshIsAnErrorWithItsPlace) {
    scene_ = write("open.json", sheetScene("grey"));
    const std::string fault = "/voxels/surface: found mesh 'sheet', which is not closed, with surface 'field'";
    const Arguments voxels = {"render", scene_, "-o", path("a.exr"), "--allow-cpu"};
    const Outcome said = expectFailure(kBadInput, {"validate", scene_}, {"open.json:9: " + fault});
    const Outcome refused = expectFailure(kBadInput, voxels, {fault});
    EXPECT_TRUE(refused.err.ends_with(said.err)) << refused.err; // after what it says of the device
    EXPECT_FALSE(fs::exists(path("a.exr")));
    expectDone(render({})); // of triangles themselves
    // An option takes the blame, or mends it.
    const std::string cubes =
        write("cubes.json",
              parseJson(sheetScene("grey")).patch(R"([{"op": "remove", "path": "/voxels/surface"}])"_json).dump());
    expectDone({"validate", cubes});
    expectFailure(kUsage, {"render", cubes, "-o", path("a.exr"), "--allow-cpu", "--surface", "field"},
                  {"--surface: found mesh 'sheet', which is not closed", "cubes.json"});
    expectFailure(kBadInput, {"validate", cubes, "--set", "/voxels/surface=field"}, {fault, "(set by --set)"});
    expectDone({"validate", scene_, "--set", "/voxels/surface=planes"});
}

TEST_F(RefusalsTest, ValidateWarnsOfOpenGlassAsRenderDoes) {
    scene_ = write("glass.json", sheetScene("glass"));
    const std::string open = "glass.json: mesh 'sheet' is of glass and not closed: ";
    for (const std::string surface : {"cubes", "planes"}) {
        const std::string set = "/voxels/surface=" + surface;
        const Outcome said = expectDone({"validate", scene_, "--set", set});
        const std::size_t at = said.err.find(open);
        ASSERT_NE(at, std::string::npos) << said.err;
        const std::string line = said.err.substr(at, said.err.find('\n', at) - at);
        const Outcome rendered =
            expectDone({"render", scene_, "-o", path("a.exr"), "--allow-cpu", "--no-cache", "--set", set});
        EXPECT_NE(rendered.err.find(line), std::string::npos) << rendered.err;
    }
    EXPECT_EQ(expectDone({"validate", write("box.json", boxScene())}).err, "");
}

TEST_F(RefusalsTest, AnErrorOfPlanesIsOneWithoutPlanes) {
    nlohmann::json scene = parseJson(boxScene());
    scene["voxels"]["error"] = 0.25; // the default as well
    scene_ = write("scene.json", scene.dump(1));
    const std::string fault = "/voxels/error: found 0.25 with surface 'cubes', expected it with surface 'planes' alone";
    const auto validate = [&](const std::string& set) { return Arguments{"validate", scene_, "--set", set}; };
    expectFailure(kBadInput, {"validate", scene_}, {"scene.json:", fault});
    expectFailure(kBadInput, render({"--spp", "1"}), {"scene.json:", fault});
    expectDone(validate("/voxels/error=null"));
    // Who chooses a surface need not mend the file's keys for another.
    for (const char* surface : {"planes", "field", "cubes"}) {
        expectDone(validate(std::string("/voxels/surface=") + surface));
    }
    expectDone(render({"--set", "/voxels/surface=planes", "--spp", "1"}));
    expectDone({"render", scene_, "-o", path("a.exr"), "--allow-cpu", "--spp", "1", "--surface", "planes"});
    expectDone({"voxelize", scene_, "-o", path("a.avo"), "--surface", "planes"});
    const std::string plain = write("plain.json", boxScene());
    expectFailure(kBadInput, {"validate", plain, "--set", "/voxels/error=0.3"}, {"found 0.3", "(set by --set)"});
    const Arguments command = {"render", plain, "-o", path("a.exr"), "--error", "0.3"};
    expectFailure(kUsage, command, {"--error: found 0.3 with surface 'cubes'", "/voxels/surface of ", "plain.json"});
}

TEST_F(RefusalsTest, AnOctreeTakesNoKeysForVoxelising) {
    expectDone({"voxelize", scene_, "-o", path("box.avo"), "--resolution", "16"});
    const auto sceneWith = [&](const std::string& voxels) {
        return write("octree.json", R"({ "version": 1, "assets": { "box": { "file": "box.avo" } },
 "instances": { "box": { "asset": "box" } },
 "cameras": { "main": { "position": [0, 0, 9], "target": [0, 0, 0] } },
 "environment": { "type": "constant", "radiance": 1 }, "film": { "size": [8, 8] },
 "integrator": { "samplesPerPixel": 1 },
 "voxels": {
)" + voxels + " } }");
    };
    for (const auto& [key, value] :
         {std::pair("resolution", "64"), std::pair("surface", "\"cubes\""), std::pair("error", "0.25")}) {
        const std::string file = sceneWith(std::string("\"") + key + "\": " + value);
        const std::string fault = std::string("octree.json:7: /voxels/") + key + ": found '" + key +
                                  "' with the octree box.avo, expected none: an octree has its " + key;
        const Outcome said = expectFailure(kBadInput, {"validate", file}, {fault});
        EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
        expectFailure(kBadInput, {"render", file, "-o", path("a.exr"), "--allow-cpu"}, {fault});
    }
    const std::string file = sceneWith(R"("normals": "face")");
    expectDone({"validate", file});
    expectDone({"render", file, "-o", path("a.exr"), "--allow-cpu"});
}

TEST_F(RefusalsTest, MergeSaysThatAWholePictureHasNoSums) {
    expectDone(render({"--samples", "0:2"}, "part.exr"));
    expectDone(render({"--spp", "2"}, "whole.exr"));
    const std::string fault =
        "whole.exr: found no sums (no channel moment.R), as in a picture rendered without --samples";
    expectFailure(kBadInput, {"merge", path("part.exr"), path("whole.exr"), "-o", path("m.exr")}, {fault});
    expectFailure(kBadInput, {"merge", path("whole.exr"), path("part.exr"), "-o", path("m.exr")}, {fault});
}

TEST_F(RefusalsTest, TheReferenceHasNoUseForVoxelsAndDevices) {
    const std::vector<Arguments> idle = {{"--device", "0"},      {"--allow-cpu"},        {"--surface", "planes"},
                                         {"--surface", "cubes"}, {"--resolution", "32"}, {"--no-cache"},
                                         {"--voxelizer", "cpu"}};
    for (const Arguments& options : idle) {
        expectFailure(kUsage, render(options), {options[0] + ": found it with --backend reference, expected it with "});
        EXPECT_FALSE(fs::exists(path("a.exr")));
    }
    // Bloom is the device's work.
    scene_ = write("bloom.json", bloomScene());
    expectDone(render({"--allow-cpu", "--spp", "1"}));
    expectFailure(kUsage, render({"--allow-cpu", "--no-bloom"}), {"--allow-cpu", "--backend reference"});
}

/// What has a meaning for PNG alone, of every command that has it.
TEST_F(RefusalsTest, AnExrTakesNoExposureAndNoToneMap) {
    for (const Arguments& options : {Arguments{"--tonemap", "aces"}, Arguments{"--exposure", "1"}}) {
        const std::string fault = options[0] + ": found it with " + path("a.exr") + ", expected it with a .png";
        Arguments rendering = render({"--spp", "1"});
        rendering.insert(rendering.end(), options.begin(), options.end());
        expectFailure(kUsage, rendering, {fault});
        EXPECT_FALSE(fs::exists(path("a.exr")));
        expectFailure(kUsage, {"convert", "in.png", "-o", path("a.exr"), options[0], options[1]}, {fault});
        rendering[3] = path("a.png");
        expectDone(rendering);
    }
    // What the scene has is for pictures of both kinds.
    const Outcome outcome = expectDone(render({"--spp", "1", "--set", "/film/exposure=1"}));
    EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
}

} // namespace

} // namespace aureole
