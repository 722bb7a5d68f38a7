#include "fft/shuffles.h"

#include <bit>
#include <numeric>

#include "core/divide_up.h"

namespace aureole::fft {

namespace {

bool canShuffle(const ExchangeTask& task, std::uint32_t boundary, std::uint32_t stride, std::uint32_t subgroupSize) {
    const std::uint32_t radix = task.radices[boundary];
    if (radix != task.radices[boundary + 1] || !std::has_single_bit(radix)) {
        return false;
    }
    const bool firstFastest = boundary == 0 ? task.firstLinesFastest : task.laterLinesFastest;
    if (task.lines > 1 && firstFastest != task.laterLinesFastest) {
        return false; // lines change hands as well
    }
    const bool linesFastest = task.lines > 1 && task.laterLinesFastest;
    const std::uint32_t span = linesFastest ? stride * task.lines : stride;
    if (!std::has_single_bit(span) || span > subgroupSize) {
        return false;
    }
    // The butterflies of a span must not begin in one subgroup, line or element and end in the next.
    const bool oneGroup = task.length / radix <= task.threads;
    const bool oneRow = task.lines == 1 || linesFastest;
    return (oneGroup && oneRow) || task.threads % stride == 0;
}

} // namespace

std::uint32_t shuffledBoundaries(const ExchangeTask& task, std::uint32_t subgroupSize) {
    if (task.threads * task.lines % subgroupSize != 0) {
        return 0;
    }
    std::uint32_t found = 0;
    std::uint32_t stride = task.length;
    for (std::uint32_t boundary = 0; boundary + 1 < task.radices.size(); ++boundary) {
        stride /= task.radices[boundary];
        if (canShuffle(task, boundary, stride, subgroupSize)) {
            found |= 1U << boundary;
        }
    }
    return found;
}

std::uint32_t threadsOfWholeSubgroups(const ExchangeTask& task, std::uint32_t subgroupSize) {
    const std::uint32_t multiple = subgroupSize / std::gcd(subgroupSize, task.lines);
    const std::uint32_t threads = divideUp(task.threads, multiple) * multiple;
    const std::uint32_t total = task.threads * task.lines;
    const bool asMany = threads * task.lines / subgroupSize == divideUp(total, subgroupSize);
    return asMany ? threads : 0;
}

} // namespace aureole::fft
