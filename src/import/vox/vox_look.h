#pragma once

#include "import/import.h"
#include "import/vox/vox_file.h"

namespace aureole::vox {

/// Our axes from MagicaVoxel's: (x, y, z) -> (x, z, -y).
glm::dmat4 worldFromFile();

/// Warns, once for a file, of what materials, cameras and light say that is not the numbers it should be, and so goes
/// unused.
void warnOfUnreadable(const VoxFile& file, const std::string& name);

/// The cameras that someone saved, in the order of their numbers; the others have the radius 0. `_angle` is pitch, yaw
/// and roll in degrees: at 0 a camera looks along y, a yaw turns it from there to -x, a pitch above 0 looks up, a roll
/// turns it counter-clockwise. It stands `_radius` before `_focus`; `_fov` is taken as vertical. A parallel projection
/// ("orth", "iso") is as high as the perspective one at the focus.
std::vector<Camera> camerasOf(const VoxFile& file);

/// The light, where its settings are not the ones that each file has from the start: a sun (`_inf`), which stands where
/// a camera of its yaw would that looks down by its pitch, a uniform sky (`_uni`), a ground (`_ground`) and the film's
/// exposure (`_expo`). Radiances are what the settings say; the sun's `_i` is the radiance of a white surface that
/// faces it, `_area` its diameter as an angle. MagicaVoxel publishes none of this; the directions were found by a
/// picture and the file that it is of.
std::optional<Daylight> daylightOf(const VoxFile& file);

} // namespace aureole::vox
