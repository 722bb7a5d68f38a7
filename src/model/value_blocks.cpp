#include "model/value_blocks.h"

#include "model/density_grid.h"
#include "model/level_set.h"

namespace aureole {

bool areSoundBlocks(const std::vector<glm::ivec3>& blocks, const std::vector<std::uint32_t>& values,
                    std::size_t valueBlocks) {
    bool sound = values.size() == blocks.size();
    for (std::size_t i = 0; sound && i < blocks.size(); ++i) {
        sound = values[i] < valueBlocks && (i == 0 || blockBefore(blocks[i - 1], blocks[i])) &&
                glm::all(glm::lessThan(glm::abs(glm::dvec3(blocks[i])), glm::dvec3(DensityGrid::kFarthest)));
    }
    return sound;
}

} // namespace aureole
