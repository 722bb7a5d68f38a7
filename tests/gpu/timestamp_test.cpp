#include <string>
#include <vector>

#include "gpu_test/affine.h"
#include "gpu_test/error_test.h"
#include "gpu_test/gpu_test.h"

namespace aureole::gpu {
namespace {

class TimestampTest : public GpuTest {};

TEST_F(TimestampTest, EveryPassHasItsTime) {
    // More passes than a pool of timestamps holds, twice, so that pools are made and used again.
    const Pipeline pipeline = makeAffine(device(), 3);
    const Buffer buffer = device().createBuffer(std::uint64_t{1} << 20, MemoryKind::Device, "values");
    for (int round = 0; round < 2; ++round) {
        CommandEncoder commands = device().encoder();
        commands.fill(buffer, 0, buffer.size(), 1);
        for (int i = 0; i < 150; ++i) {
            commands.barrier();
            commands.beginPass("pass " + std::to_string(i));
            recordAffine(commands, pipeline, buffer, 1);
        }
        Submission submission = device().submit(std::move(commands));
        expectError(ExitCode::Internal, {"not waited"}, [&] { static_cast<void>(submission.passTimes()); });
        submission.wait();
        const std::vector<PassTime> times = submission.passTimes();
        ASSERT_EQ(times.size(), 150U);
        for (std::size_t i = 0; i < times.size(); ++i) {
            EXPECT_EQ(times[i].name, "pass " + std::to_string(i));
            EXPECT_GT(times[i].milliseconds, 0.0);
            EXPECT_LT(times[i].milliseconds, 60e3);
        }
    }
}

TEST_F(TimestampTest, WithoutPassesThereAreNoTimes) {
    CommandEncoder commands = device().encoder();
    commands.barrier();
    Submission submission = device().submit(std::move(commands));
    submission.wait();
    EXPECT_TRUE(submission.passTimes().empty());
}

} // namespace
} // namespace aureole::gpu
