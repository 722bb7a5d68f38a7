#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace aureole::sandbox {

/// The other end is gone.
struct ChannelClosed : std::runtime_error {
    ChannelClosed()
        : std::runtime_error("the other end is closed") {}
};

/// The deadline has passed.
struct ChannelTimeout : std::runtime_error {
    ChannelTimeout()
        : std::runtime_error("the time is over") {}
};

/// One end of a pair of connected stream sockets: bytes both ways, and descriptors. Every function throws ChannelClosed
/// or ChannelTimeout: past the deadline also where there would be no wait, as the other end may never stop sending.
class Channel {
public:
    using Clock = std::chrono::steady_clock;

    /// Takes over the descriptor.
    explicit Channel(int descriptor)
        : descriptor_(descriptor) {}
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    Channel(Channel&&) = delete;
    Channel& operator=(Channel&&) = delete;

    void setDeadline(Clock::time_point deadline) { deadline_ = deadline; }

    void send(std::span<const std::byte> bytes);

    /// One byte that carries a descriptor, which stays the sender's.
    void sendDescriptor(int descriptor);

    /// Fills `bytes`.
    void receive(std::span<std::byte> bytes);

    /// At least one byte and at most as many as `bytes` has; returns how many.
    std::size_t receiveSome(std::span<std::byte> bytes);

    /// What sendDescriptor sent; the receiver's from now on. Negative where this process may open no more.
    int receiveDescriptor();

private:
    /// Milliseconds until the deadline, for poll.
    int timeLeft() const;
    void wait(short events) const;
    /// Repeats a system call that moves bytes until it has; returns how many. Waits for `events` meanwhile.
    template <typename Call>
    std::size_t transfer(short events, const Call& call);

    int descriptor_;
    std::optional<Clock::time_point> deadline_;
};

} // namespace aureole::sandbox
