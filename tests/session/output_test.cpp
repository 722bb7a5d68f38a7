#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_test.h"
#include "faults.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class OutputTest : public CliTest {};

TEST_F(OutputTest, IsCheckedBeforeAnyWork) {
    // The scene does not exist, so a complaint about the output came first.
    const std::string scene = path("none.json");
    expectFailure(kCannotWrite, {"render", scene, "-o", path("missing/out.exr")}, {"missing/out.exr", "no folder"});
    fs::create_directory(path("folder.exr"));
    expectFailure(kCannotWrite, {"render", scene, "-o", path("folder.exr")}, {"folder.exr", "is a folder"});
    expectFailure(kCannotWrite, {"render", scene, "-o", "/proc/out.png"}, {"/proc/out.png", "cannot be written"});
    std::string longName(300, 'x');
    longName += ".exr";
    expectFailure(kCannotWrite, {"render", scene, "-o", path(longName)}, {"too long"});
    expectFailure(kCannotWrite, {"render", scene, "-o", path("a.exr"), "--stats-json", path("missing/stats.json")},
                  {"missing/stats.json"});
}

/// Of two files that a command writes, or reads and writes, neither takes the other's place.
TEST_F(OutputTest, NeverTakesThePlaceOfAnotherFileOfTheCommand) {
    const std::string scene = write("scene.json", boxScene());
    const std::string out = path("out.exr");
    const std::string same = path("./out.exr");
    const auto refused = [&](const Arguments& arguments, const std::string& option) {
        expectFailure(kUsage, arguments, {option, "expected another file"});
    };
    refused({"render", scene, "-o", out, "--checkpoint", same, "--drop-checkpoint"}, "--checkpoint");
    refused({"render", scene, "-o", out, "--resume", same}, "--resume");
    refused({"render", scene, "-o", out, "--stats-json", scene}, "--stats-json");
    refused({"render", scene, "-o", out, "--stats-json", path("a"), "--checkpoint", path("a")}, "--checkpoint");
    refused({"compare", "a.exr", out, "--diff", same}, "--diff");
    refused({"merge", path("a.exr"), out, "-o", same}, "--output");
    refused({"bloom", path("a.exr"), "-o", out, "--kernel", same}, "--output");
    refused({"bloom", path("a.exr"), "-o", out, "--kernel", path("k.exr"), "--kernel-out", path("./k.exr")},
            "--kernel-out");
    for (const char* const option : {"--output", "--kernel-out"}) {
        refused({"bloom", path("a.exr"), option, same, "--kernel", "aperture", "--aperture-image", out}, option);
    }
    refused({"bloom", "--kernel", "aperture", "--aperture-image", out, "--kernel-out", same, "--kernel-size", "8"},
            "--kernel-out");
    refused({"bench", "render", scene, "--json", scene}, "--json");
    refused({"bench", "denoise", path("b.json"), scene, "--json", scene}, "--json");
    refused({"bench", "traverse", scene, "--json", path("./scene.json")}, "--json");
    expectFailure(kUsage, {"render", scene, "-o", path("f.#.png"), "--frames", "0:2", "--stats-json", path("f.1.png")},
                  {"--stats-json: found '", "expected a name that ends in .json"});
    EXPECT_FALSE(fs::exists(out));
}

/// Nor under another spelling of a name, while no such file is there.
TEST_F(OutputTest, NeverTakesThePlaceOfAFileThatIsYetToCome) {
    const std::string scene = write("scene.json", boxScene());
    const fs::path bare = fs::relative(path("new.exr")); // from the folder that the program starts in
    ASSERT_TRUE(bare.is_relative());
    const auto refused = [&](const std::string& output, const std::string& checkpoint) {
        expectFailure(kUsage, {"render", scene, "-o", output, "--checkpoint", checkpoint}, {"expected another file"});
    };
    refused(bare, path("new.exr"));
    refused(path("new.exr"), bare);
    refused("aureole-not-there.exr", "./aureole-not-there.exr");
    fs::create_symlink("new.exr", path("link.exr"));
    refused(path("link.exr"), path("new.exr"));
    refused("aureole-not-there.exr", fs::absolute("aureole-not-there.exr"));
    EXPECT_FALSE(fs::exists(path("new.exr")));
}

