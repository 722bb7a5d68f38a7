#include "model/triplanar.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace aureole {
namespace {

/// Four texels: 0 and 51 above, 102 and 255 below.
Texture fourTexels() {
    Texture texture{"four", 2, 2, {}};
    for (const int value : {0, 51, 102, 255}) {
        texture.rgba.insert(texture.rgba.end(), 4, static_cast<std::uint8_t>(value));
    }
    return texture;
}

TextureSlot nearestSlot(double tile) {
    TextureSlot slot;
    slot.texture = 0;
    slot.nearest = true;
    slot.triplanar = true;
    slot.tile = tile;
    return slot;
}

/// The texel's byte that a surface shows.
double shown(const TextureSlot& slot, const glm::dvec3& position, const glm::vec3& normal) {
    return 255.0 * static_cast<double>(sampleTriplanar(fourTexels(), slot, position, glm::normalize(normal)).x);
}

TEST(Triplanar, EachAxisShowsItsPlaneUpright) {
    const TextureSlot slot = nearestSlot(2.0);
    // The picture's square from (0, 0) to (2, 2) metres: above is where y is large.
    for (const float side : {1.0F, -1.0F}) {
        EXPECT_NEAR(shown(slot, {0.5, 1.5, 9.0}, {0, 0, side}), 0.0, 1e-3);
        EXPECT_NEAR(shown(slot, {1.5, 1.5, 9.0}, {0, 0, side}), 51.0, 1e-3);
        EXPECT_NEAR(shown(slot, {0.5, 0.5, 9.0}, {0, 0, side}), 102.0, 1e-3);
        EXPECT_NEAR(shown(slot, {2.5, 0.5, 9.0}, {0, 0, side}), 102.0, 1e-3); // repeated
        EXPECT_NEAR(shown(slot, {9.0, 1.5, 1.5}, {side, 0, 0}), 0.0, 1e-3);   // from +x, -z is on the right
        EXPECT_NEAR(shown(slot, {9.0, 1.5, 0.5}, {side, 0, 0}), 51.0, 1e-3);
        EXPECT_NEAR(shown(slot, {9.0, 0.5, 1.5}, {side, 0, 0}), 102.0, 1e-3);
        EXPECT_NEAR(shown(slot, {0.5, 9.0, 0.5}, {0, side, 0}), 0.0, 1e-3); // from above, z runs down
        EXPECT_NEAR(shown(slot, {1.5, 9.0, 0.5}, {0, side, 0}), 51.0, 1e-3);
        EXPECT_NEAR(shown(slot, {0.5, 9.0, 1.5}, {0, side, 0}), 102.0, 1e-3);
    }
}

TEST(Triplanar, PlanesAreMixedByWhereTheSurfaceFaces) {
    const TextureSlot slot = nearestSlot(2.0);
    const glm::dvec3 place(0.5, 1.5, 0.5); // across z 0, across x 51, across y 0
    EXPECT_NEAR(shown(slot, place, {1, 0, 1}), 51.0 / 2, 1e-3);
    EXPECT_NEAR(shown(slot, place, {1, 1, 1}), 51.0 / 3, 1e-3);
    EXPECT_NEAR(shown(slot, place, {2, 0, 1}), 51.0 * 256 / 257, 1e-3); // eighth powers
}

TEST(Triplanar, TheSlotsTransformComesAfterwards) {
    TextureSlot slot = nearestSlot(2.0);
    slot.transform = glm::mat3(1, 0, 0, 0, 1, 0, 0.5F, 0, 1); // by half a picture
    EXPECT_NEAR(shown(slot, {0.5, 1.5, 0.0}, {0, 0, 1}), 51.0, 1e-3);
}

} // namespace
} // namespace aureole
