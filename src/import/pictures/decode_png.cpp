// The low-level libpng interface: the simplified one applies gamma, which glTF forbids.

#include "import/pictures/image_decode.h"

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <vector>

#include <png.h>

#include "core/error.h"
#include "image/pictures/rgba8.h"
#include "import/pictures/texture_file.h"

namespace aureole {

namespace {

struct PngState {
    std::span<const std::byte> bytes;
    std::size_t offset = 0;
    std::string message;
};

void readBytes(png_structp png, png_bytep target, png_size_t size) {
    auto& state = *static_cast<PngState*>(png_get_io_ptr(png));
    if (size > state.bytes.size() - state.offset) {
        png_error(png, "the file ends early");
    }
    std::memcpy(target, state.bytes.data() + state.offset, size);
    state.offset += size;
}

void rememberError(png_structp png, png_const_charp message) {
    static_cast<PngState*>(png_get_error_ptr(png))->message = message;
    png_longjmp(png, 1);
}

void ignoreWarning(png_structp /*png*/, png_const_charp /*message*/) {}

void askForRgba8(png_structp png, png_infop info) {
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

/// Reads the header; false after an error. Nothing with a destructor lives in the functions that setjmp returns to.
bool readHeader(png_structp png, png_infop info) {
    if (setjmp(png_jmpbuf(png)) != 0) { // NOLINT(cert-err52-cpp): the way libpng reports errors
        return false;
    }
    png_set_user_limits(png, kMaxTextureSide, kMaxTextureSide);
    png_read_info(png, info);
    askForRgba8(png, info);
    return true;
}

bool readRows(png_structp png, png_infop info, png_bytepp rows) {
    if (setjmp(png_jmpbuf(png)) != 0) { // NOLINT(cert-err52-cpp)
        return false;
    }
    png_read_image(png, rows);
    png_read_end(png, info);
    return true;
}

/// Frees what libpng holds.
struct PngReader {
    explicit PngReader(PngState& state)
        : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &state, rememberError, ignoreWarning))
        , info(png != nullptr ? png_create_info_struct(png) : nullptr) {}
    ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;
    PngReader(PngReader&&) = delete;
    PngReader& operator=(PngReader&&) = delete;

    png_structp png;
    png_infop info;
};

} // namespace

Texture decodePng(std::span<const std::byte> bytes, const std::string& name) {
    PngState state{bytes, 0, {}};
    const PngReader reader(state);
    if (reader.info == nullptr) {
        fail(ExitCode::OutOfMemory, "{}: no memory for the PNG decoder", name);
    }
    png_set_read_fn(reader.png, &state, readBytes);
    if (!readHeader(reader.png, reader.info)) {
        fail(ExitCode::BadInput, "{}: damaged PNG at byte {} of {}: {}", name, state.offset, bytes.size(),
             state.message);
    }
    Texture texture;
    texture.name = name;
    texture.width = png_get_image_width(reader.png, reader.info);
    texture.height = png_get_image_height(reader.png, reader.info);
    requireSides(texture.width, texture.height, kMaxTextureSide, name);
    const std::size_t stride = std::size_t{texture.width} * 4;
    if (png_get_rowbytes(reader.png, reader.info) != stride) {
        fail(ExitCode::BadInput, "{}: PNG with an unexpected row length", name);
    }
    texture.rgba.resize(stride * texture.height);
    std::vector<png_bytep> rows(texture.height);
    for (std::size_t y = 0; y < rows.size(); ++y) {
        rows[y] = texture.rgba.data() + y * stride;
    }
    if (!readRows(reader.png, reader.info, rows.data())) {
        fail(ExitCode::BadInput, "{}: damaged PNG at byte {} of {}: {}", name, state.offset, bytes.size(),
             state.message);
    }
    return texture;
}

} // namespace aureole
