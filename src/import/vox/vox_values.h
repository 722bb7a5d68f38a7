#pragma once

// What dictionaries of .vox files say in words.

#include <cstddef>
#include <optional>
#include <vector>

#include "import/vox/vox_file.h"

namespace aureole::vox {

/// The `count` numbers of a key, none larger than a million (MagicaVoxel's world has 2000 voxels); nothing where it is
/// missing or says anything else.
std::optional<std::vector<double>> numbersOf(const Dictionary& properties, const char* key, std::size_t count);

/// The number of a key; `otherwise` where there is none.
double numberOr(const Dictionary& properties, const char* key, double otherwise);

} // namespace aureole::vox
