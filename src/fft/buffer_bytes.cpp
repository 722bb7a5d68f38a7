#include "fft/buffer_bytes.h"

#include <limits>

#include "core/error.h"

namespace aureole::fft {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    if (b != 0 && a > kMost / b) {
        fail(ExitCode::OutOfMemory, "FFT: a buffer of {} x {} elements or bytes; expected less than 2^64", a, b);
    }
    return a * b;
}

std::uint64_t add(std::uint64_t a, std::uint64_t b) {
    if (a > kMost - b) {
        fail(ExitCode::OutOfMemory, "FFT: a buffer of {} + {} elements; expected less than 2^64", a, b);
    }
    return a + b;
}

} // namespace

std::uint64_t elementCount(std::initializer_list<Extent> layout) {
    std::uint64_t last = 0;
    for (const Extent& extent : layout) {
        if (extent.count == 0) {
            return 0;
        }
        last = add(last, multiply(extent.count - 1, extent.stride));
    }
    return add(last, 1);
}

std::uint64_t bytesOf(std::initializer_list<Extent> layout, std::uint32_t elementBytes) {
    return multiply(elementCount(layout), elementBytes);
}

} // namespace aureole::fft
