#include "model/triplanar.h"

#include "model/texture_sample.h"

namespace aureole {

glm::vec4 sampleTriplanar(const Texture& texture, const TextureSlot& slot, const glm::dvec3& position,
                          const glm::vec3& normal) {
    const glm::dvec3 place = position / slot.tile;
    // Of each axis, the plane across it, upright seen from its front; v runs downwards.
    const std::array<glm::dvec2, 3> planes = {glm::dvec2(-place.z, -place.y), glm::dvec2(place.x, place.z),
                                              glm::dvec2(place.x, -place.y)};
    const glm::vec3 weights = glm::pow(glm::abs(normal), glm::vec3(8.0F));
    glm::vec4 sum(0.0F);
    float all = 0.0F;
    for (int axis = 0; axis < 3; ++axis) {
        if (weights[axis] > 0.0F) {
            const glm::dvec2 plane = planes[static_cast<std::size_t>(axis)];
            const glm::vec2 uv(glm::dmat3(slot.transform) * glm::dvec3(plane, 1.0));
            sum += weights[axis] * sampleTexture(texture, slot, uv);
            all += weights[axis];
        }
    }
    return all > 0.0F ? sum / all : glm::vec4(1.0F);
}

} // namespace aureole
