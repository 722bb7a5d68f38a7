#pragma once

// All tables of the settings together, each of which stands below its structs.

#include <string>
#include <vector>

#include "settings/bloom.h"
#include "settings/film.h"
#include "settings/finish.h"
#include "settings/integrator.h"
#include "settings/voxels.h"

namespace aureole {

/// Calls visit(path, rows, struct) for the tables whose rows are options of renders; the path is that of their object.
template <typename Settings, typename Visit>
void forEachTable(Settings&& settings, const Visit& visit) {
    visit("/film", kFilmFields, settings.film);
    visit("/integrator", kIntegratorFields, settings.integrator);
    visit("/voxels", kVoxelFields, settings.voxels);
}

/// Where the scene has the setting of a row of these tables: "/integrator/noise".
std::string pointerOf(const Setting& setting);

/// The attributes of all settings that pictures or checkpoints note, in the order of the tables.
std::vector<std::string> notedSettings();

/// The attributes of the settings that pictures note.
std::vector<std::string> settingsInPictures();

} // namespace aureole
