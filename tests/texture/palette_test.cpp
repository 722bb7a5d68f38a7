#include <cmath>

#include <gtest/gtest.h>

#include "texture/palette.h"

namespace aureole::texture {
namespace {

void expectNear(const glm::vec3& found, const glm::vec3& expected) {
    for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(found[c], expected[c], 1e-6F) << "component " << c;
    }
}

TEST(PaletteTest, ColoursStandAtEvenDistances) {
    const Palette palette{.colours = {{0.0F, 0.0F, 0.0F}, {1.0F, 0.5F, 0.0F}, {1.0F, 1.0F, 4.0F}}};
    expectNear(paletteColour(palette, 0.0F), {0.0F, 0.0F, 0.0F});
    expectNear(paletteColour(palette, 0.25F), {0.5F, 0.25F, 0.0F});
    expectNear(paletteColour(palette, 0.5F), {1.0F, 0.5F, 0.0F});
    expectNear(paletteColour(palette, 0.75F), {1.0F, 0.75F, 2.0F});
    expectNear(paletteColour(palette, 1.0F), {1.0F, 1.0F, 4.0F});
}

TEST(PaletteTest, ValuesBeyondTheEndsHaveTheEndsColours) {
    const Palette palette{.colours = {glm::vec3(2.0F), glm::vec3(3.0F)}};
    expectNear(paletteColour(palette, -1.0F), glm::vec3(2.0F));
    expectNear(paletteColour(palette, NAN), glm::vec3(2.0F));
    expectNear(paletteColour(palette, 7.0F), glm::vec3(3.0F));
    expectNear(paletteColour({.colours = {glm::vec3(0.3F)}}, 0.6F), glm::vec3(0.3F));
}

TEST(PaletteTest, CosinesTurnEachComponentOnItsOwn) {
    Palette palette;
    palette.colours.clear();
    palette.cosine = {glm::vec3(0.5F), glm::vec3(0.5F, 0.25F, 2.0F), glm::vec3(1.0F, 2.0F, 1.0F),
                      glm::vec3(0.0F, 0.25F, 0.5F)};
    expectNear(paletteColour(palette, 0.0F), {1.0F, 0.5F, 0.0F}); // -1.5 is black
    expectNear(paletteColour(palette, 0.5F), {0.0F, 0.5F, 2.5F});
    expectNear(paletteColour(palette, 0.25F), {0.5F, 0.5F, 0.5F});
    expectNear(paletteColour(palette, 0.125F), {0.5F + 0.5F * std::sqrt(0.5F), 0.25F, 0.0F});
}

} // namespace
} // namespace aureole::texture
