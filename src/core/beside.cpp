#include "core/beside.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace aureole {

void forEachBeside(std::size_t count, const std::function<void(std::size_t)>& body) {
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++) {
                body(i);
            }
        } catch (...) {
            next = count;
            throw;
        }
    };
    const std::size_t threads = std::min<std::size_t>(count, std::max(2U, std::thread::hardware_concurrency()) / 2);
    std::vector<std::future<void>> others; // each waits where it goes
    for (std::size_t i = 1; i < threads; ++i) {
        others.push_back(std::async(std::launch::async, run));
    }
    run();
    for (std::future<void>& other : others) {
        other.get();
    }
}

void forEachBehind(std::size_t count, const std::function<void(std::size_t)>& first,
                   const std::function<void(std::size_t)>& then) {
    if (count == 1) { // not worth a thread
        first(0);
        then(0);
        return;
    }
    std::mutex mutex;
    std::condition_variable moved;
    std::size_t done = 0;
    bool failed = false;
    const auto note = [&](const auto& change) {
        {
            const std::scoped_lock lock(mutex);
            change();
        }
        moved.notify_all();
    };
    std::future<void> leading = std::async(std::launch::async, [&] {
        try {
            for (std::size_t i = 0; i < count; ++i) {
                first(i);
                note([&] { ++done; });
            }
        } catch (...) {
            note([&] { failed = true; });
            throw;
        }
    });
    forEachBeside(count, [&](std::size_t i) {
        const bool isDone = [&] {
            std::unique_lock lock(mutex);
            moved.wait(lock, [&] { return done > i || failed; });
            return done > i;
        }();
        if (isDone) {
            then(i);
        }
    });
    leading.get();
}

} // namespace aureole
