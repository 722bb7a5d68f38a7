#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

// EXR files byte by byte, written from the description of the format and sharing nothing with the code under test.

namespace aureole::testing {

template <typename T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
    if (offset + sizeof(T) > bytes.size()) {
        throw std::out_of_range("past the end of the file");
    }
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

struct RawAttribute {
    std::string name;
    std::string type;
    std::size_t offset = 0; ///< of the value
    std::size_t size = 0;
};

inline std::string loadString(std::span<const std::byte> bytes, std::size_t& offset) {
    std::string text;
    while (const char c = load<char>(bytes, offset++)) {
        text.push_back(c);
    }
    return text;
}

/// The attributes of a file in the order of the file.
inline std::vector<RawAttribute> attributesOf(std::span<const std::byte> bytes) {
    std::vector<RawAttribute> result;
    std::size_t offset = 8;
    while (load<char>(bytes, offset) != 0) {
        RawAttribute attribute;
        attribute.name = loadString(bytes, offset);
        attribute.type = loadString(bytes, offset);
        attribute.size = load<std::uint32_t>(bytes, offset);
        attribute.offset = offset + 4;
        offset = attribute.offset + attribute.size;
        result.push_back(attribute);
    }
    return result;
}

inline RawAttribute attributeOf(std::span<const std::byte> bytes, const std::string& name) {
    for (const RawAttribute& attribute : attributesOf(bytes)) {
        if (attribute.name == name) {
            return attribute;
        }
    }
    throw std::out_of_range("no attribute " + name);
}

struct RawChannel {
    std::string name;
    std::uint32_t type = 0;
};

inline std::vector<RawChannel> channelsOf(std::span<const std::byte> bytes) {
    std::vector<RawChannel> result;
    std::size_t offset = attributeOf(bytes, "channels").offset;
    while (load<char>(bytes, offset) != 0) {
        RawChannel channel;
        channel.name = loadString(bytes, offset);
        channel.type = load<std::uint32_t>(bytes, offset);
        offset += 16;
        result.push_back(channel);
    }
    return result;
}

/// The bytes of an uncompressed scanline file of fp32 or uint channels, all samples 1.5F (or its bits); every field can
/// be made wrong.
struct ExrFile {
    struct ListedChannel {
        std::string name = "Y";
        std::uint32_t type = 2;
        std::array<std::int32_t, 2> sampling = {1, 1};
    };
    std::uint32_t magic = 20000630;
    std::uint32_t version = 2;
    std::vector<ListedChannel> channels = {ListedChannel{}};
    std::uint8_t compression = 0;
    std::array<std::int32_t, 4> window = {0, 0, 1, 1};
    std::vector<std::array<std::string, 3>> extra; ///< name, type, value
    std::vector<std::string> leftOut;              ///< names of standard attributes
    std::uint64_t offsetShift = 0;                 ///< added to every entry of the chunk table
    std::int32_t rowShift = 0;                     ///< added to every chunk's row
    std::int32_t sizeShift = 0;                    ///< added to every chunk's size

    std::vector<std::byte> bytes() const {
        std::string out;
        put(out, magic);
        put(out, version);
        std::string list;
        for (const ListedChannel& channel : channels) {
            list += channel.name + '\0';
            put(list, channel.type);
            put(list, 0);
            put(list, channel.sampling);
        }
        attribute(out, "channels", "chlist", list + '\0');
        attribute(out, "compression", "compression", std::string(1, static_cast<char>(compression)));
        attribute(out, "dataWindow", "box2i", packed(window));
        attribute(out, "displayWindow", "box2i", packed(window));
        attribute(out, "lineOrder", "lineOrder", std::string(1, '\0'));
        attribute(out, "pixelAspectRatio", "float", packed(1.0F));
        attribute(out, "screenWindowCenter", "v2f", packed(std::array<float, 2>{}));
        attribute(out, "screenWindowWidth", "float", packed(1.0F));
        for (const auto& [name, type, value] : extra) {
            attribute(out, name, type, value);
        }
        out += '\0';
        putChunks(out);
        std::vector<std::byte> result(out.size());
        std::memcpy(result.data(), out.data(), out.size());
        return result;
    }

private:
    template <typename T>
    static std::string packed(const T& value) {
        return {reinterpret_cast<const char*>(&value), sizeof(T)};
    }
    template <typename T>
    static void put(std::string& out, const T& value) {
        out += packed(value);
    }
    void attribute(std::string& out, const std::string& name, const std::string& type, const std::string& value) const {
        for (const std::string& absent : leftOut) {
            if (absent == name) {
                return;
            }
        }
        out += name + '\0' + type + '\0';
        put(out, static_cast<std::uint32_t>(value.size()));
        out += value;
    }
    void putChunks(std::string& out) const {
        // At most a few rows, whatever the window claims.
        const std::int64_t rows = std::min<std::int64_t>(std::int64_t{window[3]} - window[1] + 1, 4);
        const std::int64_t width = std::min<std::int64_t>(std::int64_t{window[2]} - window[0] + 1, 4);
        const std::int64_t size = width * 4 * static_cast<std::int64_t>(channels.size());
        const std::size_t table = out.size();
        for (std::int64_t row = 0; row < rows; ++row) {
            put(out, table + static_cast<std::uint64_t>(rows * 8 + row * (8 + size)) + offsetShift);
        }
        for (std::int64_t row = 0; row < rows; ++row) {
            put(out, static_cast<std::int32_t>(window[1] + row) + rowShift);
            put(out, static_cast<std::int32_t>(size) + sizeShift);
            for (std::int64_t i = 0; i < size / 4; ++i) {
                put(out, 1.5F);
            }
        }
    }
};

template <std::size_t N>
std::vector<std::byte> toBytes(const unsigned char (&array)[N]) { // NOLINT(modernize-avoid-c-arrays)
    std::vector<std::byte> result(N);
    std::memcpy(result.data(), array, N);
    return result;
}

} // namespace aureole::testing
