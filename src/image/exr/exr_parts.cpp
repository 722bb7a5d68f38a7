#include "image/exr/exr_parts.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <stdexcept>

#include <Iex.h>
#include <ImfFrameBuffer.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>

#include "core/error.h"
#include "core/image_limits.h"
#include "core/log.h"
#include "core/printable.h"

namespace aureole {

namespace {

/// A file in memory, as OpenEXR reads it.
class MemoryStream final : public Imf::IStream {
public:
    MemoryStream(std::span<const std::byte> bytes, const std::string& file)
        : IStream(file.c_str())
        , bytes_(bytes) {}

    bool read(char* to, int count) override {
        const std::uint64_t left = offset_ < bytes_.size() ? bytes_.size() - offset_ : 0;
        if (count < 0 || static_cast<std::uint64_t>(count) > left) {
            throw Iex::InputExc("the file ends early");
        }
        std::memcpy(to, bytes_.data() + offset_, static_cast<std::size_t>(count));
        offset_ += static_cast<std::uint64_t>(count);
        return offset_ < bytes_.size();
    }
    std::uint64_t tellg() override { return offset_; }
    void seekg(std::uint64_t offset) override { offset_ = offset; }

private:
    std::span<const std::byte> bytes_;
    std::uint64_t offset_ = 0;
};

bool sameWindow(const ExrHeader& a, const ExrHeader& b) {
    return a.minimumX == b.minimumX && a.minimumY == b.minimumY && a.width == b.width && a.height == b.height;
}

bool hasColour(const ExrHeader& header) {
    const auto has = [&](std::string_view name) {
        return std::any_of(header.channels.begin(), header.channels.end(),
                           [&](const ExrChannel& channel) { return channel.name == name; });
    };
    return (has("R") && has("G") && has("B")) || has("Y");
}

/// The part that is the picture: the first with a colour, else the first.
const ExrHeader& pictureOf(const std::vector<ExrHeader>& headers, const std::string& file) {
    const ExrHeader* picture = nullptr;
    for (const ExrHeader& header : headers) {
        if (!header.deep && (picture == nullptr || (!hasColour(*picture) && hasColour(header)))) {
            picture = &header;
        }
    }
    if (picture == nullptr) {
        fail(ExitCode::BadInput,
             "{}: found a deep image (part '{}'), expected scanlines or tiles of pixels: flatten it first, as by "
             "oiiotool --flatten",
             file, onOneLine(headers.front().part));
    }
    return *picture;
}

void readPart(Imf::MultiPartInputFile& input, const ExrPart& part, std::span<Channel> channels) {
    const ExrHeader& header = *part.header;
    const Imath::V2i origin(header.minimumX, header.minimumY);
    Imf::FrameBuffer frame;
    for (std::size_t c = 0; c < channels.size(); ++c) {
        frame.insert(header.channels[c].name,
                     Imf::Slice::Make(Imf::FLOAT, channels[c].values.data(), origin, header.width, header.height));
    }
    Imf::InputPart pixels(input, part.index);
    pixels.setFrameBuffer(frame);
    pixels.readPixels(header.minimumY, header.minimumY + static_cast<int>(header.height) - 1);
}

} // namespace

std::vector<ExrPart> joinParts(const std::vector<ExrHeader>& headers, const std::string& file) {
    const ExrHeader& picture = pictureOf(headers, file);
    std::vector<ExrPart> parts = {{static_cast<int>(&picture - headers.data()), &picture, {}}};
    for (std::size_t i = 0; i < headers.size(); ++i) {
        if (&headers[i] != &picture && !headers[i].deep && sameWindow(headers[i], picture)) {
            parts.push_back({static_cast<int>(i), &headers[i], {}});
        }
    }
    std::set<std::string> taken;
    for (ExrPart& part : parts) {
        const std::string prefix = part.header == &picture ? "" : part.header->part + '.';
        for (const ExrChannel& channel : part.header->channels) {
            part.names.push_back(channel.name.starts_with(prefix) ? channel.name : prefix + channel.name);
            if (!taken.insert(part.names.back()).second) {
                fail(ExitCode::BadInput, "{}: part '{}': found the channel '{}' twice, expected every name once", file,
                     onOneLine(part.header->part), onOneLine(part.names.back()));
            }
        }
    }
    return parts;
}

/// Refuses files that are too small for their pixels: DWA keeps four bytes of 64 equal pixels, which it then deflates;
/// the other methods keep more.
void checkPixelBytes(const std::vector<ExrPart>& parts, std::size_t fileBytes, const std::string& file) {
    constexpr std::uint64_t kMostPerByte = 64 * kMaximumCompressionRatio;
    std::uint64_t pixelBytes = 0;
    for (const ExrPart& part : parts) {
        pixelBytes += std::uint64_t{part.header->width} * part.header->height * part.header->bytesPerPixel();
    }
    if (pixelBytes > kMaximumImageBytes || pixelBytes / kMostPerByte > fileBytes) {
        fail(ExitCode::BadInput, "{}: found {} bytes of pixels in {} bytes, expected at most {}", file, pixelBytes,
             fileBytes, std::min<std::uint64_t>(kMaximumImageBytes, kMostPerByte * fileBytes));
    }
}

void warnOfLeftOut(const std::vector<ExrHeader>& headers, const std::vector<ExrPart>& parts, const std::string& file) {
    for (const ExrHeader& header : headers) {
        const bool isRead =
            std::any_of(parts.begin(), parts.end(), [&](const ExrPart& part) { return part.header == &header; });
        if (!isRead) {
            logWarning("{}: its part '{}' is left out: {}", file, onOneLine(header.part),
                       header.deep ? "it is deep" : "its data window is another one than that of the picture");
        }
    }
}

void decodeByOpenExr(const std::vector<ExrPart>& parts, std::span<const std::byte> bytes, const std::string& file,
                     Image& image) {
    const std::span<Channel> channels = image.channels;
    try {
        MemoryStream stream(bytes, file);
        constexpr int kNoThreads = 0;
        constexpr bool kMendTable = false; // a chunk that is missing is an error
        Imf::MultiPartInputFile input(stream, kNoThreads, kMendTable);
        std::size_t first = 0;
        for (const ExrPart& part : parts) {
            readPart(input, part, channels.subspan(first, part.names.size()));
            first += part.names.size();
        }
    } catch (const Iex::BaseExc& error) {
        fail(ExitCode::BadInput, "{}: its pixels cannot be decoded: {}", file, error.what());
    } catch (const std::logic_error& error) { // such as a length that no vector has
        fail(ExitCode::BadInput, "{}: its pixels cannot be decoded: {}", file, error.what());
    }
}

} // namespace aureole
