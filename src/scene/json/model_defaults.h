#pragma once

#include <filesystem>

#include "import/import.h"
#include "scene/json/json_document.h"

namespace aureole {

/// The scene that stands for a model file rendered directly: the model, a floor under it (unless it is an octree), a
/// sky with a sun, and a camera framed on it; the cameras and lights that the file has, if any, come first. As JSON, so
/// that overrides work on it. `aspect` is the film's width over its height. For surfaces that need an inside,
/// `slabResolution` above 0 makes the floor a slab, some voxels thick in grids of that many voxels a side and more.
Json modelScene(const std::filesystem::path& file, const ImportedModel& model, double aspect,
                std::uint32_t slabResolution = 0);

} // namespace aureole
