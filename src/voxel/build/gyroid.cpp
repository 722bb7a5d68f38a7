#include "voxel/build/gyroid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/error.h"
#include "core/set_bits.h"
#include "shared/octree/attributes.h"
#include "voxel/build/octree_builder.h"
#include "voxel/build/ordered_work.h"
#include "voxel/build/voxel_material.h"
#include "voxel/tree/cell_code.h"

namespace aureole {
namespace {

constexpr std::uint32_t kBrick = 64; // voxels along a side
constexpr std::uint64_t kWaitingBytes = std::uint64_t{256} << 20U;

class Gyroid {
public:
    explicit Gyroid(std::uint32_t side)
        : side_(side) {
        const std::uint32_t period = side / 4;
        for (std::uint32_t i = 0; i < period; ++i) { // of whole numbers, so that periods are equal in every bit
            const double angle = 2.0 * std::numbers::pi * i / period;
            sine_.push_back(std::sin(angle));
            cosine_.push_back(std::cos(angle));
        }
    }

    double value(const glm::uvec3& p) const {
        const glm::dvec3 s = at(sine_, p);
        const glm::dvec3 c = at(cosine_, p);
        const double radius = glm::length(glm::dvec3(p) - 0.5 * side_) / (0.48 * side_);
        return std::max(std::abs(s.x * c.y + s.y * c.z + s.z * c.x) - 0.12, 12.0 * (radius - 1.0));
    }

    /// The direction of the gradient, up to its length.
    glm::dvec3 gradient(const glm::uvec3& p) const {
        const glm::dvec3 s = at(sine_, p);
        const glm::dvec3 c = at(cosine_, p);
        const double g = s.x * c.y + s.y * c.z + s.z * c.x;
        const glm::dvec3 radial = glm::dvec3(p) - 0.5 * side_;
        if (std::abs(g) - 0.12 < 12.0 * (glm::length(radial) / (0.48 * side_) - 1.0)) {
            return radial;
        }
        return std::copysign(1.0, g) * glm::dvec3(c.x * c.y - s.z * s.x, c.y * c.z - s.x * s.y, c.z * c.x - s.y * s.z);
    }

    /// Whether no sign changes in a cube: from its middle, by how steep the function can be.
    bool misses(const glm::uvec3& corner, std::uint32_t cube) const {
        const double steepest = std::sqrt(12.0) * 2.0 * std::numbers::pi / (0.25 * side_);
        return std::abs(value(corner + cube / 2)) > steepest * std::sqrt(3.0) * 0.5 * cube;
    }

    /// The solid voxels of a block of 4x4x4.
    std::uint64_t mask(const glm::uvec3& corner) const {
        std::array<std::uint32_t, 125> inside{};
        for (std::uint32_t i = 0; i < 125; ++i) {
            inside[i] = value(corner + glm::uvec3(i % 5, i / 5 % 5, i / 25)) < 0.0 ? 1 : 0;
        }
        std::uint64_t solid = 0;
        for (std::uint32_t bit = 0; bit < 64; ++bit) {
            const glm::uvec3 cell = shared::bitCell(bit);
            const std::uint32_t first = cell.x + 5 * cell.y + 25 * cell.z;
            std::uint32_t count = 0;
            for (const std::uint32_t step : {0U, 1U, 5U, 6U, 25U, 26U, 30U, 31U}) {
                count += inside[first + step];
            }
            solid |= std::uint64_t{count % 8 != 0 ? 1U : 0U} << bit;
        }
        return solid;
    }

private:
    glm::dvec3 at(const std::vector<double>& table, const glm::uvec3& p) const {
        const std::uint32_t last = side_ / 4 - 1;
        return {table[p.x & last], table[p.y & last], table[p.z & last]};
    }

