#include "voxel/tree/half_level.h"

#include <algorithm>
#include <bit>

#include "core/set_bits.h"
#include "voxel/build/voxel_material.h"
#include "voxel/surface/radiance.h"
#include "voxel/tree/cell_code.h"

namespace aureole {

namespace {

glm::uvec3 octantCell(std::uint32_t octant) {
    return {octant & 1U, (octant >> 1U) & 1U, octant >> 2U};
}

/// The 2x2x2 cells of a block's octant, by cellBit.
std::uint64_t octantMask(std::uint32_t octant) {
    const glm::uvec3 low = 2U * octantCell(octant);
    return std::uint64_t{0x00330033} << shared::cellBit(low.x, low.y, low.z);
}

} // namespace

int occupiedOctants(std::uint64_t mask) {
    int count = 0;
    for (std::uint32_t octant = 0; octant < 8; ++octant) {
        count += (mask & octantMask(octant)) != 0 ? 1 : 0;
    }
    return count;
}

void HalfLevel::addBlock(const WalkedBlock& walked) {
    const glm::uvec3 cell = codeCell(walked.code);
    const std::uint64_t octant = (cell.x & 1U) | ((cell.y & 1U) << 1U) | ((cell.z & 1U) << 2U);
    Part part{(cellCode(cell >> 1U) << 3U) | octant, attributes_.size()};
    const std::uint64_t surface = walked.mask & ~walked.inside;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint64_t cells = octantMask(i);
        const unsigned bit = 1U << i;
        part.solid = static_cast<std::uint8_t>(part.solid | ((walked.mask & cells) != 0 ? bit : 0U));
        if ((surface & cells) != 0) {
            addMean(walked, surface, cells);
        } else {
            part.inside = static_cast<std::uint8_t>(part.inside | ((walked.mask & cells) != 0 ? bit : 0U));
        }
    }
    parts_.push_back(part);
}

void HalfLevel::addMean(const WalkedBlock& walked, std::uint64_t surface, std::uint64_t octant) {
    SurfaceSum sum;
    bool same = true;
    glm::vec3 emission(0.0F);
    for (const std::uint32_t bit : setBits(surface & octant)) {
        const std::size_t index = indexOfBit(surface, bit);
        const shared::VoxelMaterial material = walked.material(index);
        same = same && (sum.weight == 0.0 || material.emission == emission);
        emission = material.emission;
        sum.add(shared::unpackAttributes(walked.attributes[index]), material, 1.0);
    }
    const glm::vec3 mean = same ? emission : quantiseEmission(glm::vec3(sum.emission / sum.weight));
    const shared::VoxelMaterial material = {mean, sum.material};
    if (!isPlain(material) && materials_.empty()) {
        materials_.resize(attributes_.size(), kPlainMaterial);
    }
    if (!isPlain(material) || !materials_.empty()) {
        materials_.push_back(material);
    }
    attributes_.push_back(averageAttributes(sum));
    counts_.push_back(static_cast<std::uint8_t>(std::popcount(surface & octant)));
}

void HalfLevel::addInside(std::uint64_t code, std::uint32_t cubeLevels) {
    const glm::uvec3 cell = codeCell(code);
    if (cubeLevels == 1) {
        addBlock({code, ~std::uint64_t{0}, ~std::uint64_t{0}, {}, {}});
        return;
    }
    // Half of 4^n cells are two times 4^(n - 1).
    for (std::uint32_t octant = 0; octant < 8; ++octant) {
        const std::uint64_t cube = cellCode(2U * cell + octantCell(octant));
        parts_.push_back({(cube << (6U * (cubeLevels - 2))) << 3U, 0, 0, 0, static_cast<std::uint8_t>(cubeLevels - 1)});
    }
}

HalfCell HalfLevel::cell(std::uint64_t number) const {
    return {attributes_[number], materials_.empty() ? kPlainMaterial : materials_[number], counts_[number]};
}

/// `numbers` of the cells by their bits.
void HalfLevel::addPart(const Part& part, HalfBlock& block, std::vector<std::uint64_t>& numbers) {
    const glm::uvec3 low = 2U * octantCell(static_cast<std::uint32_t>(part.place & 7U));
    std::uint64_t next = part.first;
    for (std::uint32_t i = 0; i < 8; ++i) {
        if (((part.solid >> i) & 1U) == 0) {
            continue;
        }
        const glm::uvec3 cell = low + octantCell(i);
        const std::uint32_t bit = shared::cellBit(cell.x, cell.y, cell.z);
        const bool isInside = ((part.inside >> i) & 1U) != 0;
        block.mask |= std::uint64_t{1} << bit;
        block.inside |= std::uint64_t{isInside ? 1U : 0U} << bit;
        numbers[bit] = isInside ? 0 : next++;
    }
}

void HalfLevel::visit(const std::function<void(const HalfBlock&, const std::vector<HalfCell>&)>& onBlock,
                      const std::function<void(std::uint64_t code, std::uint32_t cubeLevels)>& onInside) {
    std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.place < b.place; });
    std::vector<std::uint64_t> numbers(64);
    std::vector<HalfCell> cells;
    for (auto part = parts_.begin(); part != parts_.end();) {
        HalfBlock block;
        block.code = part->place >> 3U;
        if (part->cubeLevels > 0) {
            onInside(block.code >> (6U * (part->cubeLevels - 1U)), part->cubeLevels);
            ++part;
            continue;
        }
        for (; part != parts_.end() && part->place >> 3U == block.code; ++part) {
            addPart(*part, block, numbers);
        }
        cells.clear();
        for (const std::uint32_t bit : setBits(block.mask & ~block.inside)) {
            cells.push_back(cell(numbers[bit]));
        }
        onBlock(block, cells);
    }
}

} // namespace aureole
