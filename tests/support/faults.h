#pragma once

// What goes wrong on purpose: devices (fault_layer.cpp), memory (fault_memory.cpp) and disks.

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "cli_test.h"
#include "image/exr/exr.h"
#include "test_files.h"

namespace aureole {

/// Tests of renders that end too soon: a scene, and the name of a checkpoint.
class FaultyRenderTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", shadedScene());
        checkpoint_ = path("a.ckpt");
    }

    /// The values of each channel of an EXR.
    static std::vector<std::vector<float>> valuesOf(const std::string& file) {
        std::vector<std::vector<float>> values;
        for (const Channel& channel : readExr(file).channels) {
            values.push_back(channel.values);
        }
        return values;
    }

    std::string scene_;
    std::string checkpoint_;
};

/// Notes that the running test lets something go wrong, once more; tools/hardening.sh adds up what tests note.
inline void noteFault() {
    static const testing::TestInfo* of = nullptr;
    static int faults = 0;
    const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
    faults = test == of ? faults + 1 : 1;
    of = test;
    testing::Test::RecordProperty("faults", faults);
}

/// The environment in which devices have `faults`, once the file `after` is there.
inline Variables withFaults(const std::string& faults, const std::string& after = {}) {
    noteFault();
    Variables variables = {{"VK_ADD_LAYER_PATH", testFile(AUREOLE_FAULTS)},
                           {"VK_INSTANCE_LAYERS", "VK_LAYER_AUREOLE_fault"},
                           {"AUREOLE_TEST_FAULT", faults}};
    if (!after.empty()) {
        variables["AUREOLE_TEST_FAULT_AFTER"] = after;
    }
    return variables;
}

/// The environment with a library of tests/faults preloaded.
inline Variables withLibrary(const std::string& name, Variables variables) {
    const char* sanitizer = std::getenv("ASAN_OPTIONS"); // NOLINT(concurrency-mt-unsafe)
    variables["LD_PRELOAD"] = testFile(AUREOLE_FAULTS) + "/libaureole_fault_" + name + ".so";
    variables["ASAN_OPTIONS"] = std::string(sanitizer != nullptr ? sanitizer : "") + ":verify_asan_link_order=0";
    return variables;
}

/// The environment in which there is no memory for `count` allocations (0: for none) of exactly `bytes`, once the file
/// `after` is there.
inline Variables withoutMemory(std::uint64_t bytes, unsigned count, const std::string& after) {
    noteFault();
    return withLibrary("memory", {{"AUREOLE_TEST_MEMORY", std::to_string(bytes) + ":" + std::to_string(count)},
                                  {"AUREOLE_TEST_MEMORY_AFTER", after}});
}

/// The environment in which the clock is a day late, once the file `after` is there.
inline Variables withClockSetBack(const std::string& after) {
    noteFault();
    return withLibrary("clock", {{"AUREOLE_TEST_CLOCK", after}});
}

/// The environment in which `folder` is on a disk that takes `bytes` more.
inline Variables withFullDisk(std::uint64_t bytes, const std::string& folder) {
    noteFault();
    return withLibrary("disk", {{"AUREOLE_TEST_DISK", std::to_string(bytes) + ":" + folder}});
}

/// Files of this process and of those that it starts are no larger than `bytes` while this is there; what is written
/// to them in vain is lost.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        noteFault();
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    FileSizeLimit(FileSizeLimit&&) = delete;
    FileSizeLimit& operator=(FileSizeLimit&&) = delete;

private:
    rlimit before_{};
};

} // namespace aureole