/// With the models in the cache as without.
TEST_F(OutputTest, NeverTakesThePlaceOfWhatTheSceneIsMadeOf) {
    write("quad.mtl", "newmtl grey\nKd 0.5 0.5 0.5\n");
    write("quad.obj", "mtllib quad.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl grey\nf 1 2 3\n");
    Image sky;
    sky.width = 2;
    sky.height = 1;
    for (const char* const channel : {"R", "G", "B"}) {
        sky.channels.push_back({channel, {1.0F, 1.0F}});
    }
    writeExr(path("sky.exr"), sky);
    writeExr(path("sky1.exr"), sky);
    const std::string scene = write("scene.json", R"({ "version": 1,
 "assets": { "quad": { "file": "quad.obj" } }, "instances": { "quad": { "asset": "quad" } },
 "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
 "environment": { "type": "image", "file": "sky1.exr" }, "film": { "size": [8, 8] },
 "voxels": { "resolution": 16 }, "integrator": { "samplesPerPixel": 1 } })");
    const auto content = [&](const std::string& name) {
        std::ifstream stream(path(name), std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(stream), {}};
    };
    const std::string model = content("quad.obj");
    const std::string materials = content("quad.mtl");
    const std::string image = content("sky1.exr");
    const auto refused = [&](Arguments options, const std::string& option) {
        options.insert(options.begin(), {"render", scene, "--allow-cpu"});
        expectFailure(kUsage, options, {option, "a file of the scene"});
    };
    const std::string out = path("a.exr");
    for (int run = 0; run < 2; ++run) {
        refused({"-o", out, "--checkpoint", path("quad.obj")}, "--checkpoint");
        refused({"-o", path("sky1.exr")}, "--output");
        refused({"-o", path("sky#.exr"), "--frames", "0:2", "--set",
                 R"(/animation={"camera": "main", "turntable": {"frames": 4}})"},
                "--output");
        EXPECT_FALSE(fs::exists(out));
        if (run == 0) {
            expectDone({"render", scene, "-o", path("done.exr"), "--allow-cpu"}); // fills the cache
        }
    }
    // A scene that fails to load cannot tell what it is made of.
    for (const char* const asset : {"quad.obj", "quad.mtl", "sky1.exr"}) {
        expectFailure(kUsage, {"render", scene, "-o", out, "--set", "/version=2", "--stats-json", path(asset)},
                      {"--stats-json: found '", "expected a name that ends in .json"});
    }
    // A picture that gets the bloom of a scene.
    const Arguments bloom = {"bloom", path("sky.exr"), "--scene", scene, "--set", "/bloom/kernel=airy"};
    for (const char* const option : {"--output", "--kernel-out"}) {
        Arguments arguments = bloom;
        arguments.insert(arguments.end(), {option, path("sky1.exr"), "--allow-cpu"});
        expectFailure(kUsage, arguments, {option, "a file of the scene"});
    }
    EXPECT_EQ(content("quad.obj"), model);
    EXPECT_EQ(content("quad.mtl"), materials);
    EXPECT_EQ(content("sky1.exr"), image);
}

/// The name of a model or a page slipped in for another is no place for figures.
TEST_F(OutputTest, OfABenchmarkHasTheExtensionOfItsKind) {
    const auto refused = [&](const Arguments& arguments, const std::string& extension) {
        expectFailure(kUsage, arguments, {arguments[2] + ": found '", "expected a name that ends in " + extension});
    };
    refused({"bench", "scan", "--json", path("x.obj")}, ".json");
    refused({"bench", "fft", "--json", path("x")}, ".json");
}

