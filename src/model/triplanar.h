#pragma once

#include "core/math.h"
#include "model/texture.h"

namespace aureole {

/// The colour of a texture laid over space in squares of slot.tile metres, along each of the world's axes, at a place
/// on a surface that faces `normal` (unit length, either way). The three pictures are mixed by the eighth powers of the
/// normal's components, so that the one it faces most stands out. After the projection the slot's transform and
/// wrapping apply.
glm::vec4 sampleTriplanar(const Texture& texture, const TextureSlot& slot, const glm::dvec3& position,
                          const glm::vec3& normal);

} // namespace aureole
