#pragma once

#include <atomic>
#include <cstddef>
#include <future>
#include <span>
#include <vector>

namespace aureole {

/// Has the system give memory before it is written, from front to back, beside other work: pages are zeroed, and a
/// virtual machine may get them from its host, when they are first touched. What is in the memory stays as it is, also
/// where others write to it meanwhile. Where the system cannot (Linux before 5.14), or the memory is no longer there,
/// nothing happens.
class MemoryAhead {
public:
    explicit MemoryAhead(std::vector<std::span<std::byte>> memory);
    /// Leaves the rest as it is.
    ~MemoryAhead();
    MemoryAhead(const MemoryAhead&) = delete;
    MemoryAhead& operator=(const MemoryAhead&) = delete;
    MemoryAhead(MemoryAhead&&) = delete;
    MemoryAhead& operator=(MemoryAhead&&) = delete;

    /// Until all is there, or cannot be.
    void wait() const { done_.wait(); }

private:
    std::atomic<bool> stopped_{false};
    std::future<void> done_;
};

} // namespace aureole
