#pragma once

#include "import/import.h"

namespace aureole {

/// The box around everything solid in a model, in its coordinates.
Bounds modelBounds(const ImportedModel& model);

/// What stands for a model's surfaces where they are left out: its bounds and the side of its voxels.
ModelOutline outlineOf(const ImportedModel& model);

} // namespace aureole
