#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/validation.h"
#include "gpu_test/affine.h"
#include "gpu_test/bounds/add_checks.h"
#include "gpu_test/error_test.h"
#include "gpu_test/gpu_test.h"
#include "gpu_test/scoped_environment.h"

namespace aureole::gpu {
namespace {

/// The push constants of out_of_bounds.comp.
struct Push {
    std::uint64_t words;
    std::uint64_t result;
    std::uint32_t access;
    std::uint32_t index;
    std::uint32_t table[4] = {10, 11, 12, 13};
};

enum Access : std::uint32_t {
    kRead,
    kWrite,
    kAtomic,
    kPool,
    kTable,
    kMember,
    kComponent,
    kUnaligned,
    kLocal,
    kShifted,
    kCopy,
    kVector
};

constexpr std::uint32_t kPoolLength = 6;

// Not of the fixture, which fails on reports. Each test has a device of its own, which has its own reports.
class BoundsTest : public ::testing::Test {
protected:
    BoundsTest()
        : device_(Device::open(checkedRequest()))
        , pipeline_(device_.createPipeline({.name = "reaching out",
                                            .shader = shaders::out_of_bounds(),
                                            .pushConstantBytes = sizeof(Push),
                                            .specialization = {{0, kPoolLength}}}))
        , words_(filled("words", 10))
        , result_(filled("result", 1)) {}

    static DeviceRequest checkedRequest() {
        DeviceRequest request = testDeviceRequest();
        request.bounds = true;
        return request;
    }

    Buffer filled(const char* name, std::uint32_t count) const {
        std::vector<std::uint32_t> values(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            values[i] = 100 + i;
        }
        return device_.createBufferWith(std::span<const std::uint32_t>(values), name);
    }

    /// What the shader reads there.
    std::uint32_t reach(Access access, std::uint32_t index) const { return reachAt(words_.address(), access, index); }
    std::uint32_t reachAt(std::uint64_t address, Access access, std::uint32_t index) const {
        CommandEncoder commands = device_.encoder();
        commands.dispatch(pipeline_, Push{address, result_.address(), access, index}, 1);
        device_.submit(std::move(commands)).wait();
        return readWords(device_, result_)[0];
    }

