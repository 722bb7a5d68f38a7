// BMP, TGA and Radiance HDR through stb_image. It reads zeros beyond the end of a file and says nothing, some of them
// for ever. So its input comes through callbacks that notice, and that go on with ends of lines, at which headers end
// and run lengths go on. And it believes the size in the header, so that is looked at first.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_ONLY_HDR
#define STBI_MAX_DIMENSIONS 65536
#include <stb/stb_image.h>

#include "core/error.h"
#include "core/image_limits.h"
#include "image/pictures/hdr_layout.h"
#include "image/pictures/hdr_read.h"
#include "image/pictures/rgba8.h"
#include "image/pictures/signature.h"

namespace aureole {

namespace {

/// Run lengths give at most 128 pixels for one byte.
constexpr std::uint64_t kMostPixelsPerByte = 128;

/// A file in memory, as stb_image reads it.
class StbInput {
public:
    explicit StbInput(std::span<const std::byte> bytes)
        : bytes_(bytes) {
        static constexpr stbi_io_callbacks kCallbacks = {onRead, onSkip, onEnd};
        stbi_io_callbacks callbacks = kCallbacks;
        stbi__start_callbacks(&context_, &callbacks, this);
    }
    StbInput(const StbInput&) = delete;
    StbInput& operator=(const StbInput&) = delete;
    StbInput(StbInput&&) = delete;
    StbInput& operator=(StbInput&&) = delete;
    ~StbInput() = default;

    stbi__context* context() { return &context_; }
    bool endedEarly() const { return endedEarly_; }

private:
    static int onRead(void* user, char* to, int size) {
        auto& input = *static_cast<StbInput*>(user);
        const std::size_t count = std::min(static_cast<std::size_t>(size), input.bytes_.size() - input.offset_);
        std::memcpy(to, input.bytes_.data() + input.offset_, count);
        input.offset_ += count;
        // Its buffer is filled as far as the file goes; what it asks for otherwise, and a byte behind the end, it
        // needs.
        const bool fillsBuffer = to == reinterpret_cast<char*>(input.context_.buffer_start);
        const bool isShort = count == 0 || (!fillsBuffer && count < static_cast<std::size_t>(size));
        input.endedEarly_ |= isShort;
        if (isShort) {
            std::memset(to + count, '\n', static_cast<std::size_t>(size) - count);
            return size;
        }
        return static_cast<int>(count);
    }
    static void onSkip(void* user, int count) {
        auto& input = *static_cast<StbInput*>(user);
        const std::size_t left = input.bytes_.size() - input.offset_;
        const std::size_t wanted = count < 0 ? left + 1 : static_cast<std::size_t>(count); // it never goes back
        input.endedEarly_ |= wanted > left;
        input.offset_ += std::min(wanted, left);
    }
    static int onEnd(void* user) {
        const auto& input = *static_cast<StbInput*>(user);
        return input.offset_ == input.bytes_.size() ? 1 : 0;
    }

