// What a scene's keys mean to the commands: `validate` and `render` refuse the same, and nothing is left out unsaid.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class SceneKeysTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", boxScene());
    }

    static Arguments with(const Arguments& command, const Arguments& options) {
        Arguments arguments = command;
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }
    Arguments render(const Arguments& options, const std::string& output = "a.exr") const {
        return with({"render", scene_, "-o", path(output), "--backend", "reference", "--spp", "1", "--no-bloom"},
                    options);
    }
    Arguments validate(const Arguments& options) const { return with({"validate", scene_}, options); }

    std::string scene_;
};

TEST_F(SceneKeysTest, ACameraCanBeChosenByTheCommandLineAlone) {
    nlohmann::json scene = parseJson(boxScene());
    scene.erase("camera");
    scene_ = write("scene.json", scene.dump());
    expectFailure(kUsage, render({}), {"scene.json", "found 2 cameras", "'camera'", "--camera", "'back', 'front'"});
    EXPECT_FALSE(fs::exists(path("a.exr")));
    expectDone(render({"--camera", "front"}));
    EXPECT_EQ(readExr(path("a.exr")).attributes.at("aureole.camera"), "front");
    const Outcome valid = expectDone(validate({}));
    EXPECT_NE(valid.out.find("valid; to render, --camera with 'back', 'front'"), std::string::npos) << valid.out;
    expectFailure(kUsage, render({"--camera", "fornt"}), {"did you mean 'front'"});
    // Frames have the camera of the animation, which has to be named as well.
    const Arguments unnamed = {"--set", R"(/animation={"turntable": {"frames": 2}})"};
    expectFailure(kBadInput, validate(unnamed), {"/animation", "'camera'", "'back', 'front'"});
    const Arguments named = {"--set", R"(/animation={"camera": "front", "turntable": {"frames": 2}})"};
    expectDone(render(with(named, {"--frames", "0:1"}), "a.#.exr"));
}

TEST_F(SceneKeysTest, TheGroupDefaultIsThatOfLightsWithoutOne) {
    expectDone(render({"--aov", "groups", "--set", "/environment/lightGroup=default"}));
    for (const Channel& channel : readExr(path("a.exr")).channels) {
        EXPECT_EQ(channel.name.find("default_"), std::string::npos) << channel.name;
    }
    EXPECT_NE(readExr(path("a.exr")).find("group.default.R"), nullptr);
}

TEST_F(SceneKeysTest, NoiseOfTheSceneIsNotCappedAtTheUsualSamples) {
    scene_ = write("scene.json", shadedScene()); // a box under a constant sky has no noise
    const auto samples = [&](const Arguments& options) {
        expectDone(with({"render", scene_, "-o", path("n.exr"), "--backend", "reference", "--stats-json",
                         path("stats.json"), "--size", "8x8"},
                        options));
        return readJson(path("stats.json")).at("samples").get<int>();
    };
    const Arguments noise = {"--set", "/integrator/noise=0.01", "--set", "/integrator/samplesPerPixel=null"};
    const int free = samples(noise);
    EXPECT_GT(free, 64);
    EXPECT_LT(free, 65536);
    EXPECT_EQ(samples({"--noise", "0.01"}), free) << "key and option ask for the same";
    EXPECT_EQ(samples(with(noise, {"--spp", "96"})), 96);
    EXPECT_EQ(samples({"--set", "/integrator/noise=0.01", "--set", "/integrator/samplesPerPixel=80"}), 80);
    EXPECT_EQ(samples(with(noise, {"--noise", "0"})), 64) << "no adaptive sampling: the usual number";
    // Which parts can be rendered of.
    expectDone(render({"--set", "/integrator/noise=0.1"}));
    const Arguments part = {"render", scene_,      "-o",        path("p.exr"), "--samples",
                            "0:2",    "--backend", "reference", "--set",       "/integrator/noise=0.1"};
    expectFailure(kUsage, part, {"--samples", "/integrator/noise is 0.1", "--noise 0"});
    expectDone(with(part, {"--noise", "0"}));
}

/// A scene with a value of a key; `render` and `validate` refuse it in the same words.
struct Conflict {
    const char* set;
    const char* set2;
    std::vector<std::string> fragments;
    const char* frames = nullptr; ///< that have to be asked for
};

