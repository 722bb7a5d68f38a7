#include <csignal>
#include <filesystem>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "full_sweep.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class ExportCommandTest : public CliTest {
protected:
    /// A tetrahedron, voxelised; a lamp on one side.
    std::string model(int resolution) const {
        write("corner.mtl", "newmtl grey\nKd 0.5 0.25 0.125\nnewmtl lamp\nKd 0.5 0.5 0.5\nKe 4 4 4\n");
        const std::string mesh = write("corner.obj", "mtllib corner.mtl\nv 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\n"
                                                     "usemtl grey\nf 1 3 2\nf 1 2 4\nf 1 4 3\nusemtl lamp\nf 2 3 4\n");
        expectDone({"voxelize", mesh, "-o", path("m.avo"), "--resolution", std::to_string(resolution)});
        return path("m.avo");
    }
};

TEST_F(ExportCommandTest, WritesFilesThatRead) {
    const std::string octree = model(64);
    const Outcome vox = expectDone({"export", octree, "-o", path("m.vox")});
    EXPECT_NE(vox.err.find("in 1 model"), std::string::npos) << vox.err;
    // Pictures of a model by itself are metered, and MagicaVoxel has nothing that says so.
    const Outcome look = expectDone({"export", octree, "-o", path("look.vox"), "--scene", path("corner.obj")});
    EXPECT_NE(look.err.find("corner.obj: found an exposure that is metered"), std::string::npos) << look.err;
    expectDone({"voxelize", path("m.vox"), "-o", path("again.avo"), "--resolution", "64"});
    // Cells of .vox without a free face are not voxelised; from then on nothing changes.
    EXPECT_LE(info(path("again.avo"))["voxels"], info(octree)["voxels"]);
    EXPECT_GT(info(path("again.avo"))["voxels"].get<double>(), 0.85 * info(octree)["voxels"].get<double>());
    expectDone({"export", path("again.avo"), "-o", path("again.vox")});
    expectDone({"voxelize", path("again.vox"), "-o", path("third.avo"), "--resolution", "64"});
    EXPECT_EQ(info(path("third.avo"))["voxels"], info(path("again.avo"))["voxels"]);
    EXPECT_GT(info(path("again.avo"))["emissions"], 0);
    // Lamps glow in the dark, whether the cells are rendered or voxelised first.
    for (const char* const file : {"m.vox", "again.avo"}) {
        expectDone({"render", path(file), "-o", path("lit.exr"), "--spp", "4", "--size", "24x24", "--allow-cpu",
                    "--set", R"(/environment={"type":"constant","radiance":0})"});
        const Image lit = readExr(path("lit.exr"));
        int glowing = 0;
        for (std::uint32_t i = 0; i < 24 * 24; ++i) {
            const float value = pixel(lit, i % 24, i / 24)[1];
            glowing += value > 3.8F && value < 5.5F ? 1 : 0;
        }
        EXPECT_GT(glowing, 5) << file;
    }

    constexpr int kFloor = 2; // the triangles that models are shown on
    const Outcome ply = expectDone({"export", octree, "-o", path("m.ply"), "--progress", "json"});
    const std::string faces = fmt::format(" {} faces", (info(path("m.ply"))["triangles"].get<int>() - kFloor) / 2);
    EXPECT_NE(ply.err.find(faces), std::string::npos) << ply.err << faces;
    expectDone({"export", octree, "-o", path("m.obj"), "--level", "2"});
    EXPECT_TRUE(fs::exists(path("m.mtl")));
    EXPECT_LT(info(path("m.obj"))["triangles"], info(path("m.ply"))["triangles"].get<int>() / 8);
}

TEST_F(ExportCommandTest, ErrorsNameWhatIsWrong) {
    const std::string octree = model(32);
    expectFailure(kUsage, {"export", octree, "-o", path("m.stl")}, {"m.stl", "'.stl'", ".vox, .ply, .obj or .vdb"});
    expectFailure(kUsage, {"export", octree, "-o", path("m.ply"), "--level", "6"}, {"--level", "6", "0 to 5"});
    expectFailure(kBadInput, {"export", path("corner.obj"), "-o", path("m.ply")}, {"corner.obj", ".avo", "voxelize"});
    expectFailure(kBadInput, {"export", path("none.avo"), "-o", path("m.ply")}, {"none.avo"});
    expectFailure(kCannotWrite, {"export", octree, "-o", path("none/m.ply")}, {"none/m.ply"});
    const std::string needle = write("needle.obj", "v 0 0 0\nv 100 0 0\nv 100 0.1 0\nf 1 2 3\n");
    expectDone({"voxelize", needle, "-o", path("needle.avo"), "--resolution", "4096"});
    expectFailure(kBadInput, {"export", path("needle.avo"), "-o", path("m.vox"), "--level", "1"},
                  {"2048 x", "2000 on each side", "--level 2 fits"});
    EXPECT_FALSE(fs::exists(path("m.vox")));
    expectDone({"export", path("needle.avo"), "-o", path("m.vox"), "--level", "2"});
}

TEST_F(ExportCommandTest, InterruptedLeavesNothing) {
    const pid_t process = start({"export", model(1600), "-o", path("m.obj"), "--progress", "json"});
    ASSERT_TRUE(waitForError(process, R"("stage":"writing")")) << errorsSoFar();
    EXPECT_EQ(::kill(process, SIGINT), 0);
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
    for (const fs::directory_entry& entry : fs::directory_iterator(path(""))) {
        EXPECT_FALSE(entry.path().filename().string().starts_with("m.obj") || entry.path().filename() == "m.mtl")
            << entry.path();
    }
}

