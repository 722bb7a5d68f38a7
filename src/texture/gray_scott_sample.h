#pragma once

#include <cstdint>

#include "texture/gray_scott.h"

namespace aureole::texture {

/// A state of the model at another size, each side 1 or more, by bilinear sampling at the middles of the cells.
Concentrations sampled(const GrayScott& model, const Concentrations& state, std::uint32_t width, std::uint32_t height);

} // namespace aureole::texture
