#pragma once

#include "model/texture.h"

namespace aureole {

/// One texture with roughness in G and metalness in B, from two pictures of which either may be missing (nullptr, which
/// gives white). Their red channels count; the smaller is repeated to the size of the larger.
Texture packMetallicRoughness(const Texture* roughness, const Texture* metalness);

/// `colour` (nullptr: white) with the alpha of `opacity`: its alpha channel where it has one, else its red channel.
Texture packAlpha(const Texture* colour, const Texture& opacity);

/// Whether all pixels have R = G = B but for a little noise.
bool isGrey(const Texture& texture);

} // namespace aureole
