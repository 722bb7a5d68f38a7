#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "image/image.h"

namespace aureole {

/// Where the parts of a picture come from. Functions get the index of a part in `files`.
struct PartSource {
    std::vector<std::string> files;         ///< their names, for messages
    std::function<Image(std::size_t)> head; ///< size, attributes and names of the channels, whose values may be missing
    std::function<Image(std::size_t)> image; ///< called once each, by several threads at the same time
    std::function<void(std::size_t, const Image&)> onAdded =
        {}; ///< called once each, in ascending order of the samples
};

/// Joins parts of one picture: ranges of its samples, of all of it or of crops. Sums are in double and added in
/// ascending order of the samples, whatever order the parts are given in. A few parts are in memory at a time, as
/// decoding them takes longest; where pictures are large, only one is. The result spans all crops. Attributes other
/// than samples and crop are those of the part with the lowest samples: nothing in the result tells in what order the
/// parts were given.
///
/// Missing samples are a warning that names them, and so are pixels that have none or others than the rest; a result
/// with such pixels has aureole.sample_counts and cannot be merged further. Throws Error (BadInput) that says
/// what differs where parts are of different pictures, exposures or versions of aureole or have different layers, where
/// two have the same samples of the same pixels, and where their crops span a picture larger than an image may be
/// (core/image_limits.h).
Image mergeParts(const PartSource& source);

} // namespace aureole
