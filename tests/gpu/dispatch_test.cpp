#include <cstdint>
#include <vector>

#include "gpu_test/affine.h"
#include "gpu_test/error_test.h"
#include "gpu_test/gpu_test.h"

namespace aureole::gpu {
namespace {

class DispatchTest : public GpuTest {};

TEST_F(DispatchTest, PushAndSpecializationConstantsReachTheShader) {
    std::vector<std::uint32_t> values(1000);
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        values[i] = i;
    }
    const Buffer buffer = device().createBufferWith(std::span<const std::uint32_t>(values), "values");
    const Pipeline pipeline = makeAffine(device(), 7);
    CommandEncoder commands = device().encoder();
    commands.dispatch(pipeline, AffinePush{buffer.address(), 900, 5}, 16);
    device().submit(std::move(commands)).wait();
    const std::vector<std::uint32_t> result = readWords(device(), buffer);
    for (std::uint32_t i = 0; i < result.size(); ++i) {
        ASSERT_EQ(result[i], i < 900 ? i * 7 + 5 : i) << "at " << i;
    }
}

TEST_F(DispatchTest, ScalarLayoutAndWideIntegers) {
    struct Record {
        std::uint64_t wide;
        float position[3];
        std::uint32_t tag;
        std::uint32_t pair[2];
    };
    std::vector<Record> records(64);
    for (std::uint32_t i = 0; i < records.size(); ++i) {
        records[i] = {0x100000001ULL + i, {1.0F, 2.0F, static_cast<float>(i)}, i, {3 * i, i}};
    }
    const Buffer buffer = device().createBufferWith(std::span<const Record>(records), "records");
    const Pipeline pipeline = device().createPipeline(
        {.name = "types", .shader = shaders::types(), .pushConstantBytes = sizeof(std::uint64_t)});
    CommandEncoder commands = device().encoder();
    commands.dispatch(pipeline, buffer.address(), 2);
    device().submit(std::move(commands)).wait();
    std::vector<Record> result(records.size());
    device().download(buffer, 0, std::as_writable_bytes(std::span(result)));
    for (std::uint32_t i = 0; i < result.size(); ++i) {
        EXPECT_EQ(result[i].wide, records[i].wide * records[i].wide + i);
        EXPECT_EQ(result[i].position[2], 2.0F * static_cast<float>(i));
        EXPECT_EQ(result[i].tag, 2 * i);
        EXPECT_EQ(result[i].pair[1], i);
    }
}

TEST_F(DispatchTest, IndirectDispatchesTakeTheirWorkgroupsFromABuffer) {
    // One dispatch writes the number of workgroups of the next: 1 * 1 + 2.
    const Pipeline count = makeAffine(device(), 1);
    const Pipeline pipeline = makeAffine(device(), 7);
    const std::vector<std::uint32_t> start{9, 1, 1, 1};
    const Buffer groups = device().createBufferWith(std::span<const std::uint32_t>(start), "groups");
    const Buffer values = device().createBuffer(1000 * sizeof(std::uint32_t), MemoryKind::Device, "values");
    CommandEncoder commands = device().encoder();
    commands.fill(values, 0, values.size(), 1);
    commands.barrier();
    commands.dispatch(count, AffinePush{groups.address() + 4, 1, 2}, 1);
    commands.dispatchBarrier();
    commands.dispatchIndirect(pipeline, AffinePush{values.address(), 1000, 5}, groups, 4);
    device().submit(std::move(commands)).wait();
    const std::vector<std::uint32_t> result = readWords(device(), values);
    for (std::uint32_t i = 0; i < result.size(); ++i) {
        ASSERT_EQ(result[i], i < 3 * kAffineGroupSize ? 12U : 1U) << "at " << i;
    }
}

TEST_F(DispatchTest, IndirectDispatchesRefuseWhatIsNoPlaceInABuffer) {
    const Pipeline pipeline = makeAffine(device(), 7);
    const Buffer groups = device().createBuffer(16, MemoryKind::Device, "groups");
    CommandEncoder commands = device().encoder();
    const auto dispatch = [&](const Buffer& from, std::uint64_t offset) {
        commands.dispatchIndirect(pipeline, AffinePush{groups.address(), 1, 0}, from, offset);
    };
    expectError(ExitCode::Internal, {"groups"}, [&] { dispatch(groups, 8); });
    expectError(ExitCode::Internal, {"expected a multiple of 4"}, [&] { dispatch(groups, 2); });
    expectError(ExitCode::Internal, {"default-constructed"}, [&] { dispatch(Buffer(), 0); });
}

TEST_F(DispatchTest, ManyDispatchesRunInOrder) {
    // x -> 3 x + i does not commute, so that one dispatch out of order or lost changes the result.
    constexpr std::uint32_t kDispatches = 5000;
    const Pipeline pipeline = makeAffine(device(), 3);
    const Buffer buffer = device().createBuffer(1000 * sizeof(std::uint32_t), MemoryKind::Device, "values");
    CommandEncoder commands = device().encoder();
    commands.fill(buffer, 0, buffer.size(), 1);
    std::uint32_t expected = 1;
    for (std::uint32_t i = 0; i < kDispatches; ++i) {
        commands.barrier();
        recordAffine(commands, pipeline, buffer, i);
        expected = expected * 3 + i;
    }
    device().submit(std::move(commands)).wait();
    EXPECT_EQ(readWords(device(), buffer), std::vector<std::uint32_t>(1000, expected));
}

TEST_F(DispatchTest, SubmissionsSeeWhatEarlierOnesWrote) {
    constexpr std::uint32_t kSubmissions = 200;
    const Pipeline pipeline = makeAffine(device(), 5);
    const Buffer buffer =
        device().createBufferWith(std::span<const std::uint32_t>(std::vector<std::uint32_t>(300, 2)), "values");
    std::uint32_t expected = 2;
    std::vector<Submission> submissions;
    for (std::uint32_t i = 0; i < kSubmissions; ++i) {
        CommandEncoder commands = device().encoder();
        recordAffine(commands, pipeline, buffer, i);
        submissions.push_back(device().submit(std::move(commands)));
        expected = expected * 5 + i;
    }
    submissions.back().wait();
    for (const Submission& submission : submissions) {
        EXPECT_TRUE(submission.finished());
    }
    EXPECT_EQ(readWords(device(), buffer), std::vector<std::uint32_t>(300, expected));
}

TEST_F(DispatchTest, UploadMemoryIsReadByTheDeviceAndReadbackMemoryByTheHost) {
    const Pipeline pipeline = makeAffine(device(), 1);
    const Buffer in = device().createBuffer(256, MemoryKind::Upload, "in");
    const Buffer out = device().createBuffer(256, MemoryKind::Readback, "out");
    ASSERT_EQ(in.mapped().size(), 256U);
    std::fill(in.mapped().begin(), in.mapped().end(), std::byte{1});
    CommandEncoder commands = device().encoder();
    recordAffine(commands, pipeline, in, 1);
    commands.barrier();
    commands.copy(in, 0, out, 0, 256);
    commands.barrier();
    recordAffine(commands, pipeline, out, 1);
    device().submit(std::move(commands)).wait();
    for (std::size_t i = 0; i < 256; ++i) {
        ASSERT_EQ(out.mapped()[i], i % 4 == 0 ? std::byte{3} : std::byte{1}) << "at " << i;
    }
}

TEST_F(DispatchTest, NoWorkgroupsAndNoCommandsAreNothing) {
    const Pipeline pipeline = makeAffine(device(), 1);
    const Buffer buffer = device().createBuffer(0, MemoryKind::Device, "empty");
    EXPECT_EQ(buffer.size(), 0U);
    EXPECT_NE(buffer.address(), 0U);
    CommandEncoder commands = device().encoder();
    recordAffine(commands, pipeline, buffer, 1);
    device().submit(std::move(commands)).wait();
    device().submit(device().encoder()).wait();
    Submission none;
    none.wait();
    EXPECT_TRUE(none.finished());
    EXPECT_TRUE(none.passTimes().empty());
}

TEST_F(DispatchTest, WrongArgumentsAreErrors) {
    const Pipeline pipeline = makeAffine(device(), 1);
    CommandEncoder commands = device().encoder();
    expectError(ExitCode::Internal, {"affine", "8 bytes", "expected 16"},
                [&] { commands.dispatch(pipeline, std::uint64_t{0}, 1); });
    expectError(ExitCode::Internal, {"affine", "workgroups", "at most"},
                [&] { commands.dispatch(pipeline, AffinePush{}, 1, 0xFFFFFFFF); });
    expectError(ExitCode::Internal, {"default-constructed"}, [&] { commands.dispatch(Pipeline(), AffinePush{}, 1); });
    device().submit(std::move(commands)).wait();
    expectError(ExitCode::Internal, {"submitted before"},
                [&] { device().submit(std::move(commands)); }); // NOLINT(bugprone-use-after-move): what is tested
}

} // namespace
} // namespace aureole::gpu
