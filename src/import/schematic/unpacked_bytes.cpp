#include "import/schematic/unpacked_bytes.h"

#include <algorithm>
#include <cstring>

#include <zlib.h>

#include "core/error.h"

namespace aureole::schematic {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16U;
constexpr std::uint64_t kMost = std::uint64_t{1} << 32U;
constexpr int kAnyHeader = MAX_WBITS + 32; ///< of gzip or zlib, whichever is found

bool isPacked(std::span<const std::byte> bytes) {
    constexpr std::byte kGzip{0x1f};
    constexpr std::byte kZlib{0x78};
    return !bytes.empty() && (bytes[0] == kGzip || bytes[0] == kZlib);
}

} // namespace

UnpackedBytes::UnpackedBytes(std::span<const std::byte> packed, const std::string& name)
    : name_(name)
    , packed_(packed) {
    if (!isPacked(packed)) {
        window_ = packed;
        end_ = packed.size();
        return;
    }
    buffer_.resize(kBuffer);
    auto stream = std::make_unique<z_stream>();
    *stream = {};
    if (inflateInit2(stream.get(), kAnyHeader) != Z_OK) {
        throw std::bad_alloc();
    }
    stream_ = std::move(stream);
}

UnpackedBytes::~UnpackedBytes() {
    if (stream_) {
        inflateEnd(stream_.get());
    }
}

void UnpackedBytes::read(std::span<std::byte> to) {
    while (!to.empty()) {
        if (window_.empty()) {
            refill();
        }
        const std::size_t count = std::min(to.size(), window_.size());
        std::memcpy(to.data(), window_.data(), count);
        window_ = window_.subspan(count);
        to = to.subspan(count);
    }
}

void UnpackedBytes::skip(std::uint64_t count) {
    while (count > 0) {
        if (window_.empty()) {
            refill();
        }
        const std::size_t now = static_cast<std::size_t>(std::min<std::uint64_t>(count, window_.size()));
        window_ = window_.subspan(now);
        count -= now;
    }
}

void UnpackedBytes::refill() {
    if (end_ >= kMost) {
        fail(ExitCode::BadInput, "{}: found more than {} bytes once it is unpacked, expected at most that", name_,
             kMost);
    }
    std::size_t made = 0;
    int status = stream_ ? Z_OK : Z_STREAM_END;
    while (status == Z_OK && made == 0) {
        if (stream_->avail_in == 0) {
            const std::size_t count = std::min(packed_.size(), std::size_t{1} << 30U);
            stream_->next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed_.data())); // zlib only reads it
            stream_->avail_in = static_cast<uInt>(count);
            packed_ = packed_.subspan(count);
        }
        stream_->next_out = reinterpret_cast<Bytef*>(buffer_.data());
        stream_->avail_out = static_cast<uInt>(buffer_.size());
        status = inflate(stream_.get(), Z_NO_FLUSH);
        made = buffer_.size() - stream_->avail_out;
    }
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        fail(ExitCode::BadInput, "{}: found damaged data after {} unpacked bytes ({}), expected those of gzip or zlib",
             name_, end_, stream_->msg != nullptr ? stream_->msg : "zlib's error " + std::to_string(status));
    }
    if (made == 0) {
        fail(ExitCode::BadInput, "{}: found its end after {} unpacked bytes, expected more", name_, end_);
    }
    window_ = std::span(buffer_).first(made);
    end_ += made;
}

} // namespace aureole::schematic