TEST_F(SceneKeysTest, ValidateRefusesWhatRenderDoes) {
    const std::vector<Conflict> conflicts = {
        {"/integrator/sampler=independent",
         R"(/film/aovs=["normal", "halves"])",
         {"/film/aovs: found 'halves'", "'sobol'"}},
        {"/bloom={}", "/cameras/front/projection=equirectangular", {"/bloom: ", "equirectangular camera 'front'"}},
        {R"(/animation={"camera": "front", "path": {"keys": [{"frame": 0}, {"frame": 3, "position": [1, 1, 1],
            "target": [1, 1, 1]}]}})",
         "/integrator/seed=3",
         {"/animation/path/keys/1: found 'target' equal to 'position'", "frame 3"},
         "0:4"},
        {R"(/animation={"camera": "front", "path": {"interpolation": "linear", "keys": [{"frame": 0, "position": [0, 0, 1],
            "target": [0, 0, 0]}, {"frame": 2, "position": [0, 0, -1], "target": [0, 0, 0]}]}})",
         "/integrator/seed=3",
         {"/animation/path: found 'target' equal to 'position'", "frame 1"},
         "0:2"},
    };
    for (const Conflict& conflict : conflicts) {
        nlohmann::json scene = parseJson(boxScene());
        for (const std::string& text : {std::string(conflict.set), std::string(conflict.set2)}) {
            const std::size_t at = text.find('=');
            const std::string value = text.substr(at + 1);
            scene[nlohmann::json::json_pointer(text.substr(0, at))] =
                nlohmann::json::accept(value) ? parseJson(value) : nlohmann::json(value);
        }
        scene["cameras"]["front"].erase("verticalFov");
        scene_ = write("scene.json", scene.dump(1));
        std::vector<std::string> fragments = conflict.fragments;
        fragments.emplace_back("scene.json:"); // with a line
        const Outcome said = expectFailure(kBadInput, validate({}), fragments);
        EXPECT_EQ(said.err.find("scene.json: "), std::string::npos) << said.err;
        EXPECT_EQ(said.err.find("--noise"), std::string::npos) << "no such option was given: " << said.err;
        Arguments rendering = {"render", scene_, "-o", path("a.#.exr"), "--backend", "reference"};
        if (conflict.frames != nullptr) {
            rendering.insert(rendering.end(), {"--frames", conflict.frames});
        }
        const Outcome refused = expectFailure(kBadInput, rendering, fragments);
        EXPECT_EQ(refused.err, said.err);
        EXPECT_FALSE(fs::exists(path("a.#.exr")) || fs::exists(path("a.0.exr")));
    }
}

TEST_F(SceneKeysTest, ConflictsWithOptionsAreBadUsage) {
    const std::string halves = R"(/film/aovs=["halves"])";
    expectFailure(kUsage, render({"--aov", "halves", "--set", "/integrator/sampler=independent"}),
                  {"--aov: found 'halves'", "'sobol'", "/integrator/sampler of", "scene.json"});
    expectFailure(kUsage, render({"--sampler", "independent", "--set", halves}),
                  {"--sampler: found 'halves'", "/film/aovs of"});
    expectFailure(kUsage, render({"--aov", "halves", "--sampler", "independent"}),
                  {"--aov: found 'halves'", "--sampler of"});
    expectFailure(kBadInput, render({"--set", halves, "--set", "/integrator/sampler=independent"}),
                  {"/film/aovs: found 'halves'", "(set by --set)"});
    // An option may also mend the scene.
    expectDone(render({"--set", "/integrator/sampler=independent", "--set", halves, "--sampler", "sobol"}));
}

