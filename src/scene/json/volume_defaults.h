#pragma once

#include <filesystem>

#include "model/density_grid.h"
#include "scene/json/json_document.h"
#include "settings/model_show.h"

namespace aureole {

/// Throws Error (BadInput) for a grid of a file that volumeScene cannot show: nothing, or too little of anything.
void checkDensities(const std::filesystem::path& file, const DensityGrid& grid, const DensitySummary& fog);

/// The scene that stands for a file of fog rendered directly, as modelScene's for surfaces: a cloud as thick as it
/// takes to look like one, under a sky with a sun unless another stage is asked for. Takes a volume
/// that has some extent, and passed checkDensities.
Json volumeScene(const std::filesystem::path& file, const DensitySummary& fog, double aspect, const ModelShow& show);

} // namespace aureole
