#pragma once

// Photometric quantities in the renderer's radiometric ones. A watt stands for 683 lm, the luminous efficacy of light
// at 555 nm, whatever its colour: what Blender's glTF importer takes it for in its "Standard" lighting mode. So 683
// times the luminance of a picture's pixel is cd/m^2.

#include "core/math.h"
#include "image/image.h"
#include "model/light.h"

namespace aureole {

/// The efficacy at 555 nm, by which the SI defines the candela; three channels hold no spectrum to weigh.
inline constexpr double kLumensPerWatt = 683.0;

/// The luminance of a linear Rec. 709 colour.
inline double luminanceOf(const glm::vec3& colour) {
    return luminance(colour.x, colour.y, colour.z);
}

/// Units of PunctualLight::intensity. Radiometric is W/sr of point and spot lights, W/m^2 of directional ones; lumens
/// are all that a point or spot light gives off.
enum class LightUnit { Radiometric, Candela, Lumen, Lux };

/// The factor from a number in `unit` to what PunctualLight::intensity is in. That of lumens depends on the light's
/// cone: the flux through the whole cone, its soft edge included. 0 where the cone is too narrow to say.
double intensityPerUnit(LightUnit unit, const PunctualLight& light);

} // namespace aureole
