#include <cstdint>
#include <vector>

#include "gpu_test/gpu_test.h"
#include "test_gpu_shaders.h"

namespace aureole::gpu {
namespace {

/// The push constants of affine.comp.
struct AffinePush {
    std::uint64_t values;
    std::uint32_t count;
    std::uint32_t term;
};

std::vector<std::uint32_t> readWords(const Device& device, const Buffer& buffer) {
    std::vector<std::uint32_t> words(buffer.size() / sizeof(std::uint32_t));
    device.download(buffer, 0, std::as_writable_bytes(std::span(words)));
    return words;
}

class DispatchTest : public GpuTest {};

TEST_F(DispatchTest, PushAndSpecializationConstantsReachTheShader) {
    std::vector<std::uint32_t> values(1000);
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        values[i] = i;
    }
    const Buffer buffer = device().createBufferWith(std::span<const std::uint32_t>(values), "values");
    const Pipeline pipeline = device().createPipeline({.name = "affine",
                                                       .spirv = shaders::affine(),
                                                       .pushConstantBytes = sizeof(AffinePush),
                                                       .specialization = {{0, 7}}});
    CommandEncoder commands = device().encoder();
    commands.beginPass("affine");
    commands.dispatch(pipeline, AffinePush{buffer.address(), 900, 5}, 16);
    Submission submission = device().submit(std::move(commands));
    submission.wait();
    const std::vector<std::uint32_t> result = readWords(device(), buffer);
    for (std::uint32_t i = 0; i < result.size(); ++i) {
        ASSERT_EQ(result[i], i < 900 ? i * 7 + 5 : i) << "at " << i;
    }
    ASSERT_EQ(submission.passTimes().size(), 1U);
    EXPECT_EQ(submission.passTimes()[0].name, "affine");
}

} // namespace
} // namespace aureole::gpu
