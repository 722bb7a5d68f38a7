#include "cli/bench_measure.h"

#include <algorithm>
#include <vector>

#include "cli_shaders.h"

namespace aureole::cli {

namespace {

/// The push constants of bench_copy.comp.
struct CopyPush {
    std::uint64_t source;
    std::uint64_t target;
    std::uint32_t words;
};

constexpr std::uint64_t kWordBytes = 16;
constexpr std::uint64_t kWordsOfGroup = 1024;
constexpr std::uint32_t kMostGroupsAlongX = 32768;

} // namespace

double medianMicroseconds(const gpu::Device& device, std::uint32_t repeats,
                          const std::function<void(gpu::CommandEncoder&)>& record) {
    constexpr std::uint32_t kWarmUps = 3;
    gpu::CommandEncoder commands = device.encoder();
    for (std::uint32_t i = 0; i < kWarmUps + repeats; ++i) {
        commands.barrier();
        commands.beginPass(i < kWarmUps ? "warm-up" : "timed");
        record(commands);
        commands.barrier();
    }
    gpu::Submission submission = device.submit(std::move(commands));
    submission.wait();
    std::vector<double> times;
    for (const gpu::PassTime& pass : submission.passTimes()) {
        if (pass.name == "timed") {
            times.push_back(pass.milliseconds * 1000.0);
        }
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

CopyKernel::CopyKernel(const gpu::Device& device)
    : pipeline_(device.createPipeline(
          {.name = "bench.copy", .spirv = shaders::bench_copy(), .pushConstantBytes = sizeof(CopyPush)})) {}

double CopyKernel::microseconds(const gpu::Device& device, std::uint32_t repeats, const gpu::Buffer& source,
                                const gpu::Buffer& target, std::uint64_t bytes) const {
    const CopyPush push{source.address(), target.address(), static_cast<std::uint32_t>(bytes / kWordBytes)};
    const auto groups = static_cast<std::uint32_t>((push.words + kWordsOfGroup - 1) / kWordsOfGroup);
    const std::uint32_t along = std::min(groups, kMostGroupsAlongX);
    return medianMicroseconds(device, repeats, [&](gpu::CommandEncoder& commands) {
        commands.dispatch(pipeline_, push, along, (groups + along - 1) / along);
    });
}

} // namespace aureole::cli
