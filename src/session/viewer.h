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

/// Sends pictures of a render under way to the image viewer tev. Its own thread connects and sends, so that the render
/// never waits for a viewer that is missing, slow or stuck. Where the viewer cannot be reached, there is one warning,
/// and the thread tries again every few seconds.
class Viewer {
public:
    explicit Viewer(ViewerAddress address);
    /// Waits until the last picture is sent: at most five seconds while the viewer reads, and a third of a second once
    /// it reads nothing. Does not wait where the viewer cannot be reached.
    ~Viewer();
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;
    Viewer(Viewer&&) = delete;
    Viewer& operator=(Viewer&&) = delete;

    /// Whether the render should make a new picture: the last one is sent, and so much time has passed since show()
    /// that making pictures takes at most a fiftieth of the render's time.
    bool isReady();

    /// Hands the picture's R, G and B to the thread, to be shown under the name. A picture that still waits to be sent
    /// is replaced. `seconds` is how long the render took to make this one.
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

    // Only the thread uses these while it runs.
    int socket_ = -1; ///< -1: not connected
    bool warned_ = false;
    std::string opened_; ///< name of the image that the viewer has open

    // The mutex guards these; changed_ wakes the threads that wait for a change of them.
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Picture> waiting_; ///< the picture to send next
    bool sending_ = false;           ///< the thread connects or sends
    bool unreachable_ = false;       ///< the last try to connect failed
    bool ends_ = false;              ///< the thread is to return
    Clock::time_point nextPicture_;  ///< isReady() is false before

    // Read and written without the mutex, while the thread sends.
    std::atomic<bool> abandoned_{false};      ///< the thread is to stop sending at once
    std::atomic<std::uint64_t> sentBytes_{0}; ///< of all pictures

    std::thread thread_; ///< is the last member, because it uses all others from its start
};

} // namespace aureole
