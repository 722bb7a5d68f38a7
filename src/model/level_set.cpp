#include "model/level_set.h"

#include <algorithm>
#include <cmath>

#include "core/cube_index.h"

namespace aureole {

namespace {

constexpr int kBlockBits = 3;
constexpr std::int32_t kInBlock = LevelSet::kBlock - 1;

glm::ivec3 cornerOf(std::uint32_t corner) {
    return {static_cast<int>(corner & 1U), static_cast<int>((corner >> 1U) & 1U), static_cast<int>(corner >> 2U)};
}

std::size_t pointInBlock(const glm::ivec3& point) {
    return cubeIndex(point & kInBlock, LevelSet::kBlock);
}

/// The distances of a block and of the points that its cells share with the blocks behind it.
class BlockCells {
public:
    static constexpr int kSide = LevelSet::kBlock + 1;

    void fill(const LevelSetSampler& sampler, const glm::ivec3& origin) {
        std::size_t next = 0;
        for (int z = 0; z < kSide; ++z) {
            for (int y = 0; y < kSide; ++y) {
                for (int x = 0; x < kSide; ++x) {
                    inside_[next++] = sampler.at(origin + glm::ivec3(x, y, z)) < 0.0F;
                }
            }
        }
    }
    bool isCrossed(const glm::ivec3& cell) const {
        const bool first = inside_[cubeIndex(cell, kSide)];
        for (std::uint32_t corner = 1; corner < 8; ++corner) {
            if (inside_[cubeIndex(cell + cornerOf(corner), kSide)] != first) {
                return true;
            }
        }
        return false;
    }

private:
    std::array<bool, static_cast<std::size_t>(kSide) * kSide * kSide> inside_{};
};

} // namespace

bool LevelSet::isSound() const {
    const auto notBefore = [](const glm::ivec3& a, const glm::ivec3& b) { return !blockBefore(a, b); };
    return glm::all(glm::equal(offset & kInBlock, offset)) && distances.size() == blocks.size() * kBlockPoints &&
           farthest > 0.0F && std::isfinite(farthest) &&
           std::adjacent_find(blocks.begin(), blocks.end(), notBefore) == blocks.end() &&
           std::all_of(distances.begin(), distances.end(), [](float distance) { return std::isfinite(distance); });
}

float LevelSetSampler::at(const glm::ivec3& place) const {
    const glm::ivec3 point = place + levelSet_.offset;
    const glm::ivec3 block = point >> kBlockBits;
    const std::vector<glm::ivec3>& blocks = levelSet_.blocks;
    if (block != lastBlock_) {
        lastBlock_ = block;
        last_ = static_cast<std::size_t>(std::lower_bound(blocks.begin(), blocks.end(), block, blockBefore) -
                                         blocks.begin());
    }
    if (last_ < blocks.size() && blocks[last_] == block) {
        return levelSet_.distances[last_ * LevelSet::kBlockPoints + pointInBlock(point)];
    }
    if (last_ == 0 || blocks[last_ - 1].y != block.y || blocks[last_ - 1].z != block.z) {
        return levelSet_.farthest;
    }
    const std::size_t before = (last_ - 1) * LevelSet::kBlockPoints + pointInBlock({kInBlock, point.y, point.z});
    return levelSet_.distances[before] < 0.0F ? -levelSet_.farthest : levelSet_.farthest;
}

std::array<float, 8> LevelSetSampler::corners(const glm::ivec3& cell) const {
    std::array<float, 8> values{};
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        values[corner] = at(cell + cornerOf(corner));
    }
    return values;
}

float LevelSetSampler::at(const glm::dvec3& point) const {
    constexpr double kAtPoint = 1e-6;
    constexpr double kFarthest = 1e9; // farther than any block, within integers
    const glm::dvec3 clamped = glm::clamp(point, glm::dvec3(-kFarthest), glm::dvec3(kFarthest));
    const glm::dvec3 nearest = glm::round(clamped);
    const glm::dvec3 apart = glm::abs(clamped - nearest);
    if (std::max({apart.x, apart.y, apart.z}) < kAtPoint) {
        return at(glm::ivec3(nearest));
    }
    const glm::dvec3 low = glm::floor(clamped);
    const glm::vec3 share(clamped - low);
    const std::array<float, 8> values = corners(glm::ivec3(low));
    const auto along = [&](std::size_t from) { return values[from] + (values[from + 1] - values[from]) * share.x; };
    const float below = along(0) + (along(2) - along(0)) * share.y;
    const float above = along(4) + (along(6) - along(4)) * share.y;
    return below + (above - below) * share.z;
}

bool isCrossed(const std::array<float, 8>& corners) {
    const auto inside = std::count_if(corners.begin(), corners.end(), [](float value) { return value < 0.0F; });
    return inside != 0 && inside != std::ssize(corners);
}

std::vector<glm::ivec3> crossedCells(const LevelSet& levelSet) {
    std::vector<glm::ivec3> found;
    const LevelSetSampler sampler(levelSet);
    BlockCells cells;
    for (const glm::ivec3& block : levelSet.blocks) {
        const glm::ivec3 origin = block * LevelSet::kBlock - levelSet.offset;
        cells.fill(sampler, origin);
        glm::ivec3 cell(0);
        for (cell.z = 0; cell.z < LevelSet::kBlock; ++cell.z) {
            for (cell.y = 0; cell.y < LevelSet::kBlock; ++cell.y) {
                for (cell.x = 0; cell.x < LevelSet::kBlock; ++cell.x) {
                    if (cells.isCrossed(cell)) {
                        found.push_back(origin + cell);
                    }
                }
            }
        }
    }
    return found;
}

glm::vec3 middleGradient(const std::array<float, 8>& corners) {
    glm::vec3 gradient(0.0F);
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        gradient += (glm::vec3(cornerOf(corner)) * 2.0F - 1.0F) * (0.25F * corners[corner]);
    }
    return gradient;
}

} // namespace aureole
