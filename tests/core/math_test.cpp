#include "core/math.h"

#include <cmath>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

namespace aureole {
namespace {

TEST(BoundsTest, CornersGoThroughAMatrix) {
    const Bounds box{{1.0, 2.0, 3.0}, {2.0, 4.0, 7.0}};
    EXPECT_EQ(box.corner(0), glm::dvec3(1.0, 2.0, 3.0));
    EXPECT_EQ(box.corner(5), glm::dvec3(2.0, 2.0, 7.0));
    // x goes to y, y to -2x, z stays.
    const glm::dmat4 matrix(0, 1, 0, 0, -2, 0, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1);
    const Bounds moved = transformed(box, matrix);
    EXPECT_EQ(moved.min, glm::dvec3(2.0, 1.0, 3.0));
    EXPECT_EQ(moved.max, glm::dvec3(6.0, 2.0, 7.0));
    // Askew, all eight count: the diagonal of a unit cube stands up.
    const glm::dmat4 turned = glm::rotate(glm::dmat4(1.0), glm::radians(45.0), glm::dvec3(0.0, 0.0, 1.0));
    EXPECT_NEAR(transformed({glm::dvec3(0.0), glm::dvec3(1.0)}, turned).max.y, std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(transformed({glm::dvec3(0.0), glm::dvec3(1.0)}, turned).min.x, -std::sqrt(0.5), 1e-12);
    EXPECT_TRUE(transformed(Bounds(), matrix).empty());
}

} // namespace
} // namespace aureole