    Device device_;
    Pipeline pipeline_;
    Buffer words_; ///< ten words from 100
    Buffer result_;
};

TEST_F(BoundsTest, WhatIsWithinBoundsIsAsWithoutChecks) {
    EXPECT_EQ(reach(kRead, 9), 109U);
    reach(kWrite, 9);
    EXPECT_EQ(reach(kRead, 9), 99U);
    EXPECT_EQ(reach(kAtomic, 9), 99U);
    EXPECT_EQ(reach(kRead, 9), 100U);
    EXPECT_EQ(reach(kPool, kPoolLength - 1), 7U);
    EXPECT_EQ(reach(kTable, 3), 13U);
    EXPECT_EQ(reach(kMember, 3), 0U); // the bits of 109 are a tiny float
    EXPECT_EQ(reach(kComponent, 3), 107U);
    EXPECT_EQ(reach(kUnaligned, 16), 104U + 105U + 106U + 107U);
    EXPECT_EQ(reach(kLocal, 3), 10U);
    EXPECT_EQ(reach(kShifted, 8), 108U);
    EXPECT_EQ(reach(kVector, 3), 10U);
    EXPECT_EQ(device_.validationMessages(), 0U);
}

TEST_F(BoundsTest, ReadsPastTheEndAreNamed) {
    for (const Access access : {kRead, kShifted}) {
        expectError(ExitCode::Internal,
                    {"'reaching out'", "load of 4 bytes at byte 40 of buffer 'words', which has 40"},
                    [&] { reach(access, 10); });
    }
    expectError(ExitCode::Internal, {"element 10 of the array at its byte 0"}, [&] { reach(kRead, 10); });
    expectError(ExitCode::Internal, {"element 1000000 of the array"}, [&] { reach(kRead, 1000000); });
    // A vector is read whole: its last bytes count.
    expectError(ExitCode::Internal, {"load of 4 bytes at byte 44 of buffer 'words'"},
                [&] { reachAt(words_.address() + 16, kComponent, 3); });
    // One that begins within and ends outside.
    expectError(ExitCode::Internal, {"load of 16 bytes at byte 32 of buffer 'words', which has 40"},
                [&] { reach(kUnaligned, 32); });
    EXPECT_EQ(device_.validationMessages(), 6U);
}

TEST_F(BoundsTest, ReadsOutOfBoundsAreZerosAndWhatFollowsGoesOn) {
    expectError(ExitCode::Internal, {"load of 4 bytes at byte 40 of buffer 'words'"}, [&] { reach(kCopy, 10); });
    EXPECT_EQ(readWords(device_, words_)[0], 0U);
    EXPECT_EQ(readWords(device_, words_)[1], 101U);
}

TEST_F(BoundsTest, WritesPastTheEndAreNamedAndGoNowhere) {
    const std::string past = "at byte 40 of buffer 'words', which has 40";
    expectError(ExitCode::Internal, {"store of 4 bytes", past.c_str()}, [&] { reach(kWrite, 10); });
    expectError(ExitCode::Internal, {"atomic operation of 4 bytes", past.c_str()}, [&] { reach(kAtomic, 10); });
    for (std::uint32_t i = 0; i < 10; ++i) {
        EXPECT_EQ(readWords(device_, words_)[i], 100 + i);
    }
}

TEST_F(BoundsTest, OneBufferIsNotReachedByWayOfAnother) {
    const Buffer other = filled("other", 10);
    const std::uint64_t low = std::min(words_.address(), other.address());
    const std::uint64_t high = std::max(words_.address(), other.address());
    const auto index = static_cast<std::uint32_t>((high - low) / 4);
    const char* name = low == words_.address() ? "of buffer 'words', which has 40" : "of buffer 'other', which has 40";
    expectError(ExitCode::Internal, {name}, [&] { reachAt(low, kWrite, index); });
    EXPECT_EQ(readWords(device_, words_)[0], 100U);
    EXPECT_EQ(readWords(device_, other)[0], 100U);
}

TEST_F(BoundsTest, AddressesOfNoBufferAreNamed) {
    expectError(ExitCode::Internal, {"load of 4 bytes", "by way of 0x0", "in no buffer"},
                [&] { reachAt(0, kRead, 0); });
    expectError(ExitCode::Internal, {"in no buffer"}, [&] { reachAt(0xFFFFFFFFFFFFFFF0, kRead, 0); });
    Buffer gone = filled("gone", 10);
    const std::uint64_t address = gone.address();
    EXPECT_EQ(reachAt(address, kRead, 0), 100U);
    gone = Buffer();
    reach(kRead, 0); // nothing else runs any more when it ends
    expectError(ExitCode::Internal, {"in no buffer"}, [&] { reachAt(address, kRead, 0); });
    const Buffer empty = device_.createBuffer(0, MemoryKind::Device, "empty");
    expectError(ExitCode::Internal, {"buffer 'empty', which has 0"}, [&] { reachAt(empty.address(), kRead, 0); });
}

TEST_F(BoundsTest, IndicesOfArraysAreNamed) {
    // Also an array within what the buffer holds, where the access itself stays in the buffer.
    const std::string six = "index " + std::to_string(kPoolLength) + " of ";
    expectError(ExitCode::Internal, {"'reaching out'", six.c_str(), "of 6 elements"}, [&] { reach(kPool, 6); });
    expectError(ExitCode::Internal, {"index 4 of", "of 4 elements"}, [&] { reach(kTable, 4); });
    expectError(ExitCode::Internal, {"index 4294967295 of", "of 4 elements"}, [&] { reach(kTable, ~0U); });
    expectError(ExitCode::Internal, {"index 4 of", "of 4 elements"}, [&] { reach(kMember, 4); });
    expectError(ExitCode::Internal, {"index 4 of a vector", "of 4 elements"}, [&] { reach(kComponent, 4); });
    expectError(ExitCode::Internal, {"index 4 of", "of 4 elements"}, [&] { reach(kLocal, 4); });
    expectError(ExitCode::Internal, {"index 4 of a vector", "of 4 elements"}, [&] { reach(kVector, 4); });
}

TEST_F(BoundsTest, BrokenPromisesOfAlignmentAreNamed) {
    expectError(ExitCode::Internal, {"at byte 4 of buffer 'words'", "expected a multiple of 16"},
                [&] { reach(kUnaligned, 4); });
}

TEST_F(BoundsTest, ReportsOfOneSubmissionAreNotOfTheNext) {
    expectError(ExitCode::Internal, {"byte 40"}, [&] { reach(kRead, 10); });
    EXPECT_EQ(reach(kRead, 0), 100U);
}

TEST_F(BoundsTest, AreSwitchedOnByTheEnvironment) {
    const ScopedEnvironment on("AUREOLE_VALIDATION", "bounds");
    device_ = Device::open(testDeviceRequest());
    const Buffer values = filled("values", 10);
    const Pipeline pipeline = makeAffine(device_, 1);
    CommandEncoder commands = device_.encoder();
    commands.dispatch(pipeline, AffinePush{values.address(), 11, 5}, 1);
    Submission submission = device_.submit(std::move(commands));
    expectError(ExitCode::Internal, {"'affine'", "byte 40 of buffer 'values', which has 40"},
                [&] { submission.wait(); });
    EXPECT_EQ(readWords(device_, values)[9], 109 + 5);
}

TEST_F(BoundsTest, ReportsOfWorkThatNobodyWaitsForAreCounted) {
    const std::uint64_t before = totalValidationMessages();
    CommandEncoder commands = device_.encoder();
    commands.dispatch(pipeline_, Push{words_.address(), result_.address(), kWrite, 10}, 1);
    device_.submit(std::move(commands));
    device_ = Device::open(checkedRequest());
    words_ = Buffer();
    result_ = Buffer();
    pipeline_ = Pipeline();
    EXPECT_EQ(totalValidationMessages() - before, 1U);
}

TEST(AddChecks, RefuseWhatTheyDoNotKnow) {
    std::vector<std::uint32_t> spirv = unpackShader(shaders::affine(), "affine");
    EXPECT_NO_THROW(addChecks(spirv, "affine", 0, 1));
    spirv.insert(spirv.end(), {3U << 16U | 63U, 1, 1}); // OpCopyMemory
    expectError(ExitCode::Internal, {"'affine'", "instruction 63", "not known"},
                [&] { addChecks(spirv, "affine", 0, 1); });
    spirv.back() = 9U << 16U;
    expectError(ExitCode::Internal, {"'affine'"}, [&] { addChecks(spirv, "affine", 0, 1); });
}

TEST(AddChecks, SayTheLineWhereTheShaderDoes) {
    const CheckedShader without = addChecks(unpackShader(shaders::affine(), "affine"), "affine", 0, 1);
    ASSERT_EQ(without.sites.size(), 2U);
    EXPECT_EQ(without.sites[0].line, "");
    EXPECT_EQ(without.sites[0].what, "load");
    EXPECT_EQ(without.sites[1].what, "store");
    EXPECT_EQ(without.sites[1].bytes, 4U);
    EXPECT_EQ(without.sites[1].stride, 4U);
    const CheckedShader with = addChecks(unpackShader(shaders::affine_named(), "affine"), "affine", 0, 1);
    ASSERT_EQ(with.sites.size(), 2U);
    EXPECT_TRUE(with.sites[0].line.ends_with("affine.comp:24")) << with.sites[0].line;
}

TEST(Validation, WordsOfTheEnvironment) {
    EXPECT_FALSE(parseValidation("").layer);
    EXPECT_FALSE(parseValidation("0").layer);
    EXPECT_TRUE(parseValidation("1").layer);
    EXPECT_FALSE(parseValidation("1").bounds);
    EXPECT_TRUE(parseValidation("bounds").bounds);
    EXPECT_FALSE(parseValidation("bounds").layer);
    EXPECT_TRUE(parseValidation("1,bounds").layer);
    EXPECT_TRUE(parseValidation("1,bounds").bounds);
    expectError(ExitCode::Usage, {"AUREOLE_VALIDATION", "'yes'", "bounds"}, [] { parseValidation("1,yes"); });
}

} // namespace
} // namespace aureole::gpu
