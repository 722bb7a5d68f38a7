// Faults in the stages beside rendering: the device that makes the voxels, blooms, or has frames in flight is lost, has
// no memory, or is interrupted, and the disk of the cache is full. The timeline tells which stage it was.

#include <algorithm>
#include <csignal>
#include <set>

#include "cli_test.h"
#include "faults.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class StageFaultTest : public CliTest {
protected:
    /// A picture whose voxels the device makes, in several batches.
    Arguments ofDevice(const std::string& resolution, const std::string& progress = "none") const {
        const std::string model = std::string(AUREOLE_SCENES_FOLDER) + "/chess/queen.glb";
        return {"render", model,         "-o",           path("out.exr"), "--resolution", resolution,   "--surface",
                "cubes",  "--voxelizer", "gpu",          "--allow-cpu",   "--size",       "48x36",      "--spp",
                "1",      "--trace",     path("t.json"), "--stats-json",  path("s.json"), "--progress", progress};
    }

    /// How often the last run went through that part.
    std::ptrdiff_t spans(const std::string& name) const {
        const nlohmann::json trace = readJson(path("t.json"));
        const auto& events = trace.at("traceEvents");
        return std::count_if(events.begin(), events.end(),
                             [&](const nlohmann::json& event) { return event.at("name") == name; });
    }

    /// No picture, no octree, and nothing half-written, in the folder or the cache.
    void expectNothingLeft() const {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path(""))) {
            const std::string name = entry.path().filename().string();
            EXPECT_TRUE(!name.ends_with(".exr") && !name.ends_with(".avo") && name.find(".part") == std::string::npos)
                << entry.path();
        }
        EXPECT_EQ(cached(), cachedBefore_);
    }

    /// Octrees in the cache, also half-written ones, but not their locks, which are empty, and outlive a signal.
    static std::set<std::string> cached() {
        std::set<std::string> names;
        std::error_code gone;
        for (const fs::directory_entry& entry : fs::directory_iterator(octrees(), gone)) {
            if (entry.path().extension() != ".lock") {
                names.insert(entry.path().string());
            }
        }
        return names;
    }

    static fs::path octrees() { return cacheHome() / "aureole" / "octrees"; }

private:
    std::set<std::string> cachedBefore_ = cached();
};

TEST_F(StageFaultTest, ADeviceLostWhileItMakesVoxels) {
    expectFailure(kNoDevice, ofDevice("64"), {"lost"}, withFaults("lost:0:30"));
    EXPECT_GT(spans("run batch"), 1) << "there are batches before it";
    EXPECT_EQ(spans("pipelines"), 0);
    expectNothingLeft();
}

/// The CPU makes them where the device has the memory to render, but not for making voxels.
TEST_F(StageFaultTest, ADeviceWithoutMemoryToMakeVoxels) {
    const Outcome outcome = expectDone(ofDevice("62"), withFaults("heap:0:100"));
    EXPECT_NE(outcome.err.find("warning: voxels   made by the CPU: "), std::string::npos) << outcome.err;
    EXPECT_EQ(spans("run batch"), 0);
    EXPECT_EQ(readExr(path("out.exr")).width, 48U);
}

TEST_F(StageFaultTest, ASignalWhileADeviceMakesVoxels) {
    const pid_t process = start(ofDevice("600", "json"));
    ASSERT_TRUE(waitForError(process, R"("stage":"voxelising")")) << errorsSoFar();
    noteFault();
    ASSERT_EQ(::kill(process, SIGINT), 0);
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
    EXPECT_EQ(outcome.err.find("made by the CPU"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find(R"("stage":"render")"), std::string::npos) << outcome.err;
    expectNothingLeft();
}

/// The octree is stored beside rendering, of which the picture is there.
TEST_F(StageFaultTest, AFullDiskWhileTheDevicesOctreeIsStored) {
    const Outcome outcome = expectDone(ofDevice("66"), withFullDisk(100, octrees().string()));
    EXPECT_NE(outcome.err.find("cache of octrees: not stored: "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << outcome.err;
    EXPECT_EQ(readExr(path("out.exr")).width, 48U);
    fs::remove(path("out.exr"));
    expectNothingLeft();
}

/// What the CPU has rendered is lost with the device that is to bloom it.
TEST_F(StageFaultTest, ADeviceThatFailsToBloom) {
    const Arguments command = {"render",    write("scene.json", bloomScene()),
                               "-o",        path("out.exr"),
                               "--backend", "reference",
                               "--spp",     "1",
                               "--trace",   path("t.json")};
    expectFailure(kNoDevice, command, {"lost"}, withFaults("lost:0:0"));
    expectNothingLeft();
    expectFailure(kNoDevice, command, {"lost"}, withFaults("lost:0:3"));
    expectNothingLeft();
    expectFailure(kOutOfMemory, command, {"free on"}, withFaults("memory:0:0"));
    expectNothingLeft();
}

/// The frames before the one that failed are there, whole.
TEST_F(StageFaultTest, ADeviceLostBetweenFrames) {
    const Arguments command = {"render",
                               write("scene.json", bloomScene()),
                               "-o",
                               path("out.#.exr"),
                               "--set",
                               R"(/animation={"camera": "front", "turntable": {"frames": 8}})",
                               "--frames",
                               "0:8",
                               "--resolution",
                               "16",
                               "--allow-cpu",
                               "--spp",
                               "1"};
    expectFailure(kNoDevice, command, {"lost"}, withFaults("lost:0:40"));
    const auto frame = [&](std::size_t number) { return path("out." + std::to_string(number) + ".exr"); };
    std::size_t frames = 0;
    for (; fs::exists(frame(frames)); ++frames) {
        EXPECT_EQ(readExr(frame(frames)).width, 32U);
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(path(""))) {
        EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
    }
    EXPECT_GT(frames, 0U);
    EXPECT_LT(frames, 8U);
}

} // namespace

} // namespace aureole
