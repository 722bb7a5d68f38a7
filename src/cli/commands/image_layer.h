#pragma once

#include <string>

#include "image/image.h"

namespace aureole::cli {

/// A layer of an image as an image of its own: LAYER.R, G and B, or X, Y and Z, as R, G and B, with LAYER.A as A; a
/// layer of one channel, such as depth.Z, as Y. Attributes stay. Throws Error (BadInput) naming `file` and its layers
/// where there is none of that name, or one of other channels.
Image takeLayer(Image image, const std::string& layer, const std::string& file);

} // namespace aureole::cli
