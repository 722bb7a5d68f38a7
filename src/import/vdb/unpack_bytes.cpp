#include "import/vdb/unpack_bytes.h"

#include <blosc.h>
#include <zlib.h>

namespace aureole::vdb {

namespace {

bool unzip(std::span<const std::byte> packed, std::span<std::byte> to) {
    uLongf size = to.size();
    return uncompress(reinterpret_cast<Bytef*>(to.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                      packed.size()) == Z_OK &&
           size == to.size();
}

bool unblosc(std::span<const std::byte> packed, std::span<std::byte> to) {
    std::size_t size = 0;
    return blosc_cbuffer_validate(packed.data(), packed.size(), &size) == 0 && size == to.size() &&
           blosc_decompress_ctx(packed.data(), to.data(), to.size(), 1) == static_cast<int>(to.size());
}

} // namespace

void unpackBytes(Packing packing, std::span<const std::byte> packed, std::span<std::byte> to,
                 const ByteReader& reader) {
    if (!(packing == Packing::Zlib ? unzip(packed, to) : unblosc(packed, to))) {
        reader.refuse("found damaged data before it, expected {} bytes packed by {}", to.size(),
                      packing == Packing::Zlib ? "zlib" : "Blosc");
    }
}

} // namespace aureole::vdb