    std::span<const std::byte> bytes_;
    std::size_t offset_ = 0;
    bool endedEarly_ = false;
    stbi__context context_{};
};

struct FreeStb {
    void operator()(void* pixels) const { stbi_image_free(pixels); }
};

struct Size {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    int channels = 0;
};

[[noreturn]] void failDamaged(const char* format, const StbInput& input, const std::string& file) {
    const char* const reason = stbi_failure_reason();
    if (reason != nullptr && std::strcmp(reason, "outofmem") == 0) {
        fail(ExitCode::OutOfMemory, "{}: out of memory: the picture does not fit", file);
    }
    fail(ExitCode::BadInput, "{}: damaged {}: {}", file, format,
         input.endedEarly()  ? "the file ends early"
         : reason != nullptr ? reason
                             : "its data contradicts itself");
}

/// Kinds of these formats that stb does not know, although nothing is wrong with them.
void refuseUnread(std::span<const std::byte> bytes, const std::string& format, const std::string& file) {
    constexpr std::size_t kCompression = 30; // of a BMP: 1 and 2 are runs of 8 and of 4 bits
    if (format == "BMP" && bytes.size() > kCompression &&
        (bytes[kCompression] == std::byte{1} || bytes[kCompression] == std::byte{2})) {
        fail(ExitCode::BadInput, "{}: found a BMP of run lengths, expected one that is not compressed", file);
    }
    if (format == "HDR") {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const std::string_view header = text.substr(0, text.find("\n\n"));
        if (header.size() < text.size() && header.find("\nFORMAT=32-bit_rle_rgbe") == std::string_view::npos) {
            fail(ExitCode::BadInput, "{}: found an HDR without FORMAT=32-bit_rle_rgbe, expected that, not XYZ", file);
        }
    }
}

/// What the header says, checked.
Size sizeOf(std::span<const std::byte> bytes, const char* format, const std::string& file, std::uint32_t longestSide) {
    StbInput input(bytes);
    int width = 0;
    int height = 0;
    int channels = 0;
    if (stbi__info_main(input.context(), &width, &height, &channels) == 0) {
        refuseUnread(bytes, format, file);
        failDamaged(format, input, file);
    }
    // Rows of a BMP whose height is below 0 go from top to bottom.
    const std::int64_t rows = std::abs(std::int64_t{height});
    requireSides(static_cast<std::uint64_t>(std::max(width, 0)), static_cast<std::uint64_t>(rows), longestSide, file);
    const Size size{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(rows), channels};
    if (std::uint64_t{size.width} * size.height / kMostPixelsPerByte > bytes.size()) {
        fail(ExitCode::BadInput, "{}: damaged {}: found {} x {} pixels in {} bytes: the file ends early", file, format,
             size.width, size.height, bytes.size());
    }
    return size;
}

/// Many programs write TGA files of 32 bits whose fourth byte means nothing: the header says so (in the low four bits
/// of byte 17), or all of it is 0.
bool hasAlpha(std::span<const std::byte> bytes, const Size& size, const std::vector<std::uint8_t>& rgba) {
    constexpr std::size_t kDescriptor = 17;
    constexpr std::byte kAlphaBits{0x0f};
    if (size.channels != 4 && size.channels != 2) {
        return false;
    }
    if (!looksLikeBmp(bytes) && (bytes[kDescriptor] & kAlphaBits) == std::byte{0}) {
        return false;
    }
    for (std::size_t i = 3; i < rgba.size(); i += 4) {
        if (rgba[i] != 0) {
            return true;
        }
    }
    return false;
}

} // namespace

bool looksLikeBmp(std::span<const std::byte> bytes) {
    return startsWith(bytes, "BM");
}

bool looksLikeTga(std::span<const std::byte> bytes) {
    if (bytes.empty()) {
        return false;
    }
    StbInput input(bytes);
    return stbi__tga_test(input.context()) != 0;
}

Rgba8 decodeByStb(std::span<const std::byte> bytes, const std::string& file, std::uint32_t longestSide) {
    const char* const format = looksLikeBmp(bytes) ? "BMP" : "TGA";
    const Size size = sizeOf(bytes, format, file, longestSide);
    StbInput input(bytes);
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<stbi_uc, FreeStb> found(
        stbi__load_and_postprocess_8bit(input.context(), &width, &height, &channels, STBI_rgb_alpha));
    if (found == nullptr || input.endedEarly()) {
        failDamaged(format, input, file);
    }
    Rgba8 pixels{size.width, size.height, false, {}};
    pixels.rgba.assign(found.get(), found.get() + std::size_t{size.width} * size.height * 4);
    pixels.alpha = hasAlpha(bytes, size, pixels.rgba);
    for (std::size_t i = 3; !pixels.alpha && i < pixels.rgba.size(); i += 4) {
        pixels.rgba[i] = 255;
    }
    return pixels;
}

bool looksLikeHdr(std::span<const std::byte> bytes) {
    return startsWith(bytes, "#?RADIANCE\n") || startsWith(bytes, "#?RGBE\n");
}

namespace {

/// Before stb_image makes room for the pixels of what it can hold, and says no number of what it cannot.
void checkHdrSize(std::span<const std::byte> bytes, const Size& size, const std::string& file) {
    constexpr std::uint64_t kMostPixels = std::numeric_limits<int>::max() / (3 * sizeof(float));
    if (std::uint64_t{size.width} * size.height > kMostPixels) {
        fail(ExitCode::BadInput, "{}: found {} x {} pixels, expected at most {} in all of an HDR picture", file,
             size.width, size.height, kMostPixels);
    }
    if (const HdrBytes pixels = bytesOfPixels(bytes); pixels.found < pixels.least) {
        fail(ExitCode::BadInput,
             "{}: damaged HDR: found {} bytes for {} x {} pixels, expected at least {}: the file ends early", file,
             pixels.found, size.width, size.height, pixels.least);
    }
}

Image decodePlainHdr(std::span<const std::byte> bytes, const std::string& file) {
    const Size size = sizeOf(bytes, "HDR", file, kMaximumImageSide);
    checkHdrSize(bytes, size, file);
    StbInput input(bytes);
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<float, FreeStb> found(
        stbi__loadf_main(input.context(), &width, &height, &channels, STBI_rgb));
    if (found == nullptr || input.endedEarly()) {
        failDamaged("HDR", input, file);
    }
    Image image = makeImage(size.width, size.height, {"R", "G", "B"});
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        std::vector<float>& values = image.channels[c].values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = found.get()[i * image.channels.size() + c];
        }
    }
    return image;
}

} // namespace

Image decodeHdr(std::span<const std::byte> bytes, const std::string& file) {
    if (!looksLikeHdr(bytes)) {
        fail(ExitCode::BadInput, "{}: found no '#?RADIANCE' at its start, expected a Radiance picture", file);
    }
    const PlainHdr plain = plainHdr(bytes);
    return plain.bytes.empty() ? decodePlainHdr(bytes, file) : placedHdr(decodePlainHdr(plain.bytes, file), plain);
}

} // namespace aureole
