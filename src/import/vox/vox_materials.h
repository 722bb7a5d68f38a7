#pragma once

#include "import/vox/vox_file.h"
#include "model/material.h"

namespace aureole::vox {

/// The material of a palette index. Its colour is made linear from sRGB. An emissive one ("_emit") radiates its colour
/// times emit * 10^flux, MagicaVoxel's "emission" and "power". Its "ldr" only dims what its own camera sees of a light,
/// and is not used. Mixtures ("_blend") are what most of their light does, glass or metal; media that absorb or
/// scatter are solids without a surface, of the index 1.
Material makeMaterial(const VoxFile& file, std::uint8_t index);

} // namespace aureole::vox
