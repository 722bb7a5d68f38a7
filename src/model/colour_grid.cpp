#include "model/colour_grid.h"

#include <algorithm>
#include <cmath>

#include "core/cube_index.h"
#include "model/level_set.h"
#include "model/value_blocks.h"

namespace aureole {

namespace {

bool isColour(const glm::vec3& colour) {
    return glm::all(glm::greaterThanEqual(colour, glm::vec3(0.0F))) &&
           glm::all(glm::lessThanEqual(colour, glm::vec3(1.0F)));
}

bool isAffine(const glm::dmat4& matrix) {
    bool finite = true;
    for (glm::length_t column = 0; column < 4; ++column) {
        const glm::dvec4& part = matrix[column];
        finite = finite && std::isfinite(part.x + part.y + part.z) && part.w == (column == 3 ? 1.0 : 0.0);
    }
    return finite;
}

} // namespace

bool ColourGrid::isSound() const {
    return colours.size() % kBlockPoints == 0 && areSoundBlocks(blocks, values, colours.size() / kBlockPoints) &&
           isAffine(pointFromModel) && std::all_of(colours.begin(), colours.end(), [](const glm::vec3& colour) {
               return colour == kNoColour || isColour(colour);
           });
}

const glm::vec3& ColourSampler::atPoint(const glm::ivec3& point) const {
    constexpr int kBlockBits = 3;
    const glm::ivec3 block = point >> kBlockBits;
    const std::vector<glm::ivec3>& blocks = grid_.blocks;
    if (block != lastBlock_) {
        lastBlock_ = block;
        last_ = static_cast<std::size_t>(std::lower_bound(blocks.begin(), blocks.end(), block, blockBefore) -
                                         blocks.begin());
    }
    if (last_ == blocks.size() || blocks[last_] != block) {
        return ColourGrid::kNoColour;
    }
    const std::size_t inBlock = cubeIndex(point & (ColourGrid::kBlock - 1), ColourGrid::kBlock);
    return grid_.colours[grid_.values[last_] * ColourGrid::kBlockPoints + inBlock];
}

std::optional<glm::vec3> ColourSampler::at(const glm::dvec3& place) const {
    constexpr float kLeastWeight = 1e-5F; // what is that near to a point is there
    constexpr double kFarthest = 1e9;     // farther than any block, within integers
    if (grid_.empty()) {
        return std::nullopt;
    }
    const glm::dvec3 point = glm::clamp(glm::dvec3(grid_.pointFromModel * glm::dvec4(place, 1.0)),
                                        glm::dvec3(-kFarthest), glm::dvec3(kFarthest));
    const glm::dvec3 low = glm::floor(point);
    const glm::vec3 share(point - low);
    glm::vec3 sum(0.0F);
    float weights = 0.0F;
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        const glm::ivec3 step(corner & 1U, (corner >> 1U) & 1U, corner >> 2U);
        const glm::vec3 along = glm::mix(1.0F - share, share, glm::vec3(step));
        const float weight = along.x * along.y * along.z;
        const glm::vec3& colour = weight > kLeastWeight ? atPoint(glm::ivec3(low) + step) : ColourGrid::kNoColour;
        if (colour != ColourGrid::kNoColour) {
            sum += weight * colour;
            weights += weight;
        }
    }
    return weights > 0.0F ? std::optional(sum / weights) : std::nullopt;
}

} // namespace aureole