TEST_F(SceneKeysTest, LayersThatAPngDoesNotHaveAreNamed) {
    const Arguments layers = {"--set", R"(/film/aovs=["normal", "depth"])"};
    const Outcome outcome = expectDone(render(layers, "a.png"));
    EXPECT_NE(outcome.err.find("/film/aovs: found "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("a PNG has no layers"), std::string::npos) << outcome.err;
    EXPECT_EQ(expectDone(render(layers)).err.find("PNG"), std::string::npos);
    EXPECT_NE(readExr(path("a.exr")).find("N.X"), nullptr);
    expectFailure(kUsage, render({"--aov", "normal"}, "a.png"), {"--aov", "a PNG has no layers"});
}

TEST_F(SceneKeysTest, FlagsTakeNoValue) {
    for (const char* flag : {"--transparent", "--no-bloom", "--no-cache", "--skip-existing"}) {
        expectFailure(kUsage, {"render", scene_, "-o", path("a.exr"), std::string(flag) + "=no"},
                      {std::string(flag) + ": found a value after it, expected none", "aureole render --help"});
    }
    expectFailure(kUsage, {"voxelize", scene_, "-o", path("a.avo"), "--dag=0"}, {"--dag: found a value"});
    expectFailure(kUsage, {"devices", "--json=false"}, {"--json: found a value"});
}

TEST_F(SceneKeysTest, FramesAreCountedAsTheyAre) {
    const Arguments turntable = {"--set", R"(/animation={"camera": "front", "turntable": {"frames": 3}})", "--frames",
                                 "0:3", "--skip-existing"};
    writeExr(path("f.0.exr"), makeImage(1, 1, {"Y"}));
    const Outcome some = expectDone(render(turntable, "f.#.exr"));
    EXPECT_NE(some.err.find("written  2 frames, "), std::string::npos) << some.err;
    EXPECT_NE(some.err.find("(32x24), 1 was there already"), std::string::npos) << some.err;
    EXPECT_NE(some.err.find("render   1 samples per pixel"), std::string::npos) << some.err;
    const Outcome none = expectDone(with(render(turntable, "f.#.exr"), {"--stats-json", path("stats.json")}));
    EXPECT_NE(none.err.find("written  no frames, "), std::string::npos) << none.err;
    EXPECT_NE(none.err.find("3 were there already"), std::string::npos) << none.err;
    EXPECT_EQ(none.err.find("0x0"), std::string::npos) << none.err;
    EXPECT_EQ(none.err.find("render   "), std::string::npos) << none.err;
    const nlohmann::json stats = readJson(path("stats.json"));
    EXPECT_EQ(stats.at("frames"), 0);
    EXPECT_EQ(stats.at("frames_found"), 3);
    // Every key of the file is in the help.
    const std::string help = expectDone({"render", "--help"}).out;
    for (const auto& [key, unused] : stats.items()) {
        EXPECT_NE(help.find(key), std::string::npos) << key;
    }
    for (const auto& [key, unused] : stats.at("seconds").items()) {
        EXPECT_NE(help.find(key), std::string::npos) << key;
    }
    expectFailure(kUsage, render({"--skip-existing"}), {"--skip-existing: found it without --frames"});
}

TEST_F(SceneKeysTest, MergeNamesTheSettingAndBothFiles) {
    const auto part = [&](const std::string& output, const std::string& range, const Arguments& options) {
        expectDone(with({"render", scene_, "-o", path(output), "--samples", range, "--backend", "reference"}, options));
    };
    part("a.exr", "0:2", {});
    part("b.exr", "2:4", {"--sampling", "cosine"});
    part("c.exr", "1:3", {});
    EXPECT_EQ(readExr(path("a.exr")).attributes.at("aureole.sampling"), "bsdf");
    EXPECT_EQ(readExr(path("b.exr")).attributes.at("aureole.sampling"), "cosine");
    expectFailure(kBadInput, {"merge", path("a.exr"), path("b.exr"), "-o", path("m.exr")},
                  {"b.exr: found aureole.sampling 'cosine', expected 'bsdf' as in ", "a.exr"});
    expectFailure(kBadInput, {"merge", path("a.exr"), path("c.exr"), "-o", path("m.exr")},
                  {"c.exr: found samples 1:3", "0:2 of ", "a.exr"});
}

TEST_F(SceneKeysTest, AnInterruptInTheFirstFrameLeavesNone) {
    Arguments arguments = {"render",     scene_,
                           "-o",         path("f.#.exr"),
                           "--backend",  "reference",
                           "--spp",      "100000000",
                           "--progress", "json",
                           "--frames",   "0:3",
                           "--set",      R"(/animation={"camera": "front", "turntable": {"frames": 3}})"};
    const pid_t process = start(arguments);
    while (errorsSoFar().find(R"("stage":"render")") == std::string::npos) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ASSERT_EQ(::kill(process, SIGINT), 0);
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, 75) << outcome.err;
    EXPECT_NE(outcome.err.find("interrupted: no frame of 0:3 was finished, and none is written"), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("render   no whole frame in "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("written  no frames"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(path("f.0.exr")));
}

/// A box of glass, with or without its lid, beside a mirror.
std::string glassScene(bool closed) {
    std::string triangles = "[0,2,1],[1,2,3],[4,5,6],[5,7,6],[0,1,4],[1,5,4],[2,6,3],[3,6,7],[0,4,2],[2,4,6]";
    triangles += closed ? ",[1,3,5],[3,7,5]" : "";
    return R"({ "version": 1,
 "materials": { "glass": { "model": "dielectric", "ior": 1.25, "albedo": "#80ff40" },
                "silver": { "model": "mirror", "albedo": "#c0c0c0" } },
 "assets": { "cup": { "mesh": { "positions": [[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],[1,0,1],[0,1,1],[1,1,1]],
                                "triangles": [)" +
           triangles + R"(] } }, "block": { "box": { "max": [0.5, 1.5, 0.5] } } },
 "instances": { "cup": { "asset": "cup", "material": "glass" },
                "block": { "asset": "block", "material": "silver", "translate": [2, 0.5, 0.5] } },
 "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
 "environment": { "type": "constant", "radiance": 1 }, "film": { "size": [8, 8] },
 "voxels": { "resolution": 32 }, "integrator": { "samplesPerPixel": 1 } })";
}

TEST_F(SceneKeysTest, OpenGlassIsToldOfByEverySurface) {
    scene_ = write("open.json", glassScene(false));
    const std::string open = "mesh 'cup' is of glass and not closed";
    for (const char* surface : {"cubes", "planes"}) {
        const Outcome outcome = expectDone({"voxelize", scene_, "-o", path("a.avo"), "--surface", surface});
        EXPECT_NE(outcome.err.find(open), std::string::npos) << surface << outcome.err;
    }
    expectFailure(kBadInput, {"voxelize", scene_, "-o", path("a.avo"), "--surface", "field"}, {"is not closed"});
    const Outcome outcome = expectDone(render({}));
    EXPECT_NE(outcome.err.find(open), std::string::npos) << outcome.err;
    const std::string closed = write("closed.json", glassScene(true));
    for (const std::string& file : {scene_, closed}) {
        expectFailure(kUsage, {"voxelize", file, "-o", path("a.avo"), "--mode", "thin"},
                      {"mesh 'cup' of glass with mode 'thin'"});
    }
    for (const char* const command : {"render", "validate"}) {
        std::vector<std::string> arguments = {command, closed, "--set", "/voxels/mode=thin"};
        if (command == std::string("render")) {
            arguments.insert(arguments.end(), {"-o", path("a.exr"), "--allow-cpu"});
        }
        expectFailure(kBadInput, arguments, {"/voxels/mode", "found 'thin' with mesh 'cup' of glass"});
    }
    expectFailure(kBadInput,
                  {"voxelize", closed, "-o", path("a.avo"), "--set", "/voxels/mode=solid", "--surface", "planes"},
                  {"/voxels/mode", "found 'solid' with surface 'planes'"});
    scene_ = closed;
    EXPECT_EQ(expectDone(render({})).err.find("not closed"), std::string::npos);
    EXPECT_EQ(expectDone({"voxelize", closed, "-o", path("a.avo"), "--surface", "planes"}).err.find("not closed"),
              std::string::npos);
}

/// The materials in a .vox file, as "key=value" in the order of each MATL chunk's dictionary.
std::vector<std::string> materialsOf(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value); // .vox is little-endian, as all that this runs on
        return value;
    };
    std::vector<std::string> materials;
    for (std::size_t at = bytes.find("MATL"); at != std::string::npos; at = bytes.find("MATL", at + 4)) {
        std::string text = "id=" + std::to_string(number(at + 12)) + " ";
        std::size_t next = at + 20;
        for (std::uint32_t left = number(at + 16); left > 0; --left) {
            const std::string key = bytes.substr(next + 4, number(next));
            next += 4 + key.size();
            const std::string value = bytes.substr(next + 4, number(next));
            next += 4 + value.size();
            text += key + "=" + value + " ";
        }
        materials.push_back(text);
    }
    return materials;
}

/// How many cells of a .vox file have the palette index `colour`.
std::size_t cellsOf(const std::string& file, unsigned colour) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
    std::size_t count = 0;
    const std::size_t first = bytes.find("XYZI") + 16; // of a single model
    std::uint32_t cells = 0;
    std::memcpy(&cells, bytes.data() + first - 4, sizeof cells);
    for (std::size_t i = 0; i < cells; ++i) {
        count += static_cast<unsigned char>(bytes[first + 4 * i + 3]) == colour ? 1U : 0U;
    }
    return count;
}

