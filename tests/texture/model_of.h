#pragma once

#include "texture/gray_scott.h"

namespace aureole::texture {

/// The default model on a plane of that many cells.
inline GrayScott modelOf(std::uint32_t width, std::uint32_t height, Border border) {
    GrayScott model;
    model.width = width;
    model.height = height;
    model.border = border;
    return model;
}

} // namespace aureole::texture
