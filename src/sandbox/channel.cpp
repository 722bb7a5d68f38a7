#include "sandbox/channel.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace aureole::sandbox {

Channel::~Channel() {
    ::close(descriptor_);
}

int Channel::timeLeft() const {
    if (!deadline_) {
        return -1; // for ever
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - Clock::now()).count();
    if (left <= 0) {
        throw ChannelTimeout();
    }
    return static_cast<int>(std::min<std::int64_t>(left, std::numeric_limits<int>::max()));
}

void Channel::wait(short events) const {
    for (;;) {
        pollfd entry{descriptor_, events, 0};
        const int ready = ::poll(&entry, 1, timeLeft());
        if (ready > 0) {
            return;
        }
        if (ready < 0 && errno != EINTR) {
            throw ChannelClosed();
        }
    }
}

template <typename Call>
std::size_t Channel::transfer(short events, const Call& call) {
    for (;;) {
        timeLeft();
        const ssize_t count = call();
        if (count > 0) {
            return static_cast<std::size_t>(count);
        }
        if (count < 0 && errno == EAGAIN) {
            wait(events);
        } else if (count == 0 || errno != EINTR) {
            throw ChannelClosed();
        }
    }
}

void Channel::send(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        bytes = bytes.subspan(transfer(
            POLLOUT, [&] { return ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT); }));
    }
}

std::size_t Channel::receiveSome(std::span<std::byte> bytes) {
    return transfer(POLLIN, [&] { return ::recv(descriptor_, bytes.data(), bytes.size(), MSG_DONTWAIT); });
}

void Channel::receive(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        bytes = bytes.subspan(receiveSome(bytes));
    }
}

namespace {

/// A message of one byte with room for a descriptor.
struct PassedFile {
    PassedFile() {
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        header.msg_control = control;
        header.msg_controllen = sizeof(control);
    }

    char byte = 'd';
    iovec part{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {}; // NOLINT(modernize-avoid-c-arrays)
    msghdr header{};
};

} // namespace

void Channel::sendDescriptor(int descriptor) {
    PassedFile message;
    cmsghdr* const rights = CMSG_FIRSTHDR(&message.header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(rights), &descriptor, sizeof(int));
    transfer(POLLOUT, [&] { return ::sendmsg(descriptor_, &message.header, MSG_NOSIGNAL | MSG_DONTWAIT); });
}

int Channel::receiveDescriptor() {
    PassedFile message;
    transfer(POLLIN, [&] { return ::recvmsg(descriptor_, &message.header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT); });
    const cmsghdr* const rights = CMSG_FIRSTHDR(&message.header);
    int descriptor = -1;
    if (rights != nullptr && rights->cmsg_type == SCM_RIGHTS && rights->cmsg_len == CMSG_LEN(sizeof(int))) {
        std::memcpy(&descriptor, CMSG_DATA(rights), sizeof(int));
    }
    return descriptor;
}

} // namespace aureole::sandbox
