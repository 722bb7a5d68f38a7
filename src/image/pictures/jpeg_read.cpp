#include "image/pictures/rgba8.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <vector>

// After <cstdio>, which it needs.
#include <jpeglib.h>

#include <jerror.h>

#include "core/error.h"
#include "core/log.h"

namespace aureole {

namespace {

struct JpegReader {
    explicit JpegReader(std::span<const std::byte> bytes)
        : source(bytes) {
        info.err = jpeg_std_error(&errors);
        errors.error_exit = leave;
        errors.emit_message = noteDamage;
        info.client_data = this;
    }
    ~JpegReader() { jpeg_destroy_decompress(&info); }
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;
    JpegReader(JpegReader&&) = delete;
    JpegReader& operator=(JpegReader&&) = delete;

    static void leave(j_common_ptr common) {
        auto& reader = *static_cast<JpegReader*>(common->client_data);
        common->err->format_message(common, reader.message.data());
        std::longjmp(reader.jump, 1); // NOLINT(cert-err52-cpp): libjpeg's error handler must not return
    }

    /// libjpeg only warns of a file that ends early and fills the rest with grey; here that is an error.
    static void noteDamage(j_common_ptr common, int level) {
        if (level >= 0) {
            return;
        }
        if (common->err->msg_code == JWRN_JPEG_EOF) {
            leave(common);
        }
        ++common->err->num_warnings;
        common->err->format_message(common, static_cast<JpegReader*>(common->client_data)->message.data());
    }

    std::span<const std::byte> source;
    jpeg_error_mgr errors{};
    jpeg_decompress_struct info{};
    std::jmp_buf jump{};
    std::array<char, JMSG_LENGTH_MAX> message{};
};

bool readHeader(JpegReader& reader) {
    if (setjmp(reader.jump) != 0) { // NOLINT(cert-err52-cpp)
        return false;
    }
    jpeg_create_decompress(&reader.info);
    reader.info.client_data = &reader;
    jpeg_mem_src(&reader.info, reinterpret_cast<const unsigned char*>(reader.source.data()),
                 static_cast<unsigned long>(reader.source.size()));
    jpeg_read_header(&reader.info, TRUE);
    return true;
}

bool readRows(JpegReader& reader, std::uint8_t* rgba) {
    if (setjmp(reader.jump) != 0) { // NOLINT(cert-err52-cpp)
        return false;
    }
    reader.info.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&reader.info);
    const std::size_t stride = std::size_t{reader.info.output_width} * 4;
    while (reader.info.output_scanline < reader.info.output_height) {
        JSAMPROW row = rgba + stride * reader.info.output_scanline;
        jpeg_read_scanlines(&reader.info, &row, 1);
    }
    jpeg_finish_decompress(&reader.info);
    return true;
}

} // namespace

Rgba8 decodeJpeg(std::span<const std::byte> bytes, const std::string& file, std::uint32_t longestSide) {
    JpegReader reader(bytes);
    if (!readHeader(reader)) {
        fail(ExitCode::BadInput, "{}: damaged JPEG: {}", file, reader.message.data());
    }
    Rgba8 pixels{reader.info.image_width, reader.info.image_height, false, {}};
    requireSides(pixels.width, pixels.height, longestSide, file);
    if (reader.info.jpeg_color_space == JCS_CMYK || reader.info.jpeg_color_space == JCS_YCCK) {
        fail(ExitCode::BadInput, "{}: found a CMYK JPEG, expected grey or RGB", file);
    }
    pixels.rgba.resize(std::size_t{pixels.width} * pixels.height * 4);
    if (!readRows(reader, pixels.rgba.data())) {
        fail(ExitCode::BadInput, "{}: damaged JPEG: {}", file, reader.message.data());
    }
    if (reader.errors.num_warnings > 0) {
        logWarning("{}: damaged JPEG, shown as far as it goes: {}", file, reader.message.data());
    }
    return pixels;
}

} // namespace aureole
