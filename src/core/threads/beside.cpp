#include "core/threads/beside.h"

#include <algorithm>
#include <atomic>
#include <future>
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

} // namespace aureole
