// The cells that a ray can still come to, against walking the node's cells.

#include <gtest/gtest.h>

#include "shared/octree/reach.h"

namespace aureole::shared {
namespace {

TEST(Reach, IsEveryCellNoLowerInTheDirectionOfTheRay) {
    for (uint mirrorAxes = 0; mirrorAxes < 8; ++mirrorAxes) {
        for (uint bit = 0; bit < 64; ++bit) {
            const uvec2 cells = reachableCells(reachEntry(mirrorAxes, bit));
            for (uint other = 0; other < 64; ++other) {
                bool ahead = true;
                for (int axis = 0; axis < 3; ++axis) {
                    const int sign = (mirrorAxes >> static_cast<uint>(axis) & 1U) != 0 ? -1 : 1;
                    const int from = static_cast<int>(bitCell(bit)[axis]);
                    const int to = static_cast<int>(bitCell(other)[axis]);
                    ahead = ahead && sign * (to - from) >= 0;
                }
                EXPECT_EQ(maskHasBit(cells, other) != 0, ahead) << mirrorAxes << ": from " << bit << " to " << other;
            }
        }
    }
}

} // namespace
} // namespace aureole::shared
