#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "faults.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class CacheTest : public CliTest {
protected:
    /// A model that no run of this program rendered before.
    std::string model(const std::string& more = "") const {
        static int made = 0;
        const std::string width = std::to_string(2.0 + 0.001 * ++made);
        write("m.mtl", "newmtl red\nKd 1 0 0\n");
        return write("m.obj", "mtllib m.mtl\nusemtl red\nv 0 0 0\nv " + width +
                                  " 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n" + more);
    }

    struct Render { // NOLINT(bugprone-exception-escape): what json asserts when it is moved
        bool cached = false;
        std::string log;
        nlohmann::json stats;
        Image image;
    };
    Render render(const std::string& scene, const Arguments& more = {}) const {
        Arguments arguments = {
            "render", scene,   "-o", path("out.exr"), "--allow-cpu",          "--stats-json", path("s.json"), "--size",
            "16x12",  "--spp", "2",  "--set",         "/voxels/resolution=64"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        Render result;
        result.log = expectDone(arguments).err;
        std::ifstream(path("s.json")) >> result.stats;
        result.cached = result.stats["octree_cached"].get<bool>();
        result.image = readExr(path("out.exr"));
        EXPECT_EQ(result.log.find("from the cache") != std::string::npos, result.cached) << result.log;
        return result;
    }

    /// Starts a render whose octree takes a while; `i` names its files.
    pid_t startSlow(const std::string& scene, int i) const {
        const std::string name = path(std::to_string(i));
        return start({"render", scene, "-o", name + ".exr", "--allow-cpu", "--size", "8x6", "--spp", "1", "--set",
                      "/voxels/resolution=1024", "--stats-json", name + ".json"});
    }
    bool wasCached(int i) const {
        nlohmann::json stats;
        std::ifstream(path(std::to_string(i) + ".json")) >> stats;
        return stats.at("octree_cached").get<bool>();
    }
    static bool isLocked() {
        return fs::exists(octrees()) &&
               std::any_of(fs::directory_iterator(octrees()), {},
                           [](const fs::directory_entry& entry) { return entry.path().extension() == ".lock"; });
    }

    static fs::path octrees() { return cacheHome() / "aureole" / "octrees"; }
    static std::size_t entries() {
        return fs::exists(octrees()) ? static_cast<std::size_t>(std::distance(fs::directory_iterator(octrees()), {}))
                                     : 0;
    }
};

TEST_F(CacheTest, ASecondRenderTakesTheOctreeOfTheFirst) {
    const std::string file = model();
    const Render first = render(file);
    EXPECT_FALSE(first.cached);
    const Render second = render(file);
    EXPECT_TRUE(second.cached);
    EXPECT_EQ(largestDifference(first.image, second.image), 0.0);
    for (const char* const same : {"scene_hash", "voxels", "octree_bytes", "rays"}) {
        EXPECT_EQ(first.stats[same], second.stats[same]) << same;
    }
}

/// Lamps are made beside the first upload, and come into the file with the rest.
TEST_F(CacheTest, ASecondRenderTakesTheLampsOfTheFirst) {
    model();
    const std::string scene = write("lamp.json", R"({
        "version": 1,
        "materials": {"lamp": {"albedo": 0.2, "emission": [3, 2, 1]}},
        "assets": {"m": {"file": "m.obj"}},
        "instances": {"m": {"asset": "m", "material": "lamp"}, "n": {"asset": "m", "translate": [0, 1.5, 0]}},
        "cameras": {"front": {"position": [1, 1, 4], "target": [0.5, 1, 0]}},
        "environment": {"type": "constant", "radiance": 0}})");
    const Render first = render(scene);
    const Render second = render(scene);
    EXPECT_FALSE(first.cached);
    EXPECT_TRUE(second.cached);
    EXPECT_EQ(largestDifference(first.image, second.image), 0.0);
    EXPECT_EQ(first.stats["octree_bytes"], second.stats["octree_bytes"]);
    const Render none = render(scene, {"--no-cache"});
    EXPECT_EQ(largestDifference(first.image, none.image), 0.0);
    EXPECT_EQ(first.stats["octree_bytes"], none.stats["octree_bytes"]);
}

