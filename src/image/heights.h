#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "image/image.h"

namespace aureole {

/// A picture as heights: the luminance of its pixels, row by row from the top. `file` and `use` name it in messages:
/// "heights for a relief". Throws Error (BadInput) where it has no colours, or a value that is not finite, with the
/// pixel.
std::vector<float> heightsOf(const Image& image, const std::string& file, std::string_view use);

} // namespace aureole
