// Writing through OpenEXR 3.1, which compresses chunks by threads of its own.

#include "image/exr/exr.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <set>
#include <span>
#include <thread>

#include <Iex.h>
#include <ImfAttribute.h>
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>
#include <ImfThreading.h>
#include <half.h>

#include "core/error.h"
#include "core/file.h"
#include "core/image_limits.h"
#include "core/log.h"
#include "core/plural.h"
#include "core/threads/loop_threads.h"
#include "image/colour/primaries.h"
#include "image/exr/exr_header.h"

namespace aureole {

namespace {

constexpr std::size_t kLongestName = 255;

/// A file in memory, as OpenEXR writes it.
class MemoryFile final : public Imf::OStream {
public:
    explicit MemoryFile(const std::string& file)
        : OStream(file.c_str()) {}

    void write(const char* from, int count) override {
        const auto* const first = reinterpret_cast<const std::byte*>(from);
        const auto* const end = first + count;
        const auto over = std::min<std::ptrdiff_t>(count, static_cast<std::ptrdiff_t>(bytes.size() - offset_));
        std::copy_n(first, over, bytes.begin() + static_cast<std::ptrdiff_t>(offset_));
        bytes.insert(bytes.end(), first + over, end);
        offset_ += static_cast<std::uint64_t>(count);
    }
    std::uint64_t tellp() override { return offset_; }
    void seekp(std::uint64_t offset) override { offset_ = offset; } // to the table of chunks, and back

    std::vector<std::byte> bytes;

private:
    std::uint64_t offset_ = 0;
};

/// An attribute of any type as its bytes stand in a file. Points to both, which have to outlive it.
class RawAttribute final : public Imf::Attribute {
public:
    RawAttribute(const char* type, std::span<const std::byte> value)
        : type_(type)
        , value_(value) {}

    const char* typeName() const override { return type_; }
    Imf::Attribute* copy() const override { return new RawAttribute(*this); } // the header's, which deletes it
    void writeValueTo(Imf::OStream& stream, int /*version*/) const override {
        stream.write(reinterpret_cast<const char*>(value_.data()), static_cast<int>(value_.size()));
    }
    void readValueFrom(Imf::IStream& /*stream*/, int /*size*/, int /*version*/) override { refuse(); }
    void copyValueFrom(const Imf::Attribute& /*other*/) override { refuse(); }

private:
    [[noreturn]] static void refuse() { fail(ExitCode::Internal, "an attribute of an EXR that is only written"); }

