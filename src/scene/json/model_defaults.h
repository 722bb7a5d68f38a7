#pragma once

#include <filesystem>

#include "import/import.h"
#include "scene/json/json_document.h"
#include "settings/model_show.h"

namespace aureole {

/// The scene that stands for a model file rendered directly: the model on a stage with its floor (an octree has none)
/// and a camera framed on it, as `show` asks; the cameras and lights that the file has, if any, come first where it
/// does not. As JSON, so that overrides work on it. `aspect` is the film's width over its height. For surfaces that
/// need an inside, `slabResolution` above 0 makes the floor a slab, some voxels thick in grids of that many voxels a
/// side and more.
Json modelScene(const std::filesystem::path& file, const ImportedModel& model, double aspect,
                std::uint32_t slabResolution = 0, const ModelShow& show = {});

} // namespace aureole
