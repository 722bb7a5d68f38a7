// Files from strangers: what they may not do, and the options that say how they are read.

#include <fstream>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "cli_test.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

constexpr const char* kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// An X file that is nested deeper than the stack of its reader.
std::string deepFile() {
    std::string text = "xof 0303txt 0032\n";
    for (int i = 0; i < 1'000'000; ++i) {
        text += "Frame a {";
    }
    return text;
}

class AssetTest : public CliTest {
protected:
    /// A scene of some assets, which are file names; each is placed once.
    std::string sceneOf(const std::vector<std::string>& files) const {
        std::string assets;
        std::string instances;
        for (std::size_t i = 0; i < files.size(); ++i) {
            const std::string comma = i == 0 ? "" : ",\n    ";
            assets += comma + "\"a" + std::to_string(i) + R"(": {"file": ")" + files[i] + "\"}";
            instances += comma + "\"i" + std::to_string(i) + R"(": {"asset": "a)" + std::to_string(i) + "\"}";
        }
        return write("scene.json", "{\n  \"version\": 1,\n  \"assets\": {\n    " + assets + "},\n  \"instances\": {" +
                                       instances + R"(},
  "cameras": {"front": {"position": [0, 0, 3], "target": [0, 0, 0]}},
  "environment": {"type": "constant", "radiance": 1},
  "film": {"size": [32, 24]},
  "voxels": {"resolution": 16}
})");
    }

    std::string image() const {
        Image picture = makeImage(8, 8, {"R", "G", "B"});
        picture.channels[1].values[5] = 2.0F;
        writeExr(path("in.exr"), picture);
        return path("in.exr");
    }
};

TEST_F(AssetTest, TheDeathOfAReaderIsAnErrorOfItsAsset) {
    write("deep.x", deepFile());
    write("good.obj", kTriangle);
    // The others are read and told of all the same.
    const std::string scene = sceneOf({"deep.x", "good.obj", "gone.obj"});
    expectFailure(
        kBadInput, {"render", scene, "-o", path("out.exr")},
        {"scene.json:4: /assets/a0/file: ", "deep.x: its reader ", "scene.json:6: /assets/a2/file", "gone.obj"});
    EXPECT_FALSE(fs::exists(path("out.exr")));
    expectFailure(kBadInput, {"render", path("deep.x"), "-o", path("out.exr")}, {"deep.x: its reader "});
    expectFailure(kBadInput, {"validate", scene}, {"deep.x: its reader "});
}

TEST_F(AssetTest, LimitsAreThoseGiven) {
    write("counts.dae", R"(<COLLADA version="1.4.1"><library_geometries><geometry id="g"><mesh><source id="s">)"
                        R"(<float_array id="a" count="1000000000">0</float_array></source></mesh></geometry>)"
                        R"(</library_geometries></COLLADA>)");
#ifndef __SANITIZE_ADDRESS__ // whose shadow takes more addresses than any limit has
    expectFailure(kBadInput, {"render", path("counts.dae"), "-o", path("out.exr"), "--asset-memory", "200M"},
                  {"counts.dae", "more than 200 MiB of memory, the most that --asset-memory allows"});
#endif
    write("good.obj", kTriangle);
    expectFailure(kBadInput, {"render", path("good.obj"), "-o", path("out.exr"), "--asset-time", "0.0001s"},
                  {"good.obj", "longer than 0.0001 s, the most that --asset-time allows"});
    write("many.obj", std::string("mtllib a.mtl\nmtllib b.mtl\nmtllib c.mtl\n") + kTriangle);
    for (const char* name : {"a.mtl", "b.mtl", "c.mtl"}) {
        write(name, "newmtl plain\nKd 1 0 0\n");
    }
    const Arguments command = {"voxelize", path("many.obj"), "-o", path("out.avo"), "--resolution", "16"};
    Arguments limited = command;
    limited.insert(limited.end(), {"--asset-files", "2"});
#ifndef __SANITIZE_ADDRESS__ // whose checks of types need a file of their own
    expectFailure(kBadInput, limited, {"many.obj", "more than 2 files that belong to it", "--asset-files"});
#endif
    limited.back() = "3";
    expectDone(limited);
}

/// A MagicaVoxel file of 128^3 cells, 2 MiB of them, of which one is solid.
std::string voxFile() {
    const auto number = [](std::uint32_t value) {
        return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    const std::string size = "SIZE" + number(12) + number(0) + number(128) + number(128) + number(128);
    const std::string cells = "XYZI" + number(8) + number(0) + number(1) + std::string("\x01\x01\x01\x01", 4);
    const auto children = static_cast<std::uint32_t>(size.size() + cells.size());
    return "VOX " + number(150) + "MAIN" + number(0) + number(children) + size + cells;
}

/// A scene of `count` instances; "#" in texts is the number of each.
std::string repeated(const std::string& assets, const std::string& instance, int count) {
    std::string text = R"({ "version": 1, "materials": { "red": { "albedo": [1, 0, 0] } },
  "assets": {)" + assets +
                       "},\n  \"instances\": {";
    for (int i = 0; i < count; ++i) {
        text += (i == 0 ? "\n\"i" : ",\n\"i") + std::to_string(i) + "\": " + instance;
    }
    return text + R"(},
  "cameras": { "front": { "position": [0, 0, 3], "target": [0, 0, 0] } },
  "environment": { "type": "constant", "radiance": 1 }, "film": { "size": [16, 12] },
  "integrator": { "samplesPerPixel": 1 }, "voxels": { "resolution": 16 } })";
}

