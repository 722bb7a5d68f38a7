#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "image/image.h"

namespace aureole {

/// Whether the bytes start as those of a Radiance picture (.hdr).
bool looksLikeHdr(std::span<const std::byte> bytes);

/// Decodes a Radiance picture of shared exponents, plain or run-length encoded, in whatever order its pixels are, as R,
/// G and B in the file's own unit. Throws Error (BadInput) naming `file` for damage, a file that ends early and XYZ
/// colours.
Image decodeHdr(std::span<const std::byte> bytes, const std::string& file);

} // namespace aureole
