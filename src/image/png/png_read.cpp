// libpng reports errors by longjmp. Every call into it stands in a function that has no object with a destructor, sets
// its own return point and answers with a bool; what owns memory lives outside.

#include "image/png/png.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include <png.h>

#include "core/error.h"
#include "core/file.h"
#include "core/image_limits.h"
#include "core/log.h"
#include "image/colour/primaries.h"
#include "image/colour/srgb.h"
#include "image/isolated_image.h"
#include "sandbox/settings.h"

namespace aureole {

namespace {

constexpr std::uintmax_t kMaximumFileBytes = std::uintmax_t{1} << 32U;
constexpr png_alloc_size_t kMaximumChunkBytes = png_alloc_size_t{1} << 26U;

struct Source {
    std::span<const std::byte> bytes;
    std::size_t offset = 0;
    std::array<char, 128> message{};
};

[[noreturn]] void onReadError(png_structp png, png_const_charp message) {
    auto* const source = static_cast<Source*>(png_get_error_ptr(png));
    std::strncpy(source->message.data(), message, source->message.size() - 1);
    png_longjmp(png, 1);
}

void onReadWarning(png_structp /*png*/, png_const_charp /*message*/) {}

void onRead(png_structp png, png_bytep to, png_size_t count) {
    auto* const source = static_cast<Source*>(png_get_io_ptr(png));
    if (count > source->bytes.size() - source->offset) {
        png_error(png, "the file ends early");
    }
    std::memcpy(to, source->bytes.data() + source->offset, count);
    source->offset += count;
}

/// How the samples of a PNG are to be read.
enum class Samples {
    Stored, ///< of 8 or 16 bits, without a palette
    Rgba8,  ///< R, G, B and A of 8 bits, as they stand in the file
};

class Reader {
public:
    Reader(std::span<const std::byte> bytes, const std::string& file)
        : file_(file) {
        source_.bytes = bytes;
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source_, onReadError, onReadWarning);
        info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
        if (info_ == nullptr) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            fail(ExitCode::OutOfMemory, "{}: out of memory", file);
        }
        png_set_read_fn(png_, &source_, onRead);
    }
    ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    Reader(Reader&&) = delete;
    Reader& operator=(Reader&&) = delete;

    void readInfo(Samples samples) {
        if (!readInfoOrJump(png_, info_, samples, hasAlpha_)) {
            failHere();
        }
    }
    /// The samples of all pixels, row by row.
    std::vector<png_byte> readPixels() {
        const std::size_t size = rowBytes() * height();
        // A palette or a depth below 8 grows by up to 32 times on top of what deflate yields.
        if (std::uint64_t{width()} * height() * channels() * sizeof(float) > kMaximumImageBytes ||
            size / kMaximumCompressionRatio / 32 > source_.bytes.size()) {
            fail(ExitCode::BadInput, "{}: found {} x {} pixels in {} bytes, expected at most {} bytes of pixels", file_,
                 width(), height(), source_.bytes.size(), kMaximumImageBytes);
        }
        std::vector<png_byte> pixels(size);
        std::vector<png_bytep> rows(height());
        for (std::size_t y = 0; y < rows.size(); ++y) {
            rows[y] = pixels.data() + y * rowBytes();
        }
        if (!readRowsOrJump(png_, rows.data())) {
            failHere();
        }
        return pixels;
    }

    std::uint32_t width() const { return png_get_image_width(png_, info_); }
    std::uint32_t height() const { return png_get_image_height(png_, info_); }
    std::size_t channels() const { return png_get_channels(png_, info_); }
    std::size_t bitDepth() const { return png_get_bit_depth(png_, info_); }
    bool hasAlpha() const { return hasAlpha_; } ///< in the file

    /// The exponent by which light became stored values, 0 where those follow the sRGB curve: as the file says, or
    /// where it says nothing. sRGB has 0.45455 (PNG specification, 4.3.2.1), and files that say no more than that mean
    /// it.
    double gamma() const {
        int intent = 0;
        png_fixed_point gamma = 0;
        constexpr png_fixed_point kSrgb = 45455;
        constexpr png_fixed_point kAbout = 500; // 1/2.2 as programs round it
        if (png_get_sRGB(png_, info_, &intent) != 0 || png_get_gAMA_fixed(png_, info_, &gamma) == 0 || gamma <= 0 ||
            std::abs(gamma - kSrgb) <= kAbout) {
            return 0.0;
        }
        return static_cast<double>(gamma) / PNG_FP_1;
    }

    /// Texts of ours, by name.
    std::map<std::string, std::string> texts() const {
        png_textp found = nullptr;
        const int count = png_get_text(png_, info_, &found, nullptr);
        std::map<std::string, std::string> named;
        for (int i = 0; i < count; ++i) {
            const std::string name = found[i].key;
            if (name.starts_with("aureole.") && found[i].compression == PNG_TEXT_COMPRESSION_NONE &&
                found[i].text != nullptr) {
                named.emplace(name, std::string(found[i].text, found[i].text_length));
            }
        }
        return named;
    }

