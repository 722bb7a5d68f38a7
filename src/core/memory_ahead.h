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

/// Makes room for so many values in an empty vector. Of much memory several cores have the system give it, which takes
/// one core longer than to fill it.
template <typename T>
void reserveAhead(std::vector<T>& values, std::size_t count) {
    constexpr std::size_t kMuch = std::size_t{4} << 20U;
    values.reserve(count);
    if (count * sizeof(T) >= kMuch) {
        MemoryAhead({{reinterpret_cast<std::byte*>(values.data()), count * sizeof(T)}}).wait();
    }
}

} // namespace aureole
