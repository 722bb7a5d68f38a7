#include "model/density_grid.h"

#include <algorithm>
#include <cmath>

#include "model/value_blocks.h"

namespace aureole {

bool DensityGrid::isSound() const {
    bool sound =
        densities.size() % kBlockPoints == 0 && areSoundBlocks(blocks, values, densities.size() / kBlockPoints);
    sound = sound && std::all_of(densities.begin(), densities.end(),
                                 [](float density) { return std::isfinite(density) && density >= 0.0F; });
    const double volume = glm::determinant(glm::dmat3(worldFromPoint));
    const glm::dvec3 place(worldFromPoint[3]);
    return sound && std::isnormal(volume) && std::isfinite(place.x + place.y + place.z) && worldFromPoint[0].w == 0.0 &&
           worldFromPoint[1].w == 0.0 && worldFromPoint[2].w == 0.0 && worldFromPoint[3].w == 1.0;
}

DensitySummary summaryOf(const DensityGrid& grid) {
    DensitySummary summary;
    Bounds points;
    for (std::size_t i = 0; i < grid.blocks.size(); ++i) {
        const float* const values = grid.at(i);
        for (int p = 0; p < static_cast<int>(DensityGrid::kBlockPoints); ++p) {
            if (values[p] > 0.0F) {
                points.add(glm::dvec3(DensityGrid::kBlock * grid.blocks[i] + glm::ivec3(p & 7, p >> 3 & 7, p >> 6)));
                summary.mean += double{values[p]};
                ++summary.points;
            }
        }
    }
    if (summary.points > 0) {
        summary.mean /= static_cast<double>(summary.points);
        points.min -= 1.0; // to the next points densities fall to 0
        points.max += 1.0;
        summary.bounds = transformed(points, grid.worldFromPoint);
    }
    return summary;
}

} // namespace aureole
