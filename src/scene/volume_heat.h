#pragma once

#include "scene/scene.h"

namespace aureole {

/// The heat of a volume: where its file has the temperature t, a black body of `scale` t + `offset` kelvin, in linear
/// Rec. 709 and in units of the luminance at kBlackBodyReference (image/colour/black_body.h). Above 800 K what is
/// interpolated between its colours is off by 1.4 % at most, if the hottest is at most 40000 K; by 0.02 % if 5000 K.
VolumeHeat makeVolumeHeat(DensityTree temperatures, double scale, double offset);

} // namespace aureole
