#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace aureole {

/// Pixels that a thread takes at once of loops over a picture: a grain for parallelFor.
inline constexpr std::int64_t kPixelsAtOnce = 4096;

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

} // namespace aureole
