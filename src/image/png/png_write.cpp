// As in png_read.cpp: libpng leaves by longjmp, so the calls into it stand where no destructor can be skipped.

#include "image/png/png.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstring>

#include <png.h>

#include "core/error.h"
#include "core/file.h"
#include "core/image_limits.h"
#include "core/log.h"
#include "core/plural.h"
#include "core/threads/parallel.h"
#include "image/colour/srgb.h"
#include "image/png/png_stream.h"

namespace aureole {

namespace {

struct Sink {
    std::vector<std::byte> bytes;
    std::array<char, 128> message{};
};

[[noreturn]] void onWriteError(png_structp png, png_const_charp message) {
    auto* const sink = static_cast<Sink*>(png_get_error_ptr(png));
    std::strncpy(sink->message.data(), message, sink->message.size() - 1);
    png_longjmp(png, 1);
}

void onWriteWarning(png_structp /*png*/, png_const_charp /*message*/) {}

bool append(Sink& sink, png_const_bytep from, png_size_t count) noexcept {
    try {
        const auto* const first = reinterpret_cast<const std::byte*>(from);
        sink.bytes.insert(sink.bytes.end(), first, first + count);
        return true;
    } catch (...) { // an exception must not pass through libpng
        return false;
    }
}

void onWrite(png_structp png, png_bytep from, png_size_t count) {
    if (!append(*static_cast<Sink*>(png_get_io_ptr(png)), from, count)) {
        png_error(png, "out of memory");
    }
}

void onFlush(png_structp /*png*/) {}

/// The bytes of the compressed stream that a chunk of the file has.
constexpr std::size_t kChunkBytes = std::size_t{1} << 20U;

/// What is stored: the planes of the image that go into the file, and their quantised samples, interleaved.
struct Pixels {
    std::uint32_t width;
    std::uint32_t height;
    int bitDepth;
    int colourType;
    PngTransfer transfer;
    std::vector<png_byte> samples; ///< the larger byte of two first
    std::vector<std::byte> stream; ///< of them
    std::vector<png_text> texts;   ///< point into the options
};

class Writer {
public:
    explicit Writer(const std::string& file) {
        png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink_, onWriteError, onWriteWarning);
        info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
        if (info_ == nullptr) {
            png_destroy_write_struct(&png_, nullptr);
            fail(ExitCode::OutOfMemory, "{}: out of memory", file);
        }
        png_set_write_fn(png_, &sink_, onWrite, onFlush);
    }
    ~Writer() { png_destroy_write_struct(&png_, &info_); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    Writer(Writer&&) = delete;
    Writer& operator=(Writer&&) = delete;

    std::vector<std::byte> write(Pixels& pixels, const std::string& file) {
        if (!writeOrJump(png_, info_, pixels)) {
            fail(ExitCode::CannotWrite, "{}: cannot be encoded as PNG: {}", file, sink_.message.data());
        }
        return std::move(sink_.bytes);
    }

private:
    static bool writeOrJump(png_structp png, png_infop info, Pixels& pixels) {
        if (setjmp(png_jmpbuf(png)) != 0) {
            return false;
        }
        png_set_user_limits(png, kMaximumImageSide, kMaximumImageSide);
        png_set_IHDR(png, info, pixels.width, pixels.height, pixels.bitDepth, pixels.colourType, PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        if (pixels.transfer == PngTransfer::Srgb) {
            png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
        } else {
            png_set_gAMA_fixed(png, info, PNG_GAMMA_LINEAR);
        }
        if (!pixels.texts.empty()) {
            png_set_text(png, info, pixels.texts.data(), static_cast<int>(pixels.texts.size()));
        }
        png_write_info(png, info);
        for (std::size_t first = 0; first < pixels.stream.size(); first += kChunkBytes) {
            const std::size_t size = std::min(kChunkBytes, pixels.stream.size() - first);
            png_write_chunk(png, reinterpret_cast<png_const_bytep>("IDAT"),
                            reinterpret_cast<png_const_bytep>(&pixels.stream[first]), size);
        }
        png_write_chunk(png, reinterpret_cast<png_const_bytep>("IEND"), nullptr, 0);
        return true;
    }

    Sink sink_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

/// Colour, then alpha: one to four planes.
std::vector<const Channel*> planesOf(const Image& image, const std::string& file) {
    const std::array<const Channel*, 3> rgb = image.rgb(file);
    std::vector<const Channel*> planes(rgb.begin(), rgb[0] == rgb[1] ? rgb.begin() + 1 : rgb.end());
    if (const Channel* const alpha = image.find("A"); alpha != nullptr && alpha != rgb[0]) {
        planes.push_back(alpha);
    }
    return planes;
}

int colourType(std::size_t planes) {
    constexpr std::array<int, 4> kTypes = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                           PNG_COLOR_TYPE_RGB_ALPHA};
    return kTypes.at(planes - 1);
}

template <typename Sample>
void quantise(const std::vector<const Channel*>& planes, bool srgb, Pixels& pixels) {
    constexpr double kLargest = (1U << (8 * sizeof(Sample))) - 1;
    parallelFor(pixels.height, 16, [&](std::int64_t y) {
        const std::size_t first = static_cast<std::size_t>(y) * pixels.width;
        for (std::size_t c = 0; c < planes.size(); ++c) {
            const bool curved = srgb && planes[c]->name != "A";
            for (std::size_t i = first; i < first + pixels.width; ++i) {
                const double value = planes[c]->values[i];
                const double clipped = value > 0 ? std::min(value, 1.0) : 0.0; // NaN becomes 0
                const auto sample =
                    static_cast<std::uint32_t>(std::lround((curved ? srgbEncode(clipped) : clipped) * kLargest));
                png_bytep bytes = pixels.samples.data() + (i * planes.size() + c) * sizeof(Sample);
                for (std::size_t byte = sizeof(Sample); byte > 0; --byte) {
                    *bytes++ = static_cast<png_byte>((sample >> (8 * (byte - 1))) & 0xffU);
                }
            }
        }
    });
}

void warnOfNan(const std::vector<const Channel*>& planes, const std::string& file) {
    std::ptrdiff_t count = 0;
    for (const Channel* plane : planes) {
        count +=
            std::count_if(plane->values.begin(), plane->values.end(), [](float value) { return std::isnan(value); });
    }
    if (count > 0) {
        logWarning("{}: wrote {} of NaN as 0", file, countOf(static_cast<std::uint64_t>(count), "value"));
    }
}

} // namespace

std::vector<std::byte> encodePng(const Image& image, const PngOptions& options, const std::string& file) {
    if (options.bitDepth != 8 && options.bitDepth != 16) {
        fail(ExitCode::Usage, "{}: found a bit depth of {}, expected 8 or 16", file, options.bitDepth);
    }
    if (image.width < 1 || image.height < 1 || image.width > kMaximumImageSide || image.height > kMaximumImageSide) {
        fail(ExitCode::CannotWrite, "{}: found {} x {} pixels, expected 1 to {} a side", file, image.width,
             image.height, kMaximumImageSide);
    }
    const std::vector<const Channel*> planes = planesOf(image, file);
    warnOfNan(planes, file);
    Pixels pixels{image.width, image.height, options.bitDepth, colourType(planes.size()), options.transfer, {}, {}, {}};
    for (const auto& [name, text] : options.text) {
        png_text entry{};
        entry.compression = PNG_TEXT_COMPRESSION_NONE;
        entry.key = const_cast<png_charp>(name.c_str()); // libpng copies both
        entry.text = const_cast<png_charp>(text.c_str());
        entry.text_length = text.size();
        pixels.texts.push_back(entry);
    }
    const std::size_t rowBytes = image.width * planes.size() * (static_cast<std::size_t>(options.bitDepth) / 8);
    pixels.samples.resize(rowBytes * image.height);
    const bool srgb = options.transfer == PngTransfer::Srgb;
    if (options.bitDepth == 16) {
        quantise<std::uint16_t>(planes, srgb, pixels);
    } else {
        quantise<std::uint8_t>(planes, srgb, pixels);
    }
    pixels.stream = deflateRows(pixels.samples, rowBytes, rowBytes / image.width, file);
    return Writer(file).write(pixels, file);
}

void writePng(const std::filesystem::path& path, const Image& image, const PngOptions& options) {
    writeFileAtomically(path, encodePng(image, options, path.string()));
}

} // namespace aureole
