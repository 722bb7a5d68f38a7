#include "session/viewer_protocol.h"

#include <cstring>
#include <span>

#include "image/byte_writer.h"

namespace aureole {

namespace {

/// A packet under way; its length is put in at the end.
class Packet : public ByteWriter {
public:
    explicit Packet(std::uint8_t type) {
        add(std::uint32_t{0});
        add(type);
    }

    void addText(const std::string& text) { addBytes(std::as_bytes(std::span(text.c_str(), text.size() + 1))); }

    std::vector<std::byte> finish() {
        std::vector<std::byte> bytes = take();
        const auto length = static_cast<std::uint32_t>(bytes.size());
        std::memcpy(bytes.data(), &length, sizeof(length));
        return bytes;
    }
};

constexpr std::uint8_t kGrabFocus = 0;

} // namespace

std::vector<std::byte> createImagePacket(const std::string& name, const Image& image) {
    Packet packet(kViewerCreateImage);
    packet.add(kGrabFocus);
    packet.addText(name);
    packet.add(static_cast<std::int32_t>(image.width));
    packet.add(static_cast<std::int32_t>(image.height));
    packet.add(static_cast<std::int32_t>(image.channels.size()));
    for (const Channel& channel : image.channels) {
        packet.addText(channel.name);
    }
    return packet.finish();
}

std::vector<std::byte> updateImagePacket(const std::string& name, const Image& image, const Channel& channel,
                                         std::uint32_t first, std::uint32_t end) {
    Packet packet(kViewerUpdateImage);
    packet.add(kGrabFocus);
    packet.addText(name);
    packet.addText(channel.name);
    packet.add(std::int32_t{0});
    packet.add(static_cast<std::int32_t>(first));
    packet.add(static_cast<std::int32_t>(image.width));
    packet.add(static_cast<std::int32_t>(end - first));
    const std::span<const float> values(channel.values);
    packet.addBytes(
        std::as_bytes(values.subspan(std::size_t{first} * image.width, std::size_t{end - first} * image.width)));
    return packet.finish();
}

} // namespace aureole
