// render --display-server, with a viewer of our own that listens, reads, or does not.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <span>
#include <thread>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli_test.h"
#include "image/byte_reader.h"
#include "image/exr/exr.h"
#include "session/viewer_protocol.h"

namespace aureole {

namespace {

/// A socket that listens on a free port of this machine.
class Listener {
public:
    Listener()
        : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
        EXPECT_EQ(::listen(socket_, 4), 0);
    }
    ~Listener() { ::close(socket_); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    Listener(Listener&&) = delete;
    Listener& operator=(Listener&&) = delete;

    std::string address() const {
        sockaddr_in address{};
        socklen_t size = sizeof(address);
        EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
        return "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    }

    /// All that one client sends until it closes the connection, so many bytes at a time with a pause after each.
    std::vector<std::byte> receive(std::size_t atOnce = 4096, std::chrono::milliseconds pause = {}) const {
        const int client = ::accept(socket_, nullptr, nullptr);
        std::vector<std::byte> bytes;
        std::vector<std::byte> part(atOnce);
        for (ssize_t count = 1; count > 0;) {
            count = ::recv(client, part.data(), part.size(), 0);
            bytes.insert(bytes.end(), part.begin(), part.begin() + std::max<ssize_t>(count, 0));
            std::this_thread::sleep_for(pause);
        }
        ::close(client);
        return bytes;
    }

    int accept() const { return ::accept(socket_, nullptr, nullptr); }

private:
    int socket_;
};

/// What a viewer that was sent those packets shows.
struct Shown {
    std::string name;
    std::map<std::string, std::vector<float>> channels;
    std::int32_t width = 0;
    std::int32_t height = 0;
    int created = 0;
    int updates = 0;
};

Shown play(std::span<const std::byte> bytes) {
    const std::string file = "packets";
    Shown shown;
    std::size_t at = 0;
    while (at < bytes.size()) {
        ByteReader reader(bytes.subspan(at), file);
        const auto length = reader.read<std::uint32_t>("length");
        const auto type = reader.read<std::uint8_t>("type");
        EXPECT_EQ(reader.read<std::uint8_t>("focus"), 0);
        const std::string name = reader.readName("name");
        if (type == kViewerCreateImage) {
            ++shown.created;
            shown.name = name;
            shown.width = reader.read<std::int32_t>("width");
            shown.height = reader.read<std::int32_t>("height");
            const auto count = reader.read<std::int32_t>("channels");
            for (std::int32_t i = 0; i < count; ++i) {
                shown.channels[reader.readName("channel")].assign(
                    static_cast<std::size_t>(shown.width) * static_cast<std::size_t>(shown.height), 0.0F);
            }
        } else {
            ++shown.updates;
            EXPECT_EQ(type, kViewerUpdateImage);
            EXPECT_EQ(name, shown.name);
            std::vector<float>& values = shown.channels.at(reader.readName("channel"));
            EXPECT_EQ(reader.read<std::int32_t>("x"), 0);
            const auto y = reader.read<std::int32_t>("y");
            EXPECT_EQ(reader.read<std::int32_t>("width"), shown.width);
            const auto rows = reader.read<std::int32_t>("height");
            const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(shown.width);
            const auto data = reader.take(count * sizeof(float), "pixels");
            std::memcpy(&values.at(static_cast<std::size_t>(y) * static_cast<std::size_t>(shown.width)), data.data(),
                        data.size());
        }
        EXPECT_EQ(reader.offset(), length);
        at += length;
    }
    return shown;
}

// What a viewer gets does not depend on the backend: where it takes many pixels or samples, the faster one here.

/// A picture of 6 MB: Linux keeps up to 4 MB of a connection for the sender, and 128 KB for who does not read.
const Arguments kMoreThanBuffersHold = {"--size", "1024x512", "--spp", "1", "--backend", "reference"};

class ViewerTest : public CliTest {
protected:
    Arguments command(const std::string& server, const Arguments& more) const {
        Arguments arguments = {"render", write("scene.json", shadedScene()), "-o", path("out.exr"), "--display-server",
                               server};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
};

TEST_F(ViewerTest, ShowsThePictureThatIsWritten) {
    const Listener viewer;
    const pid_t process = start(command(viewer.address(), {"--spp", "8000", "--backend", "reference"}));
    const Shown shown = play(viewer.receive());
    EXPECT_EQ(finish(process).code, 0);
    const Image image = readExr(path("out.exr"));
    EXPECT_EQ(shown.name, path("out.exr"));
    EXPECT_EQ(shown.created, 1);
    EXPECT_GE(shown.updates, 3);
    ASSERT_EQ(shown.channels.size(), 3U);
    for (const char* const name : {"R", "G", "B"}) {
        EXPECT_EQ(shown.channels.at(name), image.find(name)->values);
    }
}

TEST_F(ViewerTest, WithoutAViewerTheRenderGoesOn) {
    std::string address;
    {
        const Listener gone;
        address = gone.address();
    }
    const Outcome outcome = expectDone(command(address, {"--spp", "16", "--backend", "reference"}));
    EXPECT_NE(outcome.err.find("--display-server: " + address), std::string::npos) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(path("out.exr")));
}

/// It takes the connection and reads nothing; or closes it at once.
TEST_F(ViewerTest, AStuckViewerHoldsNothingUp) {
    for (const bool closes : {false, true}) {
        const Listener viewer;
        const pid_t process = start(command(viewer.address(), kMoreThanBuffersHold));
        const int client = viewer.accept();
        if (closes) {
            ::close(client);
        }
        EXPECT_EQ(finish(process).code, 0);
        if (!closes) {
            ::close(client);
        }
        EXPECT_TRUE(std::filesystem::remove(path("out.exr")));
    }
}

/// One that takes more than a second for a picture, but reads, gets the last one whole.
TEST_F(ViewerTest, ASlowViewerGetsTheLastPicture) {
    const Listener viewer;
    const pid_t process = start(command(viewer.address(), kMoreThanBuffersHold));
    const Shown shown = play(viewer.receive(std::size_t{1} << 19U, std::chrono::milliseconds(100)));
    EXPECT_EQ(finish(process).code, 0);
    ASSERT_EQ(shown.channels.size(), 3U);
    EXPECT_EQ(shown.channels.at("B"), readExr(path("out.exr")).find("B")->values);
}

TEST_F(ViewerTest, BadAddressesAreRefused) {
    for (const char* const address : {"", ":14158", "host:", "host:0", "host:65536", "host:tev", "[]:1"}) {
        expectFailure(kUsage, command(address, {}), {"--display-server", "HOST:PORT"});
    }
}

} // namespace

} // namespace aureole
