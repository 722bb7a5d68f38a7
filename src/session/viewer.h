#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "image/image.h"

namespace aureole {

/// Where a viewer listens.
struct ViewerAddress {
    std::string host;
    std::string port;
};

/// Sends a picture under way to the viewer tev. A thread of its own connects and sends, so that nobody waits for a
/// viewer that is not there, slow or stuck: it is told so once, and tried again every few seconds.
class Viewer {
public:
    explicit Viewer(ViewerAddress address);
    /// Gives the last picture time to arrive, where there is a viewer: five seconds for one that reads, a third of a
    /// second for one that does not.
    ~Viewer();
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;
    Viewer(Viewer&&) = delete;
    Viewer& operator=(Viewer&&) = delete;

    /// Whether it is time for a new picture: the last one is sent, and making it took next to nothing of the time since
    /// then.
    bool isReady();

    /// Shows R, G and B under a name; `seconds` is what it took to make the picture. Replaces one that is not sent yet.
    void show(std::string name, Image image, double seconds);

private:
    using Clock = std::chrono::steady_clock;

    struct Picture {
        std::string name;
        Image image;
    };

    void run();
    bool connect();
    void disconnect(const std::string& why);
    bool send(const Picture& picture);
    bool sendBytes(std::span<const std::byte> bytes);

    ViewerAddress address_;
    int socket_ = -1; ///< these three are the thread's
    bool warned_ = false;
    std::string opened_; ///< the image that the viewer has open
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Picture> waiting_;
    bool sending_ = false;
    bool unreachable_ = false;
    bool ends_ = false;
    std::atomic<bool> abandoned_{false};      ///< what is being sent is to be left
    std::atomic<std::uint64_t> sentBytes_{0}; ///< so far
    Clock::time_point nextPicture_;
    std::thread thread_; ///< the last member: it uses the others
};

} // namespace aureole
