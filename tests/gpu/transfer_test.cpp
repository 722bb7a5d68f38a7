#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gpu/transfer.h"
#include "gpu_test/affine.h"
#include "gpu_test/error_test.h"
#include "gpu_test/gpu_test.h"

namespace aureole::gpu {
namespace {

std::vector<std::byte> randomBytes(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(count);
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(random()); });
    return bytes;
}

class TransferTest : public GpuTest {
protected:
    static std::vector<std::byte> read(const Buffer& buffer, std::uint64_t offset, std::size_t count) {
        std::vector<std::byte> bytes(count);
        device().download(buffer, offset, bytes);
        return bytes;
    }
};

TEST_F(TransferTest, OddSizesAtOddOffsetsTouchNothingElse) {
    const std::vector<std::byte> before = randomBytes(4099, 1);
    const Buffer buffer = device().createBufferWith(std::span<const std::byte>(before), "bytes");
    ASSERT_EQ(buffer.size(), 4099U);
    for (const std::size_t count : {0U, 1U, 2U, 3U, 5U, 7U, 1021U, 4099U - 13U}) {
        const std::vector<std::byte> piece = randomBytes(count, 2);
        device().upload(buffer, 0, before);
        device().upload(buffer, 13, piece);
        std::vector<std::byte> expected = before;
        std::copy(piece.begin(), piece.end(), expected.begin() + 13);
        EXPECT_EQ(read(buffer, 0, 4099), expected);
        EXPECT_EQ(read(buffer, 13, count), piece);
    }
}

TEST_F(TransferTest, MoreThanTheRingHolds) {
    const std::size_t size = 2 * StagingRing::kParts * StagingRing::kPartBytes + StagingRing::kPartBytes / 2 + 1;
    const std::vector<std::byte> bytes = randomBytes(size, 3);
    const Buffer buffer = device().createBufferWith(std::span<const std::byte>(bytes), "large");
    EXPECT_TRUE(read(buffer, 0, size) == bytes);
    // A whole number of rings, not at the start.
    const std::size_t ring = StagingRing::kParts * StagingRing::kPartBytes;
    EXPECT_TRUE(std::ranges::equal(read(buffer, 777, ring), std::span(bytes).subspan(777, ring)));
}

TEST_F(TransferTest, UploadsFollowTheCommandsBefore) {
    // The upload must not overtake a submission that still writes the buffer.
    const Pipeline pipeline = makeAffine(device(), 3);
    const Buffer buffer = device().createBuffer(std::uint64_t{4} << 20, MemoryKind::Device, "values");
    CommandEncoder commands = device().encoder();
    for (int i = 0; i < 20; ++i) {
        recordAffine(commands, pipeline, buffer, 1);
        commands.barrier();
    }
    const Submission running = device().submit(std::move(commands));
    const std::vector<std::byte> bytes = randomBytes(buffer.size(), 4);
    device().upload(buffer, 0, bytes);
    EXPECT_TRUE(running.finished());
    EXPECT_TRUE(read(buffer, 0, bytes.size()) == bytes);
}

TEST_F(TransferTest, FillAndCopyKeepToTheirRanges) {
    const Buffer a = device().createBuffer(100, MemoryKind::Device, "a");
    const Buffer b = device().createBuffer(103, MemoryKind::Device, "b");
    CommandEncoder commands = device().encoder();
    commands.fill(a, 0, 100, 0x04030201);
    commands.fill(b, 0, 100, 0);
    commands.barrier();
    commands.fill(a, 8, 12, 0xFFFFFFFF);
    commands.barrier();
    commands.copy(a, 5, b, 10, 91);
    commands.barrier();
    commands.copy(b, 10, b, 1, 9); // within one buffer
    device().submit(std::move(commands)).wait();

    std::vector<std::byte> pattern(100);
    for (std::size_t i = 0; i < 100; ++i) {
        pattern[i] = i >= 8 && i < 20 ? std::byte{0xFF} : static_cast<std::byte>(i % 4 + 1);
    }
    EXPECT_EQ(read(a, 0, 100), pattern);
    std::vector<std::byte> copied(101);
    std::copy_n(pattern.begin() + 5, 91, copied.begin() + 10);
    std::copy_n(copied.begin() + 10, 9, copied.begin() + 1);
    EXPECT_EQ(read(b, 0, 101), copied);
}

TEST_F(TransferTest, RangesOutsideABufferAreErrors) {
    const Buffer small = device().createBuffer(16, MemoryKind::Device, "small");
    const Buffer big = device().createBuffer(32, MemoryKind::Device, "big");
    std::vector<std::byte> bytes(17);
    CommandEncoder commands = device().encoder();
    expectError(ExitCode::Internal, {"upload", "'small'", "16"}, [&] { device().upload(small, 0, bytes); });
    expectError(ExitCode::Internal, {"download", "'small'"}, [&] { device().download(small, 0, bytes); });
    expectError(ExitCode::Internal, {"copy", "'small'"}, [&] { commands.copy(big, 0, small, 1, 16); });
    expectError(ExitCode::Internal, {"copy", "'small'"}, [&] { commands.copy(small, ~0ULL, big, 0, 16); });
    expectError(ExitCode::Internal, {"copy", "overlap"}, [&] { commands.copy(big, 0, big, 8, 16); });
    expectError(ExitCode::Internal, {"fill", "'small'"}, [&] { commands.fill(small, 4, 16, 0); });
    expectError(ExitCode::Internal, {"fill", "multiples of 4"}, [&] { commands.fill(small, 0, 3, 0); });
    expectError(ExitCode::Internal, {"fill"}, [&] { commands.fill(Buffer(), 0, 4, 0); });
    expectError(ExitCode::Internal, {"upload"}, [&] { device().upload(Buffer(), 0, bytes); });
}

} // namespace
} // namespace aureole::gpu
