#include "nbt_bytes.h"

#include <stdexcept>

#include <zlib.h>

namespace aureole::test::nbt {

namespace {

/// The lowest `bytes` bytes of a value, the highest first.
std::string big(std::uint64_t value, unsigned bytes) {
    std::string result;
    for (unsigned i = bytes; i > 0; --i) {
        result += static_cast<char>(value >> (8 * (i - 1)) & 0xffU);
    }
    return result;
}

std::string shortText(const std::string& value) {
    return big(value.size(), 2) + value;
}

} // namespace

Value byteOf(int value) {
    return {1, big(static_cast<std::uint64_t>(value), 1)};
}

Value shortOf(int value) {
    return {2, big(static_cast<std::uint64_t>(value), 2)};
}

Value intOf(std::int32_t value) {
    return {3, big(static_cast<std::uint64_t>(value), 4)};
}

Value longOf(std::int64_t value) {
    return {4, big(static_cast<std::uint64_t>(value), 8)};
}

Value text(const std::string& value) {
    return {8, shortText(value)};
}

Value byteArray(const std::string& bytes) {
    return {7, big(bytes.size(), 4) + bytes};
}

Value longArray(const std::vector<std::uint64_t>& values) {
    std::string bytes = big(values.size(), 4);
    for (const std::uint64_t value : values) {
        bytes += big(value, 8);
    }
    return {12, bytes};
}

Value list(const std::vector<Value>& values) {
    std::string bytes(1, values.empty() ? '\0' : values.front().type);
    bytes += big(values.size(), 4);
    for (const Value& value : values) {
        bytes += value.bytes;
    }
    return {9, bytes};
}

Value compound(const Entries& entries) {
    std::string bytes;
    for (const auto& [name, value] : entries) {
        bytes += value.type + shortText(name) + value.bytes;
    }
    return {10, bytes + '\0'};
}

std::string file(const Value& root, const std::string& name) {
    return root.type + shortText(name) + root.bytes;
}

std::string gzip(const std::string& bytes) {
    constexpr int kGzip = MAX_WBITS + 16;
    constexpr int kMemory = 8;
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::runtime_error("zlib does not start");
    }
    std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const int status = deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    if (status != Z_STREAM_END) {
        throw std::runtime_error("zlib does not end");
    }
    return packed;
}

} // namespace aureole::test::nbt