/// Whether a camera is in glass, only the mesh tells, which is not read where the cache has its octree and outline.
TEST_F(CacheTest, ACameraInGlassStaysInIt) {
    model();
    const std::string scene = write("glass.json", R"({
        "version": 1,
        "materials": {"glass": {"model": "dielectric", "ior": 1.5, "absorption": [2, 1, 0.5]}},
        "assets": {"m": {"file": "m.obj"}},
        "instances": {"m": {"asset": "m", "material": "glass"}},
        "cameras": {"within": {"position": [0.2, 0.2, 0.2], "target": [0, 0, 0]}},
        "environment": {"type": "constant", "radiance": 1}})");
    const Render first = render(scene);
    const Render second = render(scene);
    EXPECT_TRUE(second.cached);
    EXPECT_EQ(largestDifference(first.image, second.image), 0.0);
}

TEST_F(CacheTest, WhatChangesNoVoxelMissesNothing) {
    const std::string file = model();
    render(file);
    const Render other =
        render(file, {"--seed", "7", "--set", "/film/exposure=1", "--max-depth", "2", "--set",
                      "/cameras/framed/verticalFov=20", "--set", R"(/environment={"type":"constant","radiance":3})"});
    EXPECT_TRUE(other.cached);
    EXPECT_EQ(
        largestDifference(other.image, render(file, {"--seed", "7", "--set", "/film/exposure=1", "--max-depth", "2",
                                                     "--set", "/cameras/framed/verticalFov=20", "--set",
                                                     R"(/environment={"type":"constant","radiance":3})", "--no-cache"})
                                           .image),
        0.0);
    fs::create_directory(path("elsewhere"));
    for (const char* const part : {"m.obj", "m.mtl"}) {
        fs::copy_file(path(part), path("elsewhere") + "/" + part);
    }
    EXPECT_TRUE(render(path("elsewhere") + "/m.obj").cached);
}

TEST_F(CacheTest, WhatChangesVoxelsMisses) {
    const std::string file = model();
    const Render red = render(file);
    EXPECT_FALSE(render(file, {"--resolution", "65"}).cached);
    EXPECT_FALSE(render(file, {"--set", "/instances/model/rotate=[0,10,0]"}).cached);
    EXPECT_FALSE(render(file, {"--set", "/materials/floor/albedo=0.35"}).cached);
    write("m.mtl", "newmtl red\nKd 0 1 0\n");
    const Render green = render(file);
    EXPECT_FALSE(green.cached);
    EXPECT_GT(largestDifference(red.image, green.image), 0.0);
    write("m.mtl", "newmtl red\nKd 1 0 0\n");
    const Render again = render(file);
    EXPECT_TRUE(again.cached);
    EXPECT_EQ(largestDifference(red.image, again.image), 0.0);
}

/// An octree from the cache has the same holes as when it was built.
TEST_F(CacheTest, OpenGlassIsWarnedOfEachTime) {
    const std::string file = model();
    const Arguments glass = {"--set", R"(/materials/glass={"model":"dielectric","ior":1.5})", "--set",
                             "/instances/floor/material=glass"};
    const auto warning = [](const std::string& log) {
        const std::size_t at = log.find("is of glass and not closed");
        const std::size_t line = log.rfind('\n', at) + 1;
        return at == std::string::npos ? "" : log.substr(line, log.find('\n', at) - line);
    };
    const Render first = render(file, glass);
    EXPECT_FALSE(first.cached);
    const Render second = render(file, glass);
    EXPECT_TRUE(second.cached);
    EXPECT_NE(warning(first.log), "") << first.log;
    EXPECT_EQ(warning(second.log), warning(first.log)) << second.log;
}

