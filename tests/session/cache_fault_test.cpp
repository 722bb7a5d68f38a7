// Caches that cannot be written, are no folders, fill their disk, or serve many: at worst a warning, never another
// picture.

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cli_test.h"
#include "faults.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class CacheFaultTest : public FaultyRenderTest {
protected:
    CacheFaultTest() { validates = false; }

    Arguments command(const std::string& resolution, const std::string& name = "out") const {
        return {"render", scene_,         "-o",       path(name + ".exr"), "--spp",
                "8",      "--resolution", resolution, "--stats-json",      path(name + ".json")};
    }

    bool wasCached(const std::string& name = "out") const {
        return readJson(path(name + ".json")).at("octree_cached").get<bool>();
    }

    std::vector<std::vector<float>> picture() const { return valuesOf(path("out.exr")); }

    /// Files in the cache, apart from those of drivers.
    std::vector<std::string> cached() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(path("cache") + "/aureole")) {
            names.push_back(entry.path().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    static void expectNotStored(const Outcome& outcome, const std::string& why) {
        EXPECT_NE(outcome.err.find("warning: cache of octrees: not stored: "), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
    }

    /// As `run`, without the right to write where permissions forbid it, which root has.
    Outcome runUnprivileged(const Arguments& arguments, const Variables& variables) const {
        pid_t process = -1;
        // Only what this thread starts goes without.
        std::thread([&] {
            const int status = ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE); // NOLINT(cppcoreguidelines-pro-type-vararg)
            ASSERT_TRUE(status == 0 || ::geteuid() != 0);
            process = start(arguments, variables);
        }).join();
        return finish(process);
    }

    /// Takes away, or gives back, the right to write to the cache.
    void setWritable(bool writable) const {
        const auto how = writable ? fs::perm_options::add : fs::perm_options::remove;
        for (const auto& entry : fs::recursive_directory_iterator(path("cache"))) {
            fs::permissions(entry.path(), writable ? fs::perms::owner_write : fs::perms(0222), how);
        }
        fs::permissions(path("cache"), writable ? fs::perms::owner_write : fs::perms(0222), how);
    }
};

TEST_F(CacheFaultTest, AReadOnlyOneIsReadAndNotWritten) {
    expectDone(command("20"));
    const auto large = picture();
    const Variables cache = {{"XDG_CACHE_HOME", ownCache("cache")}};
    expectDone(command("16"), cache);
    const auto small = picture();
    const auto files = cached();
    setWritable(false);
    noteFault();
    EXPECT_EQ(runUnprivileged(command("16"), cache).code, 0);
    EXPECT_TRUE(wasCached());
    EXPECT_EQ(picture(), small);
    const Outcome stored = runUnprivileged(command("20"), cache);
    setWritable(true);
    EXPECT_EQ(stored.code, 0);
    expectNotStored(stored, "Permission denied");
    EXPECT_EQ(picture(), large);
    EXPECT_EQ(cached(), files);
}

TEST_F(CacheFaultTest, OnAFullDiskNothingIsLeftHalfWritten) {
    expectDone(command("16"));
    const auto expected = picture();
    const std::string home = ownCache("cache");
    const auto files = cached();
    Variables full = withFullDisk(100, home);
    full["XDG_CACHE_HOME"] = home;
    expectNotStored(expectDone(command("16"), full), "No space left on device");
    EXPECT_EQ(picture(), expected);
    const auto left = cached();
    EXPECT_TRUE(std::none_of(left.begin(), left.end(), [](const std::string& name) {
        return name.find(".part") != std::string::npos || name.ends_with(".avo") || name.ends_with(".lock");
    })) << left.back();
    EXPECT_LE(left.size(), files.size() + 1); // and the folder of octrees
}

TEST_F(CacheFaultTest, AFullDiskOfTheOutputLeavesThePictureBefore) {
    expectDone(command("16"));
    const auto before = picture();
    Arguments more = command("16");
    more.insert(more.end(), {"--checkpoint", checkpoint_});
    expectFailure(kCannotWrite, more, {"out.exr: cannot be written: No space left on device", "a.ckpt has samples"},
                  withFullDisk(600, path("out.exr")));
    EXPECT_EQ(picture(), before);
}

TEST_F(CacheFaultTest, AFullDiskOfTheTimelineIsToldByTheFiguresToo) {
    Arguments traced = command("16");
    traced.insert(traced.end(), {"--trace", path("timeline.json")});
    expectFailure(kCannotWrite, traced, {"timeline.json: cannot be written: No space left on device"},
                  withFullDisk(600, path("timeline.json")));
    EXPECT_EQ(readJson(path("out.json")).at("exit_code"), kCannotWrite);
    EXPECT_EQ(picture().size(), 3U) << "the picture was there before";
}

/// Some of them are killed, at any moment; the others end as if they were alone.
TEST_F(CacheFaultTest, OfManyAtOnceSomeAreKilled) {
    const bool full = std::getenv("AUREOLE_FULL") != nullptr; // NOLINT(concurrency-mt-unsafe)
    const int count = full ? 8 : 3;
    const int killed = full ? 3 : 1;
    expectDone(command("16")); // makes the pipelines
    const Variables cache = {{"XDG_CACHE_HOME", ownCache("cache")}};
    std::vector<pid_t> processes;
    for (int i = 0; i < count; ++i) {
        processes.push_back(start(command("256", std::to_string(i)), cache));
    }
    for (int i = 0; i < killed; ++i) {
        noteFault();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        ::kill(processes[static_cast<std::size_t>(i)], SIGKILL);
    }
    std::vector<std::string> ended;
    for (int i = 0; i < count; ++i) {
        const Outcome outcome = finish(processes[static_cast<std::size_t>(i)]);
        EXPECT_TRUE(outcome.code == 0 || (i < killed && outcome.code == 128 + SIGKILL)) << i << '\n' << outcome.err;
        if (outcome.code == 0) {
            ended.push_back(std::to_string(i));
        }
    }
    EXPECT_LE(std::count_if(ended.begin(), ended.end(), [&](const std::string& name) { return !wasCached(name); }), 1);
    expectDone(command("256"), cache);
    EXPECT_TRUE(wasCached());
    for (const std::string& name : ended) {
        EXPECT_EQ(valuesOf(path(name + ".exr")), picture());
    }
}

} // namespace

} // namespace aureole
