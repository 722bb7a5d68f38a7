#include "voxel/build/radix_sort.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/threads/parallel.h"

namespace aureole {

namespace {

constexpr unsigned kDigitBits = 8;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr std::size_t kKeysPerTask = std::size_t{1} << 18U;

using Histogram = std::array<std::size_t, kDigits>;

std::size_t digitOf(std::uint64_t key, unsigned shift) {
    return (key >> shift) & (kDigits - 1);
}

/// Calls body(task, first key, end) for tasks of a fixed size.
template <typename Body>
void forTasks(std::size_t keys, const Body& body) {
    const std::size_t tasks = (keys + kKeysPerTask - 1) / kKeysPerTask;
    parallelFor(static_cast<std::int64_t>(tasks), 1, [&](std::int64_t index) {
        const auto task = static_cast<std::size_t>(index);
        body(task, task * kKeysPerTask, std::min(keys, (task + 1) * kKeysPerTask));
    });
}

void sortDigit(const std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& sorted, unsigned shift) {
    std::vector<Histogram> places((keys.size() + kKeysPerTask - 1) / kKeysPerTask, Histogram{});
    forTasks(keys.size(), [&](std::size_t task, std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
            ++places[task][digitOf(keys[i], shift)];
        }
    });
    std::size_t place = 0;
    for (std::size_t digit = 0; digit < kDigits; ++digit) {
        for (Histogram& task : places) {
            place += std::exchange(task[digit], place);
        }
    }
    forTasks(keys.size(), [&](std::size_t task, std::size_t first, std::size_t end) {
        Histogram next = places[task];
        for (std::size_t i = first; i < end; ++i) {
            sorted[next[digitOf(keys[i], shift)]++] = keys[i];
        }
    });
}

} // namespace

void radixSort(std::vector<std::uint64_t>& keys, unsigned lowBit, unsigned highBit) {
    std::vector<std::uint64_t> sorted(keys.size());
    for (unsigned shift = lowBit; shift < highBit; shift += kDigitBits) {
        sortDigit(keys, sorted, shift);
        keys.swap(sorted);
    }
}

} // namespace aureole
