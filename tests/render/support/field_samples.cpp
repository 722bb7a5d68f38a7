#include "field_samples.h"

#include <cmath>

#include "shared/voxelize/distance.h"
#include "voxel/surface/field_distances.h"

namespace aureole {

Octree fieldOf(std::uint32_t levels, const std::function<double(const glm::dvec3&)>& distance, std::uint32_t side) {
    const glm::uvec3 low(((1U << (2 * levels)) - side) / 2);
    std::vector<glm::uvec3> voxels;
    for (std::uint32_t i = 0; i < side * side * side; ++i) {
        const glm::uvec3 voxel = low + glm::uvec3(i % side, i / side % side, i / side / side);
        if (std::abs(distance(glm::dvec3(voxel) + 0.5)) < 0.87) { // half a voxel's diagonal
            voxels.push_back(voxel);
        }
    }
    Octree octree = octreeOf(levels, voxels);
    std::vector<shared::CornerDistances> distances(octree.attributes.size());
    for (const glm::uvec3& voxel : voxels) {
        std::array<std::uint32_t, 8> codes{};
        for (std::uint32_t i = 0; i < 8; ++i) {
            const double value = distance(glm::dvec3(voxel + glm::uvec3(i & 1U, (i >> 1U) & 1U, i >> 2U)));
            codes[i] = shared::fieldDistanceCode(static_cast<float>(std::abs(value)));
            codes[i] = value < 0.0 ? FIELD_MAX_CODE - codes[i] : codes[i];
        }
        distances[attributeIndexAt(octree, glm::ivec3(voxel)).value()] = packCorners(codes);
    }
    octree.encoding = FieldEncoding{std::move(*findTree(octree)), std::move(distances)};
    return octree;
}

Octree randomField(const OctreeSample& sample, unsigned seed) {
    Octree octree = octreeOf(sample.octree.levels, sample.voxels);
    std::mt19937 random(seed);
    std::vector<shared::CornerDistances> distances(octree.attributes.size());
    for (shared::CornerDistances& corners : distances) {
        corners = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()),
                   static_cast<std::uint32_t>(random())};
    }
    octree.encoding = FieldEncoding{std::move(*findTree(octree)), std::move(distances)};
    return octree;
}

double trilinear(const shared::CornerDistances& corners, const glm::dvec3& point) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const double x = (i & 1U) != 0 ? point.x : 1.0 - point.x;
        const double y = (i & 2U) != 0 ? point.y : 1.0 - point.y;
        const double z = (i & 4U) != 0 ? point.z : 1.0 - point.z;
        sum += x * y * z * (shared::fieldCode(corners, i) - 2047.5);
    }
    return sum * 1.75 / 2047.5;
}

} // namespace aureole