TEST_F(OutputTest, NeverReplacesADevice) {
    fs::create_symlink("/dev/full", path("full.exr"));
    expectFailure(kCannotWrite, {"render", path("none.json"), "-o", path("full.exr")}, {"full.exr", "no regular file"});
    EXPECT_TRUE(fs::is_symlink(path("full.exr")));
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

/// Files are renamed to their names, so that a stream can be none; the same holds for all options, and for inputs.
TEST_F(OutputTest, IsNoStandardStream) {
    const auto refused = [&](const std::string& option, const std::string& file, const Arguments& arguments) {
        expectFailure(kUsage, arguments, {option + ": found '" + file + "', expected the name of a file"});
    };
    const std::string scene = write("scene.json", boxScene());
    for (const std::string file : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
        refused("--stats-json", file, {"render", scene, "-o", path("a.exr"), "--stats-json", file});
        refused("--output", file, {"render", scene, "-o", file});
        refused("--checkpoint", file, {"render", scene, "-o", path("a.exr"), "--checkpoint", file});
        refused("--json", file, {"bench", "scan", "--json", file});
        refused("--diff", file, {"compare", "a.exr", "b.exr", "--diff", file});
        refused("--kernel", file, {"bloom", "a.exr", "-o", path("b.exr"), "--kernel", file});
        refused("PART", file, {"merge", "a.exr", file, "-o", path("b.exr")});
        refused("FILE", file, {"info", file});
    }
    EXPECT_FALSE(fs::exists("-"));
    expectFailure(kUsage, {"info", "-"}, {"./-"});
}

TEST_F(OutputTest, OfEveryCommandIsChecked) {
    const std::string out = path("missing/out.exr");
    expectFailure(kCannotWrite, {"merge", "a.exr", "-o", out}, {out});
    expectFailure(kCannotWrite, {"bloom", "a.exr", "-o", out}, {out});
    expectFailure(kCannotWrite, {"bloom", "a.exr", "-o", path("b.exr"), "--kernel-out", out}, {out});
    expectFailure(kCannotWrite, {"convert", "a.exr", "-o", out}, {out});
    expectFailure(kCannotWrite, {"compare", "a.exr", "b.exr", "--diff", out}, {out});
}

TEST_F(OutputTest, LeavesNothingBehindWhenTheSceneIsBad) {
    const std::string scene = write("scene.json", "{");
    expectFailure(3, {"render", scene, "-o", path("out.exr")}, {"scene.json"});
    for (const auto& entry : fs::directory_iterator(path(""))) {
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(name == "scene.json" || name == "stdout.txt" || name == "stderr.txt") << name;
    }
}

TEST_F(OutputTest, ToAFullStandardOutputIsAnError) {
    const std::string scene = write("scene.json", boxScene());
    const std::string picture = path("a.exr");
    expectDone({"render", scene, "-o", picture, "--spp", "1", "--size", "8x8", "--backend", "reference"});
    fs::remove(path("stdout.txt"));
    fs::create_symlink("/dev/full", path("stdout.txt"));
    const std::vector<Arguments> commands = {{"validate", scene},
                                             {"info", scene},
                                             {"info", picture, "--json"},
                                             {"devices"},
                                             {"devices", "--json"},
                                             {"compare", picture, picture},
                                             {"completion", "bash"},
                                             {"completion", "zsh"},
                                             {"completion", "fish"},
                                             {"bench", "fft", "--allow-cpu"},
                                             {"--help"},
                                             {"--version"},
                                             {"render", "--help"}};
    for (const Arguments& command : commands) {
        noteFault();
        expectFailure(kCannotWrite, command, {"standard output: cannot be written: No space left on device"});
    }
}

/// They would move the cursor, change colours or worse: names of files, texts of scenes and of pictures.
TEST_F(OutputTest, ControlCharactersDoNotReachTheTerminal) {
    const auto expectPlain = [](const std::string& text, const std::string& escaped) {
        EXPECT_NE(text.find(escaped), std::string::npos) << text;
        for (const char* const raw : {"\x1b", "\x07", "\x7f", "\xc2\x9b"}) {
            EXPECT_EQ(text.find(raw), std::string::npos) << text;
        }
    };
    expectPlain(expectFailure(kBadInput, {"info", path("\x1b[31mred.json")}, {}).err, R"(\x1b[31mred.json)");
    const std::string scene = write("a\x07.json", boxScene());
    expectPlain(expectDone({"validate", scene}).out, R"(a\x07.json: valid)");
    expectPlain(expectFailure(kBadInput, {"validate", scene, "--set", "/camera=\x7f\xc2\x9b\xc3\xa9"}, {}).err,
                "found '\\x7f\\x9b\xc3\xa9'");
    expectPlain(expectDone({"validate", scene, "--set", R"(/assets/u\x1b={"box":{}})"}).err, R"(\x1b)");
    Image picture = makeImage(1, 1, {"Y"});
    picture.attributes["note"] = "a\x1b]0;title\x07";
    writeExr(path("note.exr"), picture);
    expectPlain(expectDone({"info", path("note.exr")}).out, R"(a\x1b]0;title\x07)");
}

/// As in "aureole ... | head".
TEST_F(OutputTest, ToAPipeThatNobodyReadsEndsQuietly) {
    const std::string pipe = path("stdout.txt");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    noteFault();
    const pid_t process = start({"devices"}); // looks for them before it writes
    ::close(reader);
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, 128 + SIGPIPE) << outcome.err;
    EXPECT_EQ(outcome.err, "");
}

} // namespace

} // namespace aureole