TEST_F(CacheTest, IsLeftAloneWhereItIsNotWanted) {
    const std::string file = model();
    const std::size_t before = entries();
    EXPECT_FALSE(render(file, {"--no-cache"}).cached);
    expectDone({"voxelize", file, "-o", path("m.avo"), "--resolution", "64"});
    expectDone({"render", path("m.avo"), "-o", path("out.exr"), "--allow-cpu", "--size", "16x12", "--spp", "1"});
    expectDone({"render", file, "-o", path("out.exr"), "--backend", "reference", "--size", "16x12", "--spp", "1"});
    EXPECT_EQ(entries(), before);
    EXPECT_FALSE(render(file).cached);
    EXPECT_EQ(entries(), before + 1);
    EXPECT_FALSE(render(file, {"--no-cache"}).cached);
}

/// The default holds then, for drivers too.
TEST_F(CacheTest, ARelativeFolderIsIgnored) {
    const std::string relative = "aureole-relative-cache";
    expectDone({"render", write("scene.json", boxScene()), "-o", path("a.exr"), "--spp", "1", "--allow-cpu"},
               {{"XDG_CACHE_HOME", relative}, {"HOME", path("home")}});
    EXPECT_FALSE(std::filesystem::exists(relative));
    EXPECT_TRUE(std::filesystem::exists(path("home/.cache/aureole")));
}

TEST_F(CacheTest, OfProcessesAtOnceOneBuilds) {
    const std::string file = model();
    std::vector<pid_t> processes;
    for (int i = 0; i < 4; ++i) {
        processes.push_back(startSlow(file, i));
    }
    int built = 0;
    for (int i = 0; i < 4; ++i) {
        ASSERT_EQ(finish(processes[static_cast<std::size_t>(i)]).code, 0);
        built += wasCached(i) ? 0 : 1;
        EXPECT_EQ(largestDifference(readExr(path("0.exr")), readExr(path(std::to_string(i) + ".exr"))), 0.0);
    }
    EXPECT_EQ(built, 1);
    EXPECT_FALSE(isLocked());
}

TEST_F(CacheTest, AKilledBuilderHoldsNobodyUp) {
    const std::string file = model();
    const pid_t builder = startSlow(file, 0);
    ASSERT_TRUE(waitUntil(builder, [&] { return isLocked(); })) << errorsSoFar();
    std::this_thread::sleep_for(20ms); // from the file to its lock
    ASSERT_EQ(::kill(builder, SIGSTOP), 0);
    const auto startWaiting = [&](int i) {
        const pid_t process = startSlow(file, i);
        EXPECT_TRUE(waitForError(process, "another process makes"));
        return process;
    };
    const std::array waiting = {startWaiting(1), startWaiting(2)};
    EXPECT_NE(errorsSoFar().find(".avo: waiting for it\n"), std::string::npos) << errorsSoFar();
    noteFault();
    ASSERT_EQ(::kill(builder, SIGKILL), 0);
    EXPECT_EQ(finish(builder).code, 128 + SIGKILL);
    for (const pid_t process : waiting) {
        EXPECT_EQ(finish(process).code, 0) << errorsSoFar();
    }
    EXPECT_NE(wasCached(1), wasCached(2));
    EXPECT_FALSE(isLocked());
}

TEST_F(CacheTest, DamageCostsALineAndTheTimeToVoxelise) {
    const std::string file = model();
    const Render first = render(file);
    for (const fs::directory_entry& entry : fs::directory_iterator(octrees())) {
        fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
    }
    noteFault();
    const Render damaged = render(file);
    EXPECT_FALSE(damaged.cached);
    EXPECT_NE(damaged.log.find("cut off"), std::string::npos) << damaged.log;
    EXPECT_EQ(largestDifference(first.image, damaged.image), 0.0);
    EXPECT_TRUE(render(file).cached);
    fs::remove_all(octrees());
    std::ofstream(octrees()) << "in the way";
    noteFault();
    const Render blocked = render(file);
    EXPECT_FALSE(blocked.cached);
    EXPECT_NE(blocked.log.find("not stored"), std::string::npos) << blocked.log;
    EXPECT_EQ(largestDifference(first.image, blocked.image), 0.0);
    fs::remove(octrees());
}

} // namespace

} // namespace aureole
