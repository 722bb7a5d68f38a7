#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <vector>

namespace aureole {

/// Pixels that a thread takes at once of loops over a picture: a grain for parallelFor.
inline constexpr std::int64_t kPixelsAtOnce = 4096;

/// Does all of the tasks, each on a thread of its own but for the first, and waits for them. Then the first Error in
/// the order of the tasks is thrown.
void concurrently(std::initializer_list<std::function<void()>> tasks);

/// Calls body(i) for every i in [0, count) on all CPU cores, in chunks of `grain`; a single chunk runs on the calling
/// thread and waits for no other. The first exception that a body throws is rethrown on the calling thread after the
/// loop; later iterations are skipped once one has thrown.
/// Bodies must not depend on order, so that results do not depend on the number of threads.
template <typename Body>
void parallelFor(std::int64_t count, std::int64_t grain, const Body& body) {
    std::exception_ptr error;
    std::atomic<bool> failed{false};
#pragma omp parallel for schedule(dynamic) if (count > grain)
    for (std::int64_t chunk = 0; chunk < (count + grain - 1) / grain; ++chunk) {
        if (failed.load(std::memory_order_relaxed)) {
            continue;
        }
        try {
            const std::int64_t end = (chunk + 1) * grain < count ? (chunk + 1) * grain : count;
            for (std::int64_t i = chunk * grain; i < end; ++i) {
                body(i);
            }
        } catch (...) {
#pragma omp critical(aureole_parallel_error)
            if (!error) {
                error = std::current_exception();
            }
            failed = true;
        }
    }
    if (error) {
        std::rethrow_exception(error);
    }
}

/// Calls body(i) for every i in [0, count) of a picture's pixels or values, as parallelFor does.
template <typename Body>
void forEachIndex(std::size_t count, const Body& body) {
    parallelFor(static_cast<std::int64_t>(count), kPixelsAtOnce,
                [&](std::int64_t i) { body(static_cast<std::size_t>(i)); });
}

/// What body(first, end) makes of each run of kPixelsAtOnce pixels, in the order of the runs: sums of these do not
/// depend on the number of threads.
template <typename Body>
auto ofRuns(std::size_t pixels, const Body& body) {
    constexpr auto kRun = static_cast<std::size_t>(kPixelsAtOnce);
    std::vector<decltype(body(pixels, pixels))> results((pixels + kRun - 1) / kRun);
    parallelFor(static_cast<std::int64_t>(results.size()), 1, [&](std::int64_t number) {
        const std::size_t first = static_cast<std::size_t>(number) * kRun;
        results[static_cast<std::size_t>(number)] = body(first, std::min(first + kRun, pixels));
    });
    return results;
}

} // namespace aureole