    const char* type_;
    std::span<const std::byte> value_;
};

Imf::Compression compressionType(ExrCompression compression) {
    switch (compression) {
    case ExrCompression::None:
        return Imf::NO_COMPRESSION;
    case ExrCompression::Rle:
        return Imf::RLE_COMPRESSION;
    case ExrCompression::Zips:
        return Imf::ZIPS_COMPRESSION;
    case ExrCompression::Zip:
        return Imf::ZIP_COMPRESSION;
    case ExrCompression::Piz:
        return Imf::PIZ_COMPRESSION;
    }
    fail(ExitCode::Internal, "an EXR compression of value {}", static_cast<int>(compression));
}

void checkName(const std::string& kind, const std::string& name, const std::string& file) {
    if (name.empty() || name.size() > kLongestName || name.find('\0') != std::string::npos) {
        fail(ExitCode::CannotWrite, "{}: found a {} name of {} bytes ('{}'), expected 1 to {} bytes without zeros",
             file, kind, name.size(), name.c_str(), kLongestName);
    }
}

void checkChannels(const Image& image, const std::string& file) {
    const std::uint64_t bytes = std::uint64_t{image.pixelCount()} * image.channels.size() * sizeof(float);
    if (image.width < 1 || image.height < 1 || image.width > kMaximumImageSide || image.height > kMaximumImageSide ||
        image.channels.empty() || bytes > kMaximumImageBytes) {
        fail(ExitCode::CannotWrite,
             "{}: found {} x {} pixels of {} channels, expected 1 to {} pixels a side, a channel or more and at most "
             "{} bytes",
             file, image.width, image.height, image.channels.size(), kMaximumImageSide, kMaximumImageBytes);
    }
    std::set<std::string> names;
    for (const Channel& channel : image.channels) {
        checkName("channel", channel.name, file);
        if (!names.insert(channel.name).second) {
            fail(ExitCode::CannotWrite, "{}: found the channel '{}' twice, expected every name once", file,
                 channel.name);
        }
        if (channel.values.size() != image.pixelCount()) {
            fail(ExitCode::Internal, "{}: channel '{}' has {} values, expected {}", file, channel.name,
                 channel.values.size(), image.pixelCount());
        }
    }
}

void checkAttributes(const Image& image, const std::string& file) {
    for (const auto& [name, value] : image.attributes) {
        checkName("attribute", name, file);
        if (isReservedExrAttribute(name)) {
            fail(ExitCode::CannotWrite, "{}: found a text attribute '{}', a name that OpenEXR reserves", file, name);
        }
    }
    for (const auto& [name, attribute] : image.typedAttributes) {
        checkName("attribute", name, file);
        checkName("attribute type", attribute.type, file);
        if (isReservedExrAttribute(name) || image.attributes.contains(name)) {
            fail(ExitCode::CannotWrite, "{}: found the attribute '{}' of type {}, a name that is taken", file, name,
                 attribute.type);
        }
    }
}

/// Halves of the image's channels, of which there are none where its file has floats.
std::vector<std::vector<half>> halvesOf(const Image& image, const ExrOptions& options, const std::string& file) {
    std::vector<std::vector<half>> planes;
    std::size_t clamped = 0;
    for (const Channel& channel : image.channels) {
        if (options.pixelType == ExrPixelType::Half) {
            std::vector<half>& plane = planes.emplace_back();
            plane.reserve(channel.values.size());
            for (const float value : channel.values) {
                const bool overflows = std::isfinite(value) && std::abs(value) > HALF_MAX;
                clamped += overflows ? 1 : 0;
                plane.emplace_back(overflows ? std::copysign(HALF_MAX, value) : value);
            }
        }
    }
    if (clamped > 0) {
        logWarning("{}: clamped {} beyond the range of half floats to +-{}", file, countOf(clamped, "value"), HALF_MAX);
    }
    return planes;
}

Imf::Header headerOf(const Image& image, const ExrOptions& options) {
    Imf::Header header(static_cast<int>(image.width), static_cast<int>(image.height));
    header.compression() = compressionType(options.compression);
    for (const Channel& channel : image.channels) {
        header.channels().insert(channel.name,
                                 Imf::Channel(options.pixelType == ExrPixelType::Half ? Imf::HALF : Imf::FLOAT));
    }
    header.insert("chromaticities", RawAttribute("chromaticities", std::as_bytes(std::span(kRec709Primaries))));
    for (const auto& [name, value] : image.attributes) {
        header.insert(name, RawAttribute("string", std::as_bytes(std::span(value))));
    }
    for (const auto& [name, attribute] : image.typedAttributes) {
        header.insert(name, RawAttribute(attribute.type.c_str(), attribute.value));
    }
    return header;
}

/// The threads for OpenEXR to compress a file by. All files share those of the process: with none of its own, a file
/// has one of them at a time.
int threadsForFile() {
    static std::once_flag once;
    std::call_once(once, [] { Imf::setGlobalThreadCount(static_cast<int>(std::thread::hardware_concurrency())); });
    const unsigned threads = loopThreads();
    return threads > 1 ? static_cast<int>(threads) : 0;
}

} // namespace

std::vector<std::byte> encodeExr(const Image& image, const ExrOptions& options, const std::string& file) {
    checkChannels(image, file);
    checkAttributes(image, file);
    const std::vector<std::vector<half>> halves = halvesOf(image, options, file);
    const Imf::Header header = headerOf(image, options);
    Imf::FrameBuffer frame;
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        const Channel& channel = image.channels[c];
        frame.insert(channel.name, halves.empty()
                                       ? Imf::Slice::Make(Imf::FLOAT, channel.values.data(), header.dataWindow())
                                       : Imf::Slice::Make(Imf::HALF, halves[c].data(), header.dataWindow()));
    }
    MemoryFile memory(file);
    memory.bytes.reserve(image.pixelCount() * image.channels.size() * sizeof(float)); // no page of which is touched
    try {
        Imf::OutputFile output(memory, header, threadsForFile());
        output.setFrameBuffer(frame);
        output.writePixels(static_cast<int>(image.height));
    } catch (const Iex::BaseExc& error) {
        fail(ExitCode::CannotWrite, "{}: cannot be encoded: {}", file, error.what());
    }
    return std::move(memory.bytes);
}

void writeExr(const std::filesystem::path& path, const Image& image, const ExrOptions& options) {
    writeFileAtomically(path, encodeExr(image, options, path.string()));
}

} // namespace aureole