/// Scenes of some kilobytes that would take up to a hundred gigabytes, and some that are just small enough.
TEST_F(AssetTest, WhatASceneTakesHasALimitToo) {
    const auto arguments = [&](const std::string& text, const std::string& memory, const std::string& backend) {
        return Arguments{
            "render", write("scene.json", text), "-o", path("out.exr"), "--asset-memory", memory, "--backend", backend};
    };
    const auto refuse = [&](const std::string& text, const std::string& memory, const std::string& place) {
        fs::remove(path("out.exr"));
        for (const char* backend : {"gpu", "reference"}) {
            expectFailure(kBadInput, arguments(text, memory, backend),
                          {"scene.json:", place + ": found a scene that takes", "of memory", ", expected at most",
                           "which --asset-memory raises"});
        }
        expectFailure(kBadInput, {"validate", path("scene.json"), "--asset-memory", memory}, {place + ": found a"});
        EXPECT_FALSE(fs::exists(path("out.exr")));
    };
    // In the order of names, 35 MiB each: s0, s1, s10, s100, s1000...
    const std::string finest = R"({"sphere": {"subdivisions": 8}})";
    std::string spheres = "\n\"s0\": " + finest;
    for (int i = 1; i < 3000; ++i) {
        spheres += ",\n\"s" + std::to_string(i) + "\": " + finest;
    }
    refuse(repeated(spheres, R"({"asset": "s0"})", 1), "100M", "/assets/s10/sphere");
    // 20 KiB of voxelisation each, and what instances are.
    const std::string ball = R"("ball": {"sphere": {"subdivisions": 3}})";
    const std::string placed = R"({"asset": "ball"})";
    refuse(repeated(ball, placed, 5000), "2M", "/instances/i1087");
    expectDone(arguments(repeated(ball, placed, 99), "2M", "gpu"));
    // Embree takes more.
    expectFailure(kBadInput, arguments(repeated(ball, placed, 99), "2M", "reference"),
                  {"scene.json: found a scene that takes", "expected at most 2 MiB, which --asset-memory raises"});
    expectDone(arguments(repeated(ball, placed, 99), "100M", "reference"));
    // 2 MiB a copy, and the model itself; its reader needs some hundred.
    write("cells.vox", voxFile());
    const std::string cells = R"("cells": {"file": "cells.vox"})";
    const std::string red = R"({"asset": "cells", "material": "red"})";
    refuse(repeated(cells, red, 4000), "200M", "/instances/i1086");
    const auto accept = [&](const std::string& text) {
        expectDone({"validate", write("scene.json", text), "--asset-memory", "200M"});
    };
    accept(repeated(cells, red, 98));
    accept(repeated(cells, R"({"asset": "cells"})", 4000));
}

TEST_F(AssetTest, OptionsOfHowAreChecked) {
    const std::string in = image();
    expectFailure(kUsage, {"info", in, "--asset-isolation", "stric"}, {"--asset-isolation", "'strict'"});
    expectFailure(kUsage, {"info", in, "--asset-memory", "much"}, {"--asset-memory", "'much'"});
    expectFailure(kUsage, {"info", in, "--asset-time", "0"}, {"--asset-time"});
    expectFailure(kUsage, {"info", in, "--asset-files", "-1"}, {"--asset-files"});
}

