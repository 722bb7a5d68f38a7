#include "session/viewer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/log.h"
#include "session/viewer_protocol.h"

namespace aureole {

namespace {

constexpr std::chrono::seconds kRetry(3); ///< between two tries to connect
/// The most time that the last picture of a render has to be sent, as long as some bytes of it are sent every kStall.
constexpr std::chrono::seconds kLastChance(5);
constexpr std::chrono::milliseconds kStall(300);
/// What the system keeps of what is sent, in bytes. It is little, so that what is sent tells what the viewer reads: of
/// megabytes a third is to be read before there is room again, which takes a slow viewer longer than kStall.
constexpr int kSendBuffer = 1 << 17;
/// After so long, a viewer that does not answer or reads nothing is given up.
constexpr int kTimeoutMilliseconds = 2000;
constexpr std::chrono::seconds kBetweenPictures(1); ///< the least time between two pictures
/// The share of the render's time that making pictures may take.
constexpr double kShareOfTime = 0.02;
constexpr std::size_t kPacketFloats = std::size_t{1} << 20U;

/// Waits until the socket can be written to. False, with errno set, where that takes too long, or is `abandoned`.
bool waitWritable(int socket, const std::atomic<bool>& abandoned) {
    constexpr int kSlice = 50;
    for (int waited = 0; waited < kTimeoutMilliseconds && !abandoned; waited += kSlice) {
        pollfd poll{socket, POLLOUT, 0};
        const int ready = ::poll(&poll, 1, kSlice);
        if (ready != 0 && !(ready < 0 && errno == EINTR)) {
            return ready > 0;
        }
    }
    errno = ETIMEDOUT;
    return false;
}

/// A connected socket, or -1 and errno.
int connectTo(const addrinfo& address, const std::atomic<bool>& abandoned) {
    const int socket =
        ::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol);
    if (socket < 0) {
        return -1;
    }
    ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &kSendBuffer, sizeof(kSendBuffer)); // else it has another size
    int error = ::connect(socket, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
        socklen_t size = sizeof(error);
        if (!waitWritable(socket, abandoned) || ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
            error = errno;
        }
    }
    if (error != 0) {
        ::close(socket);
        errno = error;
        return -1;
    }
    return socket;
}

} // namespace

Viewer::Viewer(ViewerAddress address)
    : address_(std::move(address))
    , thread_([this] { run(); }) {}

Viewer::~Viewer() {
    {
        std::unique_lock lock(mutex_);
        const auto isDone = [this] { return (!waiting_ && !sending_) || unreachable_; };
        const Clock::time_point last = Clock::now() + kLastChance;
        std::uint64_t before = 0;
        do {
            before = sentBytes_;
        } while (!changed_.wait_for(lock, kStall, isDone) && sentBytes_ != before && Clock::now() < last);
        ends_ = true;
        abandoned_ = true;
        waiting_.reset();
    }
    changed_.notify_all();
    thread_.join();
    if (socket_ >= 0) {
        ::close(socket_);
    }
}

bool Viewer::isReady() {
    const std::lock_guard lock(mutex_);
    return !waiting_ && !sending_ && Clock::now() >= nextPicture_;
}

void Viewer::show(std::string name, Image image, double seconds) {
    {
        const std::lock_guard lock(mutex_);
        waiting_ = {std::move(name), std::move(image)};
        const std::chrono::duration<double> pause(seconds / kShareOfTime);
        nextPicture_ = Clock::now() + std::max(std::chrono::duration_cast<Clock::duration>(pause),
                                               std::chrono::duration_cast<Clock::duration>(kBetweenPictures));
    }
    changed_.notify_all();
}

void Viewer::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return waiting_ || ends_; });
        if (ends_) {
            return;
        }
        sending_ = true;
        lock.unlock();
        const bool connected = socket_ >= 0 || connect();
        lock.lock();
        unreachable_ = !connected;
        if (!connected) {
            sending_ = false;
            changed_.notify_all();
            // During this wait, a newer picture may replace the one that waits.
            changed_.wait_for(lock, kRetry, [this] { return ends_; });
            continue;
        }
        const std::optional<Picture> picture = std::exchange(waiting_, std::nullopt);
        lock.unlock();
        if (picture && !send(*picture)) {
            disconnect(std::strerror(errno));
        }
        lock.lock();
        sending_ = false;
        changed_.notify_all();
    }
}

bool Viewer::connect() {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int status = ::getaddrinfo(address_.host.c_str(), address_.port.c_str(), &hints, &found);
    if (status != 0) {
        disconnect(::gai_strerror(status));
        return false;
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, ::freeaddrinfo);
    for (const addrinfo* at = addresses.get(); at != nullptr && socket_ < 0; at = at->ai_next) {
        socket_ = connectTo(*at, abandoned_);
    }
    if (socket_ < 0) {
        disconnect(std::strerror(errno));
        return false;
    }
    opened_.clear();
    return true;
}

void Viewer::disconnect(const std::string& why) {
    if (socket_ >= 0) {
        ::close(socket_);
        socket_ = -1;
    }
    if (!warned_) {
        warned_ = true;
        logWarning("--display-server: {}:{}: {}; the render goes on, and a viewer is looked for again and again",
                   address_.host, address_.port, why);
    }
}

bool Viewer::send(const Picture& picture) {
    const Image& image = picture.image;
    if (opened_ != picture.name) {
        if (!sendBytes(createImagePacket(picture.name, image))) {
            return false;
        }
        opened_ = picture.name;
    }
    const auto rows = static_cast<std::uint32_t>(std::max<std::size_t>(kPacketFloats / image.width, 1));
    for (std::uint32_t first = 0; first < image.height; first += rows) {
        const std::uint32_t end = std::min(first + rows, image.height);
        for (const Channel& channel : image.channels) {
            if (!sendBytes(updateImagePacket(picture.name, image, channel, first, end))) {
                return false;
            }
        }
    }
    return true;
}

bool Viewer::sendBytes(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
            sentBytes_ += static_cast<std::uint64_t>(sent);
        } else if (errno != EINTR &&
                   !((errno == EAGAIN || errno == EWOULDBLOCK) && waitWritable(socket_, abandoned_))) {
            return false;
        }
    }
    return true;
}

} // namespace aureole
