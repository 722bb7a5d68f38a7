#include "bench/bench_sort.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "core/error.h"
#include "core/threads/parallel.h"

namespace aureole::bench {

SortArena::SortArena(const gpu::Device& device, std::uint32_t count, std::uint32_t keyBits)
    : hostKeys_(count) {
    std::mt19937_64 random(1);
    for (std::uint64_t& key : hostKeys_) {
        key = random() >> (64 - keyBits);
    }
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    inOrder_ = hostKeys_;
    std::sort(inOrder_.begin(), inOrder_.end());
    keys_ = device.createBufferWith(std::span<const std::uint64_t>(hostKeys_), "bench keys");
    values_ = device.createBufferWith(std::span<const std::uint32_t>(numbers), "bench values");
    sortedKeys_ = device.createBuffer(keys_.size(), gpu::MemoryKind::Device, "bench sorted keys");
    sortedValues_ = device.createBuffer(values_.size(), gpu::MemoryKind::Device, "bench sorted values");
}

void SortArena::clearOutput(const gpu::Device& device) const {
    gpu::CommandEncoder commands = device.encoder();
    commands.fill(sortedKeys_, 0, sortedKeys_.size(), ~0U);
    commands.fill(sortedValues_, 0, sortedValues_.size(), ~0U);
    device.submit(std::move(commands)).wait();
}

void SortArena::expectKeys(const std::string& what, const std::vector<std::uint64_t>& found) const {
    const auto [at, own] = std::mismatch(found.begin(), found.end(), inOrder_.begin());
    if (at != found.end()) {
        fail(ExitCode::Internal, "bench scan: {}: key {} is {:#x}, expected {:#x}", what, at - found.begin(), *at,
             *own);
    }
}

void SortArena::expectSorted(const gpu::Device& device, const std::string& what, bool alone) const {
    std::vector<std::uint64_t> keys(hostKeys_.size());
    device.download(sortedKeys_, 0, std::as_writable_bytes(std::span(keys)));
    if (alone) {
        expectKeys(what, keys);
        return;
    }
    std::vector<std::uint32_t> values(hostKeys_.size());
    device.download(sortedValues_, 0, std::as_writable_bytes(std::span(values)));
    // Keys with their numbers that rise strictly are all different, and as many as there were: all of them.
    constexpr std::int64_t kGrain = 1 << 16;
    parallelFor(static_cast<std::int64_t>(keys.size()), kGrain, [&](std::int64_t place) {
        const auto i = static_cast<std::size_t>(place);
        const bool isOfInput = values[i] < hostKeys_.size() && keys[i] == hostKeys_[values[i]];
        const bool rises = i == 0 || keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && values[i - 1] < values[i]);
        if (!isOfInput || !rises) {
            fail(ExitCode::Internal, "bench scan: {}: key {} is {:#x} with value {}, {}", what, i, keys[i], values[i],
                 isOfInput ? "out of order" : "not one of the input's");
        }
    });
}

} // namespace aureole::bench
