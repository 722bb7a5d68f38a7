#pragma once

// Materials that are blended over what is behind them, by an alpha between 0 and 1.

#include <span>

#include "model/material.h"
#include "model/texture.h"

namespace aureole {

/// Alpha below which nothing of a blended surface is there, and above which all of it is: voxels hold metalness, which
/// alpha takes the place of, in 15 steps.
inline constexpr float kLeastAlpha = 1.0F / 30.0F;
inline constexpr float kMostAlpha = 1.0F - kLeastAlpha;

/// Has a matt or metallic-roughness material with AlphaMode::Blend show what is behind it, by the share that its alpha
/// leaves. It becomes a pane that neither reflects nor tints what goes through (METALNESS_IS_OPACITY), and is no metal
/// any more. What a picture cuts out, leaves or fences, has such an alpha at its edges alone: less than a twentieth of
/// what is there. That stays what it was, cut at one half. Glass that is blended is glass all over. `alphaOfColours`
/// says that colours of vertices have an alpha in between.
void blendOver(Material& material, std::span<const Texture> textures, bool alphaOfColours);

} // namespace aureole
