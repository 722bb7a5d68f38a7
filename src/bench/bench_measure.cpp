#include "bench/bench_measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "bench_shaders.h"

namespace aureole::bench {

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

using Record = std::function<void(gpu::CommandEncoder&)>;

/// Runs the work for a while: GPUs that idle run at low clocks, and take time to raise them. Returns the microseconds
/// that one run took at last.
double warmUp(const gpu::Device& device, const Record& record) {
    constexpr std::chrono::milliseconds kLongEnough{300};
    const bool isCpu = device.info().isCpu;
    const int runs = isCpu ? 1 : 10;
    const auto begin = std::chrono::steady_clock::now();
    double time = 0.0;
    do {
        gpu::CommandEncoder commands = device.encoder();
        commands.beginWhole("warm-up");
        for (int i = 0; i < runs; ++i) {
            record(commands);
            commands.barrier();
        }
        gpu::Submission submission = device.submit(std::move(commands));
        submission.wait();
        time = submission.passTimes().front().milliseconds * 1000.0 / runs;
    } while (!isCpu && std::chrono::steady_clock::now() - begin < kLongEnough);
    return time;
}

/// Runs of a chain: as many as make what lies between chains small beside it.
std::uint32_t chainOf(double microseconds) {
    constexpr double kLongEnough = 10000.0;
    constexpr double kFewest = 2.0;
    constexpr double kMost = 20.0;
    return static_cast<std::uint32_t>(std::clamp(std::ceil(kLongEnough / std::max(microseconds, 1.0)), kFewest, kMost));
}

} // namespace

Spread spreadOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto at = [&values](double share) {
        const double place = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        return std::lerp(values[below], values[above], place - static_cast<double>(below));
    };
    return {at(0.5), at(0.25), at(0.75)};
}

std::map<std::string, double> medianPasses(const gpu::Device& device, std::uint32_t repeats, const Record& record) {
    warmUp(device, record);
    gpu::CommandEncoder commands = device.encoder();
    for (std::uint32_t i = 0; i < repeats; ++i) {
        record(commands);
    }
    gpu::Submission submission = device.submit(std::move(commands));
    submission.wait();
    std::map<std::string, std::vector<double>> times;
    for (const gpu::PassTime& pass : submission.passTimes()) {
        times[pass.name].push_back(pass.milliseconds * 1000.0);
    }
    std::map<std::string, double> medians;
    for (auto& [name, values] : times) {
        medians[name] = spreadOf(std::move(values)).median;
    }
    return medians;
}

double medianMicroseconds(const gpu::Device& device, std::uint32_t repeats, const Record& record) {
    const std::string name = "timed";
    return medianPasses(device, repeats,
                        [&](gpu::CommandEncoder& commands) {
                            commands.barrier();
                            commands.beginPass(name);
                            record(commands);
                            commands.barrier();
                        })
        .at(name);
}

Spread chainedSpread(const gpu::Device& device, std::uint32_t repeats, const Record& record) {
    const double once = warmUp(device, record);
    const std::uint32_t chain = device.info().isCpu ? 2 : chainOf(once);
    std::vector<double> times;
    for (std::uint32_t i = 0; i < repeats; ++i) {
        gpu::CommandEncoder commands = device.encoder();
        commands.beginWhole("whole");
        for (std::uint32_t run = 0; run < chain; ++run) {
            record(commands);
        }
        gpu::Submission submission = device.submit(std::move(commands));
        submission.wait();
        times.push_back(submission.passTimes().front().milliseconds * 1000.0 / chain);
    }
    return spreadOf(std::move(times));
}

double chainedMicroseconds(const gpu::Device& device, std::uint32_t repeats, const Record& record) {
    return chainedSpread(device, repeats, record).median;
}

bool fitsDevice(const gpu::DeviceInfo& device, std::uint64_t bytes, std::uint64_t largest) {
    return largest <= device.maxAllocationBytes && bytes <= device.memoryBytes / 10 * 9;
}

CopyKernel::CopyKernel(const gpu::Device& device)
    : pipeline_(device.createPipeline(
          {.name = "bench.copy", .shader = shaders::bench_copy(), .pushConstantBytes = sizeof(CopyPush)})) {}

void CopyKernel::record(gpu::CommandEncoder& commands, const gpu::Buffer& source, const gpu::Buffer& target,
                        std::uint64_t bytes) const {
    const CopyPush push{source.address(), target.address(), static_cast<std::uint32_t>(bytes / kWordBytes)};
    const auto groups = static_cast<std::uint32_t>((push.words + kWordsOfGroup - 1) / kWordsOfGroup);
    const std::uint32_t along = std::min(groups, kMostGroupsAlongX);
    commands.dispatch(pipeline_, push, along, (groups + along - 1) / along);
}

double CopyKernel::microseconds(const gpu::Device& device, std::uint32_t repeats, const gpu::Buffer& source,
                                const gpu::Buffer& target, std::uint64_t bytes) const {
    return medianMicroseconds(device, repeats,
                              [&](gpu::CommandEncoder& commands) { record(commands, source, target, bytes); });
}

double CopyKernel::chainedRate(const gpu::Device& device, std::uint32_t repeats, std::uint64_t bytes) const {
    const gpu::Buffer source = device.createBuffer(bytes, gpu::MemoryKind::Device, "bench copy source");
    const gpu::Buffer target = device.createBuffer(bytes, gpu::MemoryKind::Device, "bench copy target");
    gpu::CommandEncoder fill = device.encoder();
    fill.fill(source, 0, bytes, 1);
    device.submit(std::move(fill)).wait();
    const double time = chainedMicroseconds(device, repeats, [&](gpu::CommandEncoder& commands) {
        record(commands, source, target, bytes);
        commands.dispatchBarrier();
    });
    return 2.0 * static_cast<double>(bytes) / time;
}

} // namespace aureole::bench