/// Through our own reader and back: what it does not understand would not be there again.
TEST_F(SceneKeysTest, VoxKeepsGlassAndMirrors) {
    const std::string scene = write("glass.json", glassScene(true));
    expectDone({"voxelize", scene, "-o", path("m.avo"), "--resolution", "32"});
    expectDone({"export", path("m.avo"), "-o", path("m.vox")});
    const std::vector<std::string> written = materialsOf(path("m.vox"));
    ASSERT_EQ(written.size(), 2U);
    const auto has = [](const std::vector<std::string>& materials, const std::string& text) {
        return std::any_of(materials.begin(), materials.end(),
                           [&](const std::string& m) { return m.find(text) != std::string::npos; });
    };
    EXPECT_TRUE(has(written, "_type=_glass _trans=1 _rough=0 _ri=1.25 _ior=0.25"));
    EXPECT_TRUE(has(written, "_type=_metal _metal=1 _rough=0"));
    // Most surface is of the mirror, whose colour comes first; glass is glass all the way through all the same.
    const std::size_t glass = has({written[0]}, "_glass") ? 0 : 1;
    EXPECT_EQ(written[glass].substr(0, 5), "id=2 ");
    EXPECT_GT(cellsOf(path("m.vox"), 2), 12U * 12U * 12U);
    expectDone({"voxelize", path("m.vox"), "-o", path("again.avo"), "--resolution", "32"});
    expectDone({"export", path("again.avo"), "-o", path("again.vox")});
    const std::vector<std::string> again = materialsOf(path("again.vox"));
    for (const std::string& material : written) {
        EXPECT_TRUE(has(again, material.substr(material.find("_type")))) << material;
    }
    EXPECT_EQ(again.size(), written.size());
}

