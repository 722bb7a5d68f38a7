#pragma once

// Text and images as parts of SVG and HTML. What these functions return is well-formed XML too.

#include <string>

#include "image/image.h"

namespace aureole::cli {

/// Text for the content of an element or a quoted attribute: no markup, no control characters, valid UTF-8.
std::string escapeMarkup(const std::string& text);

/// A display-referred image as "data:image/png;base64,...". `name` stands for it in messages. Throws what encodePng
/// throws.
std::string pngDataUri(const Image& image, const std::string& name);

} // namespace aureole::cli