TEST_F(AssetTest, EveryCommandThatReadsSomeTakesThem) {
    const std::string in = image();
    write("good.obj", kTriangle);
    const std::string scene = sceneOf({"good.obj"});
    const std::string spec =
        write("spec.json", R"({"type": "reaction_diffusion", "size": [16, 16], "steps": 1, "seed": 1})");
    const std::vector<Arguments> commands = {
        {"convert", in, "-o", path("out.png")},
        {"compare", in, in, "--metric", "mse"},
        {"bloom", in, "-o", path("out.exr"), "--kernel-size", "8"},
        {"info", in},
        {"validate", scene},
        {"render", scene, "-o", path("a.exr"), "--samples", "0:1", "--backend", "reference"},
        {"merge", path("a.exr"), "-o", path("merged.exr")},
        {"voxelize", path("good.obj"), "-o", path("out.avo"), "--resolution", "16"},
        {"texture", spec, "-o", path("texture.png"), "--backend", "reference"},
        {"bench", "traverse", scene, "--resolution", "16", "--size", "8x8", "--repeats", "1", "--rays", "primary",
         "--strategy", "thread"},
        {"bench", "render", scene, "--size", "8x8", "--repeats", "1", "--spp", "8", "--reference", "8", "--strategy",
         "mis"},
        {"bench", "denoise", scene, "--size", "8x8", "--repeats", "1", "--spp", "8", "--reference", "8"}};
    for (Arguments command : commands) {
        command.insert(command.end(), {"--asset-isolation", "strict", "--asset-memory", "1G", "--asset-time", "60s",
                                       "--asset-files", "5"});
        expectDone(command);
    }
    for (const char* how : {"limits", "none"}) {
        expectDone({"info", in, "--asset-isolation", how});
        expectDone({"validate", scene, "--asset-isolation", how});
    }
}

TEST_F(AssetTest, ThePictureIsTheSameHoweverItWasRead) {
    write("good.obj", kTriangle);
    const std::string scene = sceneOf({"good.obj"});
    std::vector<Image> images;
    for (const char* how : {"strict", "none"}) {
        expectDone(
            {"render", scene, "-o", path("out.exr"), "--spp", "2", "--backend", "reference", "--asset-isolation", how});
        images.push_back(readExr(path("out.exr")));
    }
    EXPECT_EQ(largestDifference(images[0], images[1]), 0.0);
    EXPECT_EQ(images[0].attributes.at("aureole.scene_hash"), images[1].attributes.at("aureole.scene_hash"));
}

TEST_F(AssetTest, PathsStayInTheScenesFolder) {
    fs::create_directory(path("scene"));
    write("secret.obj", kTriangle);
    write("secret.bin", std::string(36, '\0'));
    fs::create_symlink("../secret.obj", path("scene/link.obj"));
    const auto refuse = [&](const std::string& asset, const std::vector<std::string>& fragments) {
        const std::string scene = sceneOf({asset});
        fs::rename(scene, path("scene/scene.json"));
        expectFailure(kBadInput, {"render", path("scene/scene.json"), "-o", path("out.exr")}, fragments);
    };
    refuse("../secret.obj", {"leaves the scene folder"});
    refuse("link.obj", {"leaves the scene folder"});
    refuse("/etc/passwd", {"absolute path '/etc/passwd'"});
    refuse("https://example.org/a.obj", {"the URL 'https://example.org/a.obj'"});
    refuse("file:///etc/passwd", {"the URL 'file:///etc/passwd'"});
    refuse("data:model/obj;base64,AAAA", {"the URL 'data:model/obj;base64,AAAA'"});
    // What a model refers to is asked of the program by its reader.
    const auto refuseBuffer = [&](const std::string& uri, const std::vector<std::string>& fragments) {
        write("scene/m.gltf",
              R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": ")" + uri + "\"}]}");
        refuse("m.gltf", fragments);
    };
    fs::create_symlink("../secret.bin", path("scene/link.bin"));
    refuseBuffer("../secret.bin", {"m.gltf: /buffers/0/uri", "leaves the scene folder"});
    refuseBuffer("link.bin", {"leaves the scene folder"});
    refuseBuffer("/etc/passwd", {"absolute path"});
    refuseBuffer("http://localhost/a.bin", {"URL"});
    refuseBuffer("data:text/plain,abc", {"m.gltf: /buffers/0/uri"});
}

TEST_F(AssetTest, WhatIsNoFileIsNotWaitedFor) {
    ASSERT_EQ(::mkfifo(path("pipe.obj").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo(path("pipe.exr").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", path("zero.ply"));
    expectFailure(kBadInput, {"render", path("pipe.obj"), "-o", path("out.exr")}, {"pipe.obj", "not a regular file"});
    expectFailure(kBadInput, {"render", sceneOf({"pipe.obj"}), "-o", path("out.exr")}, {"pipe.obj", "no regular file"});
    expectFailure(kBadInput, {"convert", path("pipe.exr"), "-o", path("out.exr")}, {"pipe.exr", "not a regular file"});
    expectFailure(kBadInput, {"render", sceneOf({"zero.ply"}), "-o", path("out.exr")}, {"leaves the scene folder"});
}

} // namespace

} // namespace aureole
