#pragma once

#include <cstddef>
#include <span>

#include "image/byte_reader.h"

namespace aureole::vdb {

enum class Packing { Zlib, Blosc };

/// Unpacks to exactly as many bytes as there is room for. Throws Error (BadInput) at the reader's place where they are
/// damaged or give others.
void unpackBytes(Packing packing, std::span<const std::byte> packed, std::span<std::byte> to, const ByteReader& reader);

} // namespace aureole::vdb
