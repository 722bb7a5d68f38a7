#pragma once

#include "import/import.h"
#include "scene/scene.h"

namespace aureole::fuzz {

/// What scene.h and import.h promise: indices in range, arrays of one length, numbers that are finite.
void requireSane(const ImportedModel& model);
void requireSane(const Scene& scene);

} // namespace aureole::fuzz
