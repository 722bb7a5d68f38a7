#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "core/progress.h"

namespace aureole {

/// A Progress that many threads add to. None of them waits: a thread that finds another one showing goes on.
class SharedProgress {
public:
    SharedProgress(std::string stage, std::uint64_t total)
        : progress_(std::move(stage), total) {}
    ~SharedProgress() { progress_.update(done_); }
    SharedProgress(const SharedProgress&) = delete;
    SharedProgress& operator=(const SharedProgress&) = delete;
    SharedProgress(SharedProgress&&) = delete;
    SharedProgress& operator=(SharedProgress&&) = delete;

    void add(std::uint64_t work) {
        const std::uint64_t done = done_.fetch_add(work, std::memory_order_relaxed) + work;
        if (const std::unique_lock lock(showing_, std::try_to_lock); lock) {
            progress_.update(done);
        }
    }

private:
    Progress progress_;
    std::atomic<std::uint64_t> done_{0};
    std::mutex showing_;
};

} // namespace aureole
