#include <csignal>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "faults.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class VoxelizeTest : public CliTest {
protected:
    /// A tetrahedron as a model file.
    std::string model() const {
        return write("corner.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    }

    static std::string contents(const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    /// Everything in this test's folder but the inputs.
    std::size_t filesLeft() const {
        std::size_t files = 0;
        for (const fs::directory_entry& entry : fs::directory_iterator(path(""))) {
            const std::string name = entry.path().filename().string();
            files += name.find(".avo") != std::string::npos || name.find("aureole") != std::string::npos ? 1 : 0;
        }
        return files;
    }
};

TEST_F(VoxelizeTest, WritesAModelThatInfoDescribes) {
    const Outcome outcome = expectDone({"voxelize", model(), "-o", path("m.avo"), "--resolution", "100"});
    EXPECT_NE(outcome.err.find("voxels "), std::string::npos) << outcome.err;
    const nlohmann::json json = info(path("m.avo"));
    EXPECT_EQ(json["kind"], "octree");
    EXPECT_EQ(json["resolution"], 100);
    EXPECT_EQ(json["size"], nlohmann::json({100, 50, 50}));
    EXPECT_EQ(json["levels"], 4);
    EXPECT_EQ(json["voxel_size"], 0.02);
    EXPECT_EQ(json["mode"], "conservative");
    EXPECT_GT(json["voxels"], 5000);
    EXPECT_LT(json["voxels"], 15000);
    EXPECT_EQ(json["file_bytes"], fs::file_size(path("m.avo")));
    EXPECT_GT(json["bytes"], json["occupancy_bytes"]);
    EXPECT_EQ(json["metadata"]["source"], "corner.obj");
    EXPECT_NE(expectDone({"info", path("m.avo")}).out.find("voxels  "), std::string::npos);
}

TEST_F(VoxelizeTest, TheDeviceMakesTheSameVoxels) {
    const std::vector<std::string> device = {"--voxelizer", "gpu", "--device", "0", "--allow-cpu"};
    const auto made = [&](const std::string& name, std::vector<std::string> more) {
        std::vector<std::string> arguments = {"voxelize", model(), "-o", path(name), "--resolution", "40"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return expectDone(arguments).err;
    };
    made("cpu.avo", {"--voxelizer", "cpu"});
    EXPECT_NE(made("gpu.avo", device).find("device   "), std::string::npos);
    for (const char* key : {"voxels", "bytes", "size", "levels"}) {
        EXPECT_EQ(info(path("gpu.avo"))[key], info(path("cpu.avo"))[key]) << key;
    }
    std::vector<std::string> limited = device;
    limited.insert(limited.end(), {"--memory", "1G"});
    EXPECT_NE(made("limited.avo", limited).find("made by the CPU: memory is limited"), std::string::npos);
}

TEST_F(VoxelizeTest, ADeviceThatFailsLeavesNothingHalfMade) {
    const std::vector<std::string> arguments = {"voxelize",    model(), "-o",       path("m.avo"), "--resolution", "40",
                                                "--voxelizer", "gpu",   "--device", "0",           "--allow-cpu"};
    expectFailure(kNoDevice, arguments, {"lost"}, withFaults("lost:0:3"));
    EXPECT_FALSE(fs::exists(path("m.avo")));
    const Outcome outcome = expectDone(arguments, withFaults("memory:0:4"));
    EXPECT_NE(outcome.err.find("made by the CPU: "), std::string::npos) << outcome.err;
    EXPECT_TRUE(fs::exists(path("m.avo")));
}

TEST_F(VoxelizeTest, ModesDifferInTheVoxelsTheyFill) {
    const auto voxelsOf = [&](const std::string& mode) {
        const std::string file = path(mode + ".avo");
        expectDone({"voxelize", model(), "-o", file, "--resolution", "64", "--mode", mode});
        EXPECT_EQ(info(file)["mode"], mode);
        return info(file)["voxels"].get<std::uint64_t>();
    };
    const std::uint64_t conservative = voxelsOf("conservative");
    EXPECT_LT(voxelsOf("thin"), conservative);
    EXPECT_GE(voxelsOf("solid"), conservative);
}

TEST_F(VoxelizeTest, GivesTheSameBytesForAnyThreadsAndMemory) {
    const std::string file = model();
    const Arguments arguments = {"voxelize", file, "-o", path("a.avo"), "--resolution", "600"};
    expectDone(arguments, {{"OMP_NUM_THREADS", "1"}});
    expectDone({"voxelize", file, "-o", path("b.avo"), "--resolution", "600", "--memory", "34M"},
               {{"OMP_NUM_THREADS", "3"}});
    EXPECT_EQ(contents(path("a.avo")), contents(path("b.avo")));
    EXPECT_EQ(filesLeft(), 2U);
}

TEST_F(VoxelizeTest, PlanesStandForManyVoxels) {
    const auto infoOf = [&](const std::string& name, const Arguments& more) {
        Arguments arguments = {"voxelize", model(), "-o", path(name), "--resolution", "200"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectDone(arguments);
        return info(path(name));
    };
    const nlohmann::json cubes = infoOf("cubes.avo", {});
    const nlohmann::json planes = infoOf("planes.avo", {"--surface", "planes"});
    const nlohmann::json fine = infoOf("fine.avo", {"--surface", "planes", "--error", "0.01"});
    EXPECT_EQ(cubes["encoding"], "tree");
    EXPECT_EQ(planes["encoding"], "planes");
    EXPECT_LT(planes["bytes"], cubes["bytes"]);
    EXPECT_LE(planes["bytes"], fine["bytes"]);
    EXPECT_GT(planes["surface_bytes"], 0);
    // Planes are no voxels, and are not called so.
    EXPECT_EQ(planes["cells"], planes["voxels"]);
    EXPECT_LT(planes["cells"], cubes["voxels"]);
    EXPECT_TRUE(planes.contains("occupancy_bits_per_cell") && planes.contains("bytes_per_cell"));
    EXPECT_FALSE(planes.contains("occupancy_bits_per_voxel") || cubes.contains("cells"));
    EXPECT_TRUE(cubes.contains("occupancy_bits_per_voxel"));
    const std::string text = expectDone({"info", path("planes.avo")}).out;
    EXPECT_NE(text.find("cells "), std::string::npos) << text;
    EXPECT_EQ(text.find("voxels "), std::string::npos) << text;
    const Outcome log = expectDone({"voxelize", model(), "-o", path("m.avo"), "--surface", "planes"});
    EXPECT_NE(log.err.find("cells  "), std::string::npos) << log.err;
    EXPECT_NE(log.err.find("bits a cell"), std::string::npos) << log.err;
    EXPECT_EQ(log.err.find("a voxel"), std::string::npos) << log.err;
    expectDone({"render", model(), "-o", path("m.exr"), "--surface", "planes", "--error", "0.5", "--resolution", "64",
                "--size", "24x16", "--spp", "1", "--allow-cpu"});
    expectFailure(kUsage, {"render", path("planes.avo"), "-o", path("m.exr"), "--surface", "cubes", "--allow-cpu"},
                  {"--surface", "planes.avo"});
}

TEST_F(VoxelizeTest, MergesEqualSubtreesOnDemand) {
    const std::string file = model();
    expectDone({"voxelize", file, "-o", path("tree.avo"), "--resolution", "600"});
    const Outcome outcome = expectDone({"voxelize", file, "-o", path("dag.avo"), "--resolution", "600", "--dag"},
                                       {{"OMP_NUM_THREADS", "1"}});
    EXPECT_NE(outcome.err.find("merged "), std::string::npos) << outcome.err;
    expectDone({"voxelize", file, "-o", path("again.avo"), "--resolution", "600", "--dag", "--memory", "34M"},
               {{"OMP_NUM_THREADS", "3"}});
    EXPECT_EQ(contents(path("dag.avo")), contents(path("again.avo")));
    const nlohmann::json tree = info(path("tree.avo"));
    const nlohmann::json dag = info(path("dag.avo"));
    EXPECT_EQ(tree["encoding"], "tree");
    EXPECT_EQ(dag["encoding"], "dag");
    for (const char* const key : {"voxels", "size", "levels", "bounds", "attribute_bytes", "average_bytes"}) {
        EXPECT_EQ(dag[key], tree[key]) << key;
    }
    EXPECT_LT(2 * dag["occupancy_bytes"].get<std::uint64_t>(), tree["occupancy_bytes"].get<std::uint64_t>());
    EXPECT_LT(dag["leaves"], tree["leaves"]);
    const auto render = [&](const std::string& octree, const std::string& out) {
        expectDone({"render", path(octree), "-o", path(out), "--spp", "2", "--allow-cpu", "--size", "24x16"});
        return readExr(path(out));
    };
    EXPECT_EQ(largestDifference(render("dag.avo", "dag.exr"), render("tree.avo", "tree.exr")), 0.0);
}

TEST_F(VoxelizeTest, ASceneGivesItsOwnResolutionAndAModelHasNoFloor) {
    expectDone({"voxelize", write("scene.json", boxScene()), "-o", path("scene.avo")});
    const nlohmann::json scene = info(path("scene.avo"));
    EXPECT_EQ(scene["metadata"]["source"], "scene.json");
    expectDone({"voxelize", model(), "-o", path("model.avo")});
    EXPECT_EQ(info(path("model.avo"))["bounds"]["max"], nlohmann::json({2.0, 1.0, 1.0}));
    EXPECT_EQ(info(path("model.avo"))["resolution"], 512);
}

TEST_F(VoxelizeTest, ValuesOfTheSceneAreReplaced) {
    const std::string scene = write("scene.json", boxScene());
    expectDone({"voxelize", scene, "-o", path("a.avo"), "--set", "/voxels/resolution=24", "--set",
                "/assets/block/box/max=[1.5,0.5,0.5]"});
    EXPECT_EQ(info(path("a.avo"))["size"], nlohmann::json({24, 12, 12}));
    expectDone({"voxelize", model(), "-o", path("b.avo"), "--set", "/voxels/resolution=20"});
    EXPECT_EQ(info(path("b.avo"))["resolution"], 20);
    expectFailure(kBadInput, {"voxelize", scene, "-o", path("c.avo"), "--set", "/voxels/resolutoin=20"},
                  {"did you mean 'resolution'?"});
}

TEST_F(VoxelizeTest, ErrorsNameWhatIsWrong) {
    const std::string file = model();
    expectFailure(kUsage, {"voxelize", file, "-o", path("m.vox")}, {"m.vox", "'.vox'", ".avo"});
    expectFailure(kUsage, {"voxelize", file, "-o", path("m.avo"), "--memory", "4Q"}, {"--memory", "'4Q'", "4G"});
    expectFailure(kUsage, {"voxelize", file, "-o", path("m.avo"), "--memory", "0.2"}, {"--memory", "'0.2'", "above 0"});
    expectFailure(kUsage, {"voxelize", file, "-o", path("m.avo"), "--resolution", "20000"}, {"20000", "16384"});
    expectFailure(kUsage, {"voxelize", file, "-o", path("m.avo"), "--surface", "plane"}, {"did you mean 'planes'"});
    expectFailure(kUsage, {"voxelize", file, "-o", path("m.avo"), "--error", "0.5"}, {"--error", "0.5", "'cubes'"});
    expectFailure(kUsage, {"render", file, "-o", path("m.png"), "--surface", "cubes", "--error", "0.5"},
                  {"--error", "0.5", "'cubes'"});
    expectFailure(kUsage, {"voxelize", file, "-o", path("m.avo"), "--surface", "planes", "--dag"},
                  {"--dag", "'cubes'"});
    for (const std::string mode : {"thin", "solid"}) {
        expectFailure(kUsage, {"voxelize", file, "-o", path("m.avo"), "--surface", "planes", "--mode", mode},
                      {"'planes'", mode, "'conservative'"});
    }
    expectFailure(kCannotWrite, {"voxelize", file, "-o", path("none/m.avo")}, {"none/m.avo"});
    expectFailure(kBadInput, {"voxelize", path("none.obj"), "-o", path("m.avo")}, {"none.obj"});
    expectFailure(kOutOfMemory, {"voxelize", file, "-o", path("m.avo"), "--memory", "1M"}, {"1 MiB", "at least"});
    expectFailure(kBadInput, {"info", write("text.avo", "no octree")}, {"text.avo", "not an octree file"});
    EXPECT_FALSE(fs::exists(path("m.avo")));
}

TEST_F(VoxelizeTest, AnOctreeRendersAsTheModelsItWasMadeOf) {
    const auto scene = [&](const std::string& name, const std::string& file, const std::string& more) {
        return write(name, R"({"version":1,"assets":{"m":{"file":")" + file + R"("}},"instances":{"m":{"asset":"m")" +
                               more + R"(}},"cameras":{"main":{"position":[3,2,4],"target":[0.5,0.3,0.3]}},)" +
                               R"("environment":{"type":"constant","radiance":1},"film":{"size":[24,16]}})");
    };
    model();
    const std::string meshes = scene("meshes.json", "corner.obj", "");
    const std::string octree = scene("octree.json", "m.avo", "");
    expectDone({"voxelize", meshes, "-o", path("m.avo"), "--resolution", "64"});
    const auto render = [&](const std::string& file, const std::string& out, const Arguments& more) {
        Arguments arguments = {"render", file, "-o", path(out), "--spp", "2", "--allow-cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectDone(arguments);
        return readExr(path(out));
    };
    const Image expected = render(meshes, "meshes.exr", {"--resolution", "64"});
    EXPECT_EQ(largestDifference(render(octree, "octree.exr", {}), expected), 0.0);
    // Placed at half the size and moved: as seen from there, the same.
    const Image alone = render(path("m.avo"), "alone.exr", {"--size", "24x16"});
    EXPECT_GT(largestDifference(alone, expected), 0.0);
    const std::string moved = scene("moved.json", "m.avo", R"(,"scale":0.5,"translate":[1,2,3])");
    EXPECT_LT(largestDifference(render(moved, "moved.exr",
                                       {"--set", "/cameras/main/position=[2.5,3,5]", "--set",
                                        "/cameras/main/target=[1.25,2.15,3.15]"}),
                                expected),
              1e-3);
    for (const char* const more : {R"(,"rotate":[0,90,0])", R"(,"scale":[1,2,1])", R"(,"scale":-1)"}) {
        expectDone({"validate", scene("turned.json", "m.avo", more)});
        expectFailure(kUsage, {"render", path("turned.json"), "-o", path("x.exr"), "--allow-cpu", "--resolution", "32"},
                      {"m.avo", "32"});
        expectFailure(kBadInput, {"voxelize", path("turned.json"), "-o", path("n.avo")}, {"turned.json", "m.avo"});
    }
    const std::string two =
        R"({"version":1,"assets":{"m":{"file":"m.avo"},"b":{"box":{}}},"instances":{"m":{"asset":"m"},)"
        R"("b":{"asset":"b"}},"cameras":{"main":{"position":[3,2,4],"target":[0,0,0]}}})";
    expectDone({"validate", write("two.json", two)});
    expectFailure(kBadInput, {"voxelize", path("two.json"), "-o", path("n.avo")}, {"two.json", "m.avo"});
    expectFailure(kUsage, {"render", octree, "-o", path("x.exr"), "--allow-cpu", "--resolution", "32"},
                  {"m.avo", "32"});
    expectFailure(kBadInput, {"render", octree, "-o", path("x.exr"), "--backend", "reference"}, {"m.avo", "reference"});
    expectFailure(kBadInput, {"voxelize", path("m.avo"), "-o", path("n.avo")}, {"m.avo", "found an octree"});
    expectFailure(kBadInput, {"voxelize", octree, "-o", path("n.avo")}, {"octree.json", "m.avo"});
    fs::resize_file(path("m.avo"), 5000);
    expectFailure(kBadInput, {"render", octree, "-o", path("x.exr"), "--allow-cpu"}, {"/assets/m/file", "cut off"});
}

TEST_F(VoxelizeTest, AnInterruptedBuildLeavesNothing) {
    const pid_t process = start(
        {"voxelize", model(), "-o", path("m.avo"), "--resolution", "16384", "--memory", "64M", "--progress", "json"});
    ASSERT_TRUE(waitForError(process, R"("stage":"voxelising")")) << errorsSoFar();
    EXPECT_EQ(::kill(process, SIGINT), 0);
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
    EXPECT_NE(outcome.err.find("interrupted"), std::string::npos);
    EXPECT_NE(outcome.err.find(R"("eta":)"), std::string::npos);
    EXPECT_EQ(filesLeft(), 0U);
}

} // namespace

} // namespace aureole
