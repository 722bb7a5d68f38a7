#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/palette.h"

namespace aureole {
namespace {

void expectNear(const glm::dvec3& found, const glm::dvec3& expected) {
    for (glm::length_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(found[c], expected[c], 1e-12) << "component " << c;
    }
}

TEST(Palette, ColoursStandAtEvenDistances) {
    const ColourList list = {{0.0, 0.0, 0.0}, {1.0, 0.5, 0.0}, {1.0, 1.0, 4.0}};
    expectNear(paletteColour(list, 0.0), {0.0, 0.0, 0.0});
    expectNear(paletteColour(list, 0.25), {0.5, 0.25, 0.0});
    expectNear(paletteColour(list, 0.5), {1.0, 0.5, 0.0});
    expectNear(paletteColour(list, 0.75), {1.0, 0.75, 2.0});
    expectNear(paletteColour(list, 1.0), {1.0, 1.0, 4.0});
}

TEST(Palette, ValuesBeyondTheEndsHaveTheEndsColours) {
    const ColourList list = {glm::dvec3(2.0), glm::dvec3(3.0)};
    expectNear(paletteColour(list, -1.0), glm::dvec3(2.0));
    expectNear(paletteColour(list, std::numeric_limits<double>::quiet_NaN()), glm::dvec3(2.0));
    expectNear(paletteColour(list, 7.0), glm::dvec3(3.0));
    expectNear(paletteColour(ColourList{glm::dvec3(0.3)}, 0.6), glm::dvec3(0.3));
}

TEST(Palette, CosinesTurnEachComponentOnItsOwn) {
    const CosinePalette cosine{glm::dvec3(0.5), {0.5, 0.25, 2.0}, {1.0, 2.0, 1.0}, {0.0, 0.25, 0.5}};
    expectNear(paletteColour(cosine, 0.0), {1.0, 0.5, 0.0}); // -1.5 is black
    expectNear(paletteColour(cosine, 0.5), {0.0, 0.5, 2.5});
    expectNear(paletteColour(cosine, 0.25), {0.5, 0.5, 0.5});
    expectNear(paletteColour(cosine, 0.125), {0.5 + 0.5 * std::sqrt(0.5), 0.25, 0.0});
}

} // namespace
} // namespace aureole
