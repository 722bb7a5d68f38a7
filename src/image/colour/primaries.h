#pragma once

#include <array>

namespace aureole {

/// x and y in CIE's chromaticity diagram of red, green, blue and white, as files of images note them: those of Rec. 709
/// and of sRGB, with the white D65 (ITU-R BT.709-6, table 1).
inline constexpr std::array<float, 8> kRec709Primaries = {0.64F, 0.33F, 0.3F, 0.6F, 0.15F, 0.06F, 0.3127F, 0.329F};

} // namespace aureole
