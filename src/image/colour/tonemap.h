#pragma once

#include <array>
#include <string>
#include <string_view>

#include "image/image.h"

namespace aureole {

/// Operators from scene radiance to display-linear values in [0, 1], all on linear Rec. 709.
enum class ToneMap {
    Linear,   ///< clips
    Reinhard, ///< extended Reinhard on luminance, white at 4: Reinhard et al., "Photographic Tone Reproduction", 2002
    Filmic,   ///< Hable, "Uncharted 2: HDR Lighting", GDC 2010, with his exposure bias of 2 and white of 11.2
    Aces,     ///< Hill's fit of the ACES reference rendering and sRGB output transforms (BakingLab, 2016)
    Agx,      ///< Sobotka's AgX base, the inset undone after the curve
};

/// The operator of a name, which is one of toneMapNames() (settings/fields.h): those are in the order of the
/// enumeration. Throws Error (Usage) with the names known and the nearest of them.
ToneMap toneMapFromName(std::string_view name);

/// One colour, already exposed. Negative components count as 0; NaN stays NaN.
std::array<double, 3> toneMapColour(ToneMap operation, const std::array<double, 3>& rgb);

/// The image's colour times 2^exposure through the operator: channels R, G, B, and A unchanged where there is one. All
/// others are dropped; attributes stay. Throws Error (BadInput) where the image has no colour.
Image toneMap(const Image& image, ToneMap operation, double exposure, const std::string& file);

} // namespace aureole
