#include "cli/viewer_protocol.h"

#include <bit>
#include <cstring>
#include <span>

namespace aureole::cli {

namespace {

static_assert(std::endian::native == std::endian::little);

class Packet {
public:
    explicit Packet(std::uint8_t type) {
        add(std::uint32_t{0});
        add(type);
    }

    template <typename T>
    void add(T value) {
        addBytes(std::as_bytes(std::span(&value, 1)));
    }
    void add(const std::string& text) { addBytes(std::as_bytes(std::span(text.c_str(), text.size() + 1))); }
    void addBytes(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

    std::vector<std::byte> finish() && {
        const auto length = static_cast<std::uint32_t>(bytes_.size());
        std::memcpy(bytes_.data(), &length, sizeof(length));
        return std::move(bytes_);
    }

private:
    std::vector<std::byte> bytes_;
};

constexpr std::uint8_t kGrabFocus = 0;

} // namespace

std::vector<std::byte> createImagePacket(const std::string& name, const Image& image) {
    Packet packet(kViewerCreateImage);
    packet.add(kGrabFocus);
    packet.add(name);
    packet.add(static_cast<std::int32_t>(image.width));
    packet.add(static_cast<std::int32_t>(image.height));
    packet.add(static_cast<std::int32_t>(image.channels.size()));
    for (const Channel& channel : image.channels) {
        packet.add(channel.name);
    }
    return std::move(packet).finish();
}

std::vector<std::byte> updateImagePacket(const std::string& name, const Image& image, const Channel& channel,
                                         std::uint32_t first, std::uint32_t end) {
    Packet packet(kViewerUpdateImage);
    packet.add(kGrabFocus);
    packet.add(name);
    packet.add(channel.name);
    packet.add(std::int32_t{0});
    packet.add(static_cast<std::int32_t>(first));
    packet.add(static_cast<std::int32_t>(image.width));
    packet.add(static_cast<std::int32_t>(end - first));
    const std::span<const float> values(channel.values);
    packet.addBytes(
        std::as_bytes(values.subspan(std::size_t{first} * image.width, std::size_t{end - first} * image.width)));
    return std::move(packet).finish();
}

} // namespace aureole::cli