/// Stripes one voxel wide, seen from above in a sky of radiance 1: a coarser level shows what they are together.
TEST_F(ExportCommandTest, RenderShowsALevelInTheMeanColour) {
    std::string mesh = "mtllib stripes.mtl\n";
    for (int i = 0; i <= 64; ++i) {
        mesh += fmt::format("v {} 0 0\nv {} 0 64\n", i, i);
    }
    for (int i = 0; i < 64; ++i) {
        const int v = 2 * i + 1;
        mesh += fmt::format("usemtl {}\nf {} {} {} {}\n", i % 2 == 0 ? "a" : "b", v, v + 1, v + 3, v + 2);
    }
    write("stripes.mtl", "newmtl a\nKd 0.9 0.1 0\nnewmtl b\nKd 0.1 0.5 0\nKe 0 0 1\n");
    expectDone({"voxelize", write("stripes.obj", mesh), "-o", path("m.avo"), "--resolution", "64"});
    const std::string scene = write(
        "scene.json", R"({"version":1,"assets":{"m":{"file":"m.avo"}},"instances":{"m":{"asset":"m"}},)"
                      R"("cameras":{"top":{"position":[32,40,32],"target":[32,0,32],"up":[0,0,-1],"verticalFov":40}},)"
                      R"("environment":{"type":"constant","radiance":1},"film":{"size":[24,24],"filter":"box"}})");
    const std::vector<const char*> some = {"0", "1", "4"};
    for (const char* const level : fullSweep() ? std::vector{"0", "1", "2", "3", "4"} : some) {
        expectDone({"render", scene, "-o", path("out.exr"), "--spp", "64", "--allow-cpu", "--set",
                    fmt::format("/instances/m/level={}", level)});
        const Image image = readExr(path("out.exr"));
        const std::vector<double> expected = {0.5, 0.3, 0.5}; // the means of both stripes
        for (std::size_t channel = 0; channel < 3; ++channel) {
            double sum = 0.0;
            for (std::uint32_t y = 0; y < 24; ++y) {
                for (std::uint32_t x = 0; x < 24; ++x) {
                    sum += double{pixel(image, x, y)[channel]};
                }
            }
            EXPECT_NEAR(sum / (24 * 24), expected[channel], 0.02) << "level " << level << " channel " << channel;
        }
    }
    expectDone({"render", path("m.avo"), "-o", path("out.exr"), "--level", "3", "--spp", "1", "--size", "16x16",
                "--allow-cpu", "--stats-json", path("stats.json")});
    EXPECT_EQ(readJson(path("stats.json")).at("voxels"), 8 * 8);
    expectFailure(kBadInput, {"render", path("m.avo"), "-o", path("out.exr"), "--level", "7", "--allow-cpu"},
                  {"/instances/model/level", "7", "0 to 6"});
    expectFailure(kUsage, {"render", scene, "-o", path("out.exr"), "--level", "1", "--allow-cpu"},
                  {"--level", "scene.json", "/instances/NAME/level=1"});
    expectFailure(kBadInput, {"validate", path("scene.json"), "--set", "/instances/m/level=7"}, {"level", "0 to 6"});
}

/// Levels of planes and fields are cubes, level 0 the surface itself; exports have the voxels.
TEST_F(ExportCommandTest, PlanesAndFieldsAreCubesAtCoarserLevels) {
    const std::string mesh =
        write("corner.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const auto rendered = [&](const std::string& octree, const std::string& level) {
        const Outcome outcome = expectDone({"render", octree, "-o", path("out.exr"), "--level", level, "--spp", "1",
                                            "--size", "16x16", "--allow-cpu", "--stats-json", path("stats.json")});
        nlohmann::json json = readJson(path("stats.json"));
        EXPECT_EQ(outcome.err.find(" cells,") != std::string::npos, !json["cells"].is_null()) << outcome.err;
        return json;
    };
    const auto make = [&](const std::string& surface) {
        std::string octree = path(surface + ".avo");
        expectDone({"voxelize", mesh, "-o", octree, "--resolution", "128", "--surface", surface});
        return octree;
    };
    const std::string cubes = make("cubes");
    const std::string planes = make("planes");
    const std::string field = make("field");
    EXPECT_EQ(rendered(planes, "0")["cells"], info(planes)["cells"]);
    EXPECT_EQ(rendered(field, "0")["octree_bytes"], info(field)["bytes"]);
    const std::vector<const char*> coarser = {"1", "4"};
    for (const char* const level : std::span(coarser).last(fullSweep() ? 2 : 1)) {
        const nlohmann::json expected = rendered(cubes, level);
        EXPECT_TRUE(expected["cells"].is_null());
        const nlohmann::json ofField = rendered(field, level);
        EXPECT_EQ(ofField["voxels"], expected["voxels"]) << level;
        EXPECT_EQ(ofField["octree_bytes"], expected["octree_bytes"]) << level;
        const nlohmann::json ofPlanes = rendered(planes, level);
        EXPECT_TRUE(ofPlanes["cells"].is_null());
        EXPECT_NEAR(ofPlanes["voxels"].get<double>(), expected["voxels"].get<double>(),
                    0.1 * expected["voxels"].get<double>())
            << level;
    }
    expectDone({"export", planes, "-o", path("planes.vox")});
    expectDone({"voxelize", path("planes.vox"), "-o", path("again.avo"), "--resolution", "128"});
    EXPECT_GT(info(path("again.avo"))["voxels"].get<double>(), 0.85 * info(cubes)["voxels"].get<double>());
}

} // namespace

} // namespace aureole