    std::uint32_t side_;
    std::vector<double> sine_;
    std::vector<double> cosine_;
};

struct GyroidBrick {
    std::vector<VoxelBlock> blocks;
    std::vector<shared::VoxelAttributes> attributes;
    std::uint64_t byteCount() const {
        return blocks.size() * sizeof(VoxelBlock) + attributes.size() * sizeof(shared::VoxelAttributes);
    }
};

/// The codes of the bricks, `bits` bits an axis, in their order: a grid with an odd number of bits has only cells 0 and
/// 1 of the root's four along each axis.
std::uint64_t brickCode(std::uint64_t index, std::uint32_t bits) {
    const std::uint32_t below = 6 * (bits / 2);
    const auto top = static_cast<std::uint32_t>(index >> below);
    const std::uint64_t rest = index & ((std::uint64_t{1} << below) - 1);
    return bits % 2 == 0 ? index
                         : std::uint64_t{shared::cellBit(top & 1U, (top >> 1U) & 1U, top >> 2U)} << below | rest;
}

void addBlock(const Gyroid& gyroid, std::uint64_t code, GyroidBrick& brick) {
    const glm::uvec3 corner = codeCell(code) * 4U;
    const std::uint64_t mask = gyroid.misses(corner, 4) ? 0 : gyroid.mask(corner);
    if (mask == 0) {
        return;
    }
    VoxelBlock& block = brick.blocks.emplace_back(VoxelBlock{code, mask});
    for (const std::uint32_t bit : setBits(mask)) {
        const glm::vec3 normal(glm::normalize(gyroid.gradient(corner + shared::bitCell(bit)) + 1e-9));
        shared::VoxelSurface surface{};
        surface.albedo = glm::vec3(0.8F);
        surface.roughness = 1.0F;
        surface.normal = normal;
        surface.geometricNormal = normal;
        block.sum.add(surface, kPlainMaterial, 1.0);
        brick.attributes.push_back(shared::packAttributes(surface));
    }
}

} // namespace

bool isGyroidSide(std::uint32_t side) {
    return side >= kSmallestGyroid && side <= kLargestGyroid && std::has_single_bit(side);
}

std::uint64_t leastGyroidVoxels(std::uint32_t side) {
    // 12.4 for each of side^2 at 64, 18.0 at 256, 18.4 at 4096.
    const std::uint64_t forEachColumn = side < 256 ? 12 : 18;
    return forEachColumn * side * side;
}

Octree makeGyroid(std::uint32_t side) {
    if (!isGyroidSide(side)) {
        fail(ExitCode::Internal, "gyroid: found a side of {}, expected a power of two from {} to {}", side,
             kSmallestGyroid, kLargestGyroid);
    }
    const Gyroid gyroid(side);
    VoxelGrid grid;
    grid.size = glm::uvec3(side);
    grid.voxelSize = 1.0 / side;
    MemoryBudget unlimited;
    OctreeBuilder builder(grid, unlimited);
    constexpr std::uint64_t kBlocks = std::uint64_t{1} << (3U * (std::bit_width(kBrick / 4) - 1U));
    const auto bits = static_cast<std::uint32_t>(std::bit_width(std::max(side / kBrick, 1U))) - 1U;
    forEachInOrder(
        std::uint64_t{1} << (3 * bits), kWaitingBytes,
        [&](std::uint64_t index) {
            GyroidBrick brick;
            const std::uint64_t first = brickCode(index, bits);
            if (!gyroid.misses(codeCell(first) * kBrick, kBrick)) {
                for (std::uint64_t code = first * kBlocks; code < (first + 1) * kBlocks; ++code) {
                    addBlock(gyroid, code, brick);
                }
            }
            return brick;
        },
        [&](std::uint64_t, const GyroidBrick& brick) {
            for (const VoxelBlock& block : brick.blocks) {
                builder.addBlock(block);
            }
            builder.addAttributes(brick.attributes);
        });
    return builder.finish({kPlainMaterial}, {}, {MaterialConstants()});
}

} // namespace aureole
