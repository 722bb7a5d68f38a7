#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "core/threads/parallel.h"

namespace aureole {

/// Calls produce(i) for every i in [0, count) on all cores and consume(i, result) for each result in the order of i,
/// one at a time. Results that wait for an earlier one take at most about `waitingBytes` (by result.byteCount()) beyond
/// one for each core. What is consumed does not depend on the number of threads. The first exception is rethrown.
template <typename Produce, typename Consume>
void forEachInOrder(std::uint64_t count, std::uint64_t waitingBytes, const Produce& produce, const Consume& consume) {
    using Result = decltype(produce(std::uint64_t{}));
    std::mutex mutex;
    std::condition_variable roomOrFailure;
    std::map<std::uint64_t, Result> waiting; // finished, not consumed
    std::uint64_t bytes = 0;                 // of those
    std::uint64_t started = 0;
    std::uint64_t consumed = 0;
    bool consuming = false;
    bool failed = false;
    const auto work = [&](std::uint64_t index) {
        Result result = produce(index);
        const std::uint64_t size = result.byteCount();
        std::unique_lock lock(mutex);
        // Whoever has the next result never waits, so there is always progress.
        roomOrFailure.wait(lock, [&] { return failed || index == consumed || bytes + size <= waitingBytes; });
        if (failed) {
            return;
        }
        bytes += size;
        waiting.emplace(index, std::move(result));
        while (!consuming && !failed && !waiting.empty() && waiting.begin()->first == consumed) {
            consuming = true;
            auto next = waiting.extract(waiting.begin());
            const std::uint64_t nextSize = next.mapped().byteCount();
            lock.unlock();
            consume(next.key(), std::move(next.mapped()));
            lock.lock();
            consuming = false;
            bytes -= nextSize;
            ++consumed;
            roomOrFailure.notify_all();
        }
    };
    parallelFor(static_cast<std::int64_t>(count), 1, [&](std::int64_t) {
        try {
            std::unique_lock lock(mutex);
            const std::uint64_t index = started++; // in order, whatever order the loop has
            lock.unlock();
            work(index);
        } catch (...) {
            const std::unique_lock lock(mutex);
            failed = true;
            roomOrFailure.notify_all();
            throw;
        }
    });
}

} // namespace aureole