    /// Warns of colours that are told of by what is not applied.
    void warnOfColours() const {
        int intent = 0;
        if (png_get_sRGB(png_, info_, &intent) != 0) {
            return;
        }
        png_charp name = nullptr;
        png_bytep profile = nullptr;
        png_uint_32 length = 0;
        int compression = 0;
        if (png_get_iCCP(png_, info_, &name, &compression, &profile, &length) != 0) {
            logWarning("{}: the colour profile '{}' is not applied, expected sRGB", file_, name);
            return;
        }
        constexpr double kTolerance = 0.01;
        std::array<double, 8> found{};
        if (png_get_cHRM(png_, info_, &found[6], &found[7], found.data(), &found[1], &found[2], &found[3], &found[4],
                         &found[5]) != 0 &&
            !std::equal(found.begin(), found.end(), kRec709Primaries.begin(),
                        [](double a, double b) { return std::abs(a - b) <= kTolerance; })) {
            logWarning("{}: the primaries of its cHRM chunk are not applied, expected those of sRGB", file_);
        }
    }

    [[noreturn]] void failHere() const {
        fail(ExitCode::BadInput, "{}: byte {}: cannot be decoded as PNG: {}", file_, source_.offset,
             source_.message.data());
    }

private:
    std::size_t rowBytes() const { return png_get_rowbytes(png_, info_); }

    static bool readInfoOrJump(png_structp png, png_infop info, Samples samples, bool& hasAlpha) {
        if (setjmp(png_jmpbuf(png)) != 0) {
            return false;
        }
        png_set_user_limits(png, kMaximumImageSide, kMaximumImageSide);
        png_set_chunk_malloc_max(png, kMaximumChunkBytes);
        png_read_info(png, info);
        hasAlpha =
            (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0;
        png_set_expand(png); // palettes to RGB, depths below 8 to 8, a transparent colour to alpha
        if (samples == Samples::Rgba8) {
            png_set_scale_16(png);
            png_set_gray_to_rgb(png);
            png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
        } else if constexpr (std::endian::native == std::endian::little) {
            png_set_swap(png);
        }
        png_set_interlace_handling(png);
        png_read_update_info(png, info);
        return true;
    }

    static bool readRowsOrJump(png_structp png, png_bytepp rows) {
        if (setjmp(png_jmpbuf(png)) != 0) {
            return false;
        }
        png_read_image(png, rows);
        png_read_end(png, nullptr);
        return true;
    }

    const std::string& file_;
    Source source_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    bool hasAlpha_ = false;
};

/// The image value of every stored value: `curve` gets from 0 to 1.
template <typename Curve>
std::vector<float> valueTable(std::size_t bitDepth, Curve curve) {
    const std::size_t largest = (std::size_t{1} << bitDepth) - 1;
    std::vector<float> table(largest + 1);
    for (std::size_t i = 0; i <= largest; ++i) {
        const double value = static_cast<double>(i) / static_cast<double>(largest);
        table[i] = static_cast<float>(curve(value));
    }
    return table;
}

/// Spreads the interleaved samples over the channels of `image`.
template <typename Sample>
void spread(const std::vector<png_byte>& pixels, PngTransfer transfer, double gamma, Image& image) {
    const std::vector<float> linear = valueTable(8 * sizeof(Sample), [](double value) { return value; });
    const std::vector<float> curved = valueTable(8 * sizeof(Sample), [=](double value) {
        return gamma > 0.0 ? std::pow(value, 1.0 / gamma) : srgbDecode(value);
    });
    const std::size_t count = image.channels.size();
    for (std::size_t c = 0; c < count; ++c) {
        const bool colour = image.channels[c].name != "A";
        const std::vector<float>& table = colour && transfer == PngTransfer::Srgb ? curved : linear;
        std::vector<float>& values = image.channels[c].values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            Sample sample = 0;
            std::memcpy(&sample, pixels.data() + (i * count + c) * sizeof(Sample), sizeof(Sample));
            values[i] = table[sample];
        }
    }
}

std::vector<std::string> channelNames(std::size_t count) {
    switch (count) {
    case 1:
        return {"Y"};
    case 2:
        return {"Y", "A"};
    case 3:
        return {"R", "G", "B"};
    default:
        return {"R", "G", "B", "A"};
    }
}

} // namespace

Image decodePng(std::span<const std::byte> bytes, const std::string& file, PngTransfer transfer) {
    Reader reader(bytes, file);
    reader.readInfo(Samples::Stored);
    const std::vector<png_byte> pixels = reader.readPixels();
    if (transfer == PngTransfer::Srgb) {
        reader.warnOfColours();
    }
    const double gamma = reader.gamma();
    Image image = makeImage(reader.width(), reader.height(), channelNames(reader.channels()));
    image.attributes = reader.texts();
    if (reader.bitDepth() == 16) {
        spread<std::uint16_t>(pixels, transfer, gamma, image);
    } else {
        spread<std::uint8_t>(pixels, transfer, gamma, image);
    }
    return image;
}

Rgba8 decodePngRgba8(std::span<const std::byte> bytes, const std::string& file, std::uint32_t longestSide) {
    Reader reader(bytes, file);
    reader.readInfo(Samples::Rgba8);
    requireSides(reader.width(), reader.height(), longestSide, file);
    return {reader.width(), reader.height(), reader.hasAlpha(), reader.readPixels()};
}

Image decodePng(const InputFile& file, PngTransfer transfer) {
    return decodePng(file.readAll(kMaximumFileBytes), file.name(), transfer);
}

Image readPng(const std::filesystem::path& path, PngTransfer transfer, Links links) {
    const InputFile file = InputFile::open(path, links);
    if (sandbox::settings().isolation != sandbox::Isolation::None) {
        return readImageIsolated(file, sandbox::Job::Png, transfer == PngTransfer::Linear);
    }
    return decodePng(file, transfer);
}

} // namespace aureole