/// What glass takes of light in its depth, a cell of .vox has as its colour.
TEST_F(SceneKeysTest, VoxKeepsWhatGlassAbsorbs) {
    std::string text = glassScene(true);
    text.insert(text.find("\"ior\""), R"("absorption": [0, 2, 40], )");
    const std::string scene = write("tinted.json", text);
    const auto paletteOf = [](const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
        return bytes.substr(bytes.find("RGBA") + 12, 8);
    };
    expectDone({"voxelize", scene, "-o", path("m.avo"), "--resolution", "32"});
    expectDone({"export", path("m.avo"), "-o", path("m.vox")});
    const std::vector<std::string> written = materialsOf(path("m.vox"));
    const auto isTinted = [](const std::string& m) { return m.find("_media_type=_absorb _d=1") != std::string::npos; };
    EXPECT_EQ(std::count_if(written.begin(), written.end(), isTinted), 1);
    expectDone({"voxelize", path("m.vox"), "-o", path("again.avo"), "--resolution", "32"});
    expectDone({"export", path("again.avo"), "-o", path("again.vox")});
    const std::vector<std::string> again = materialsOf(path("again.vox"));
    EXPECT_EQ(std::count_if(again.begin(), again.end(), isTinted), 1);
    // Two colours, whichever comes first.
    const auto sorted = [&](const std::string& file) {
        const std::string bytes = paletteOf(file);
        return std::set<std::string>{bytes.substr(0, 4), bytes.substr(4, 4)};
    };
    EXPECT_EQ(sorted(path("m.vox")), sorted(path("again.vox")));
}

} // namespace

} // namespace aureole
