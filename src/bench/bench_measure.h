#pragma once

// Device times for the benchmarks: medians of timestamps, and plain copies to hold them against.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace aureole::bench {

/// The median device time, in microseconds, of what `record` records, over `repeats` runs in one submission with a
/// barrier between them. Like all times here, it is taken once the device has warmed up.
double medianMicroseconds(const gpu::Device& device, std::uint32_t repeats,
                          const std::function<void(gpu::CommandEncoder&)>& record);

/// The median times, in microseconds, of the passes that `record` begins, by name, over `repeats` runs in one
/// submission. `record` ends with a barrier.
std::map<std::string, double> medianPasses(const gpu::Device& device, std::uint32_t repeats,
                                           const std::function<void(gpu::CommandEncoder&)>& record);

/// Times of repeated measurements, in microseconds.
struct Spread {
    double median = 0.0;
    double lowerQuartile = 0.0;
    double upperQuartile = 0.0;
};

/// The spread of measurements, at least one; quartiles between two of them are interpolated.
Spread spreadOf(std::vector<double> values);

/// chainedMicroseconds with the quartiles beside the median.
Spread chainedSpread(const gpu::Device& device, std::uint32_t repeats,
                     const std::function<void(gpu::CommandEncoder&)>& record);

/// The median over `repeats` submissions of the microseconds of one run in a chain of many (on a software device, of
/// two) between two timestamps, so that those cost next to nothing and passes that `record` begins cost nothing.
/// `record` ends with a barrier.
double chainedMicroseconds(const gpu::Device& device, std::uint32_t repeats,
                           const std::function<void(gpu::CommandEncoder&)>& record);

/// For PathTracer::render: goes on to the last sample.
inline bool goOn(double /*share*/) {
    return true;
}

/// Whether buffers of so many bytes altogether, `largest` the largest of them, fit the device with some room left.
bool fitsDevice(const gpu::DeviceInfo& device, std::uint64_t bytes, std::uint64_t largest);

/// Copies buffers by a plain kernel of 128-bit loads and stores.
class CopyKernel {
public:
    explicit CopyKernel(const gpu::Device& device);

    /// Records a copy of `bytes`, a multiple of 16 below 64 GiB, from the start of a buffer to that of another. The
    /// caller sets barriers.
    void record(gpu::CommandEncoder& commands, const gpu::Buffer& source, const gpu::Buffer& target,
                std::uint64_t bytes) const;

    /// The time of such a copy by medianMicroseconds.
    double microseconds(const gpu::Device& device, std::uint32_t repeats, const gpu::Buffer& source,
                        const gpu::Buffer& target, std::uint64_t bytes) const;

    /// The bytes that copies of `bytes` read and write in a microsecond, by chainedMicroseconds, between buffers made
    /// for it.
    double chainedRate(const gpu::Device& device, std::uint32_t repeats, std::uint64_t bytes) const;

private:
    gpu::Pipeline pipeline_;
};

} // namespace aureole::bench
