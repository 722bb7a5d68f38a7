#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "image/exr/exr_header.h"
#include "image/image.h"

namespace aureole {

/// A part of an EXR file that is read.
struct ExrPart {
    int index = 0; ///< in the file
    const ExrHeader* header = nullptr;
    std::vector<std::string> names; ///< of its channels, as the image has them
};

/// The parts that make one image: the picture comes first, and after it its layers, of the same data window. `headers`
/// outlive them. Throws Error (BadInput) where all parts are deep.
std::vector<ExrPart> joinParts(const std::vector<ExrHeader>& headers, const std::string& file);

/// Warns of parts that are not among `parts`.
void warnOfLeftOut(const std::vector<ExrHeader>& headers, const std::vector<ExrPart>& parts, const std::string& file);

/// A small file may not claim more pixels than it could hold, so that nothing is allocated for them. Throws Error
/// (BadInput).
void checkPixelBytes(const std::vector<ExrPart>& parts, std::size_t fileBytes, const std::string& file);

/// Fills the channels of `image`, which are those of `parts` one after the other, by OpenEXR's own library. Throws
/// Error (BadInput) for damage and chunks that are missing.
void decodeByOpenExr(const std::vector<ExrPart>& parts, std::span<const std::byte> bytes, const std::string& file,
                     Image& image);

} // namespace aureole
