#include "voxel/tree/voxel_shape.h"

#include <algorithm>
#include <cmath>

#include "core/divide_up.h"
#include "core/threads/parallel.h"
#include "shared/luminance.h"
#include "shared/octree/attributes.h"
#include "shared/octree/field.h"
#include "shared/octree/slab.h"

namespace aureole {

namespace {

glm::vec3 cornerOf(std::uint32_t corner) {
    return {static_cast<float>(corner & 1U), static_cast<float>((corner >> 1U) & 1U), static_cast<float>(corner >> 2U)};
}

/// A field whose values on a face differ by so few steps of their code from those of a plane has no bulge there.
constexpr double kStraight = 8.0;

/// Adds the corners of what lies between two levels of values that are linear along the edges of the unit cube.
void addCorners(const std::array<float, 8>& values, float low, float high, VoxelShape& shape) {
    for (std::uint32_t i = 0; i < 8; ++i) {
        if (values[i] >= low && values[i] <= high) {
            shape.points[shape.count++] = cornerOf(i);
        }
        for (const std::uint32_t axis : {1U, 2U, 4U}) {
            if ((i & axis) != 0) {
                continue;
            }
            const float from = values[i];
            const float to = values[i | axis];
            const auto addCrossing = [&](float level) {
                if ((from < level && to > level) || (from > level && to < level)) {
                    const float share = (level - from) / (to - from);
                    shape.points[shape.count++] = glm::mix(cornerOf(i), cornerOf(i | axis), share);
                }
            };
            addCrossing(low);
            if (high > low) {
                addCrossing(high);
            }
        }
    }
}

void addSlab(const shared::SurfaceSlab& slab, VoxelShape& shape) {
    const shared::SlabPlanes planes = shared::unpackSlab(slab);
    std::array<float, 8> heights{};
    for (std::uint32_t i = 0; i < 8; ++i) {
        heights[i] = shared::slabPointHeight(planes.normal, cornerOf(i));
    }
    addCorners(heights, planes.low, planes.high, shape);
    shape.normal = planes.normal;
}

/// Adds the point of a face of the unit cube in which a field's curve stands out farthest from its chord. On a face the
/// field is bilinear, so that its zeros are a hyperbola with the sides' directions as asymptotes, and what is halfway
/// between two points of it is at their geometric mean, from its middle. `corner` has zeros on the axes `u` and `v`, of
/// which the face is made.
void addBulge(const std::array<float, 8>& values, std::uint32_t corner, std::uint32_t u, std::uint32_t v,
              VoxelShape& shape) {
    const std::array<double, 4> at = {double{values[corner]}, double{values[corner | u]}, double{values[corner | v]},
                                      double{values[corner | u | v]}};
    const double across = at[0] - at[1] - at[2] + at[3];
    std::array<glm::dvec2, 4> ends{};
    std::size_t count = 0;
    const auto addEnd = [&](std::size_t from, std::size_t to, const glm::dvec2& start, const glm::dvec2& way) {
        if ((at[from] > 0.0) != (at[to] > 0.0)) {
            ends[count++] = start + way * (at[from] / (at[from] - at[to]));
        }
    };
    addEnd(0, 1, {0.0, 0.0}, {1.0, 0.0});
    addEnd(2, 3, {0.0, 1.0}, {1.0, 0.0});
    addEnd(0, 2, {0.0, 0.0}, {0.0, 1.0});
    addEnd(1, 3, {1.0, 0.0}, {0.0, 1.0});
    if (count != 2 || std::abs(across) < kStraight) {
        return; // not crossed, straight, or two curves
    }
    const glm::dvec2 middle((at[0] - at[2]) / across, (at[0] - at[1]) / across);
    const glm::dvec2 first = ends[0] - middle;
    const glm::dvec2 between = glm::sqrt(glm::abs(first * (ends[1] - middle)));
    const glm::dvec2 bulge = middle + glm::sign(first) * between;
    shape.points[shape.count++] =
        cornerOf(corner) + static_cast<float>(bulge.x) * cornerOf(u) + static_cast<float>(bulge.y) * cornerOf(v);
}

void addField(const shared::CornerDistances& corners, VoxelShape& shape) {
    std::array<float, 8> values{};
    for (std::uint32_t i = 0; i < 8; ++i) {
        values[i] = shared::fieldValue(corners, i);
    }
    addCorners(values, 0.0F, 0.0F, shape);
    for (const std::uint32_t axis : {1U, 2U, 4U}) {
        const std::uint32_t u = axis == 1U ? 2U : 1U;
        const std::uint32_t v = axis == 4U ? 2U : 4U;
        addBulge(values, 0U, u, v, shape);
        addBulge(values, axis, u, v, shape);
    }
    shape.normal = shared::fieldGradient(shared::fieldCell(corners), glm::vec3(0.5F));
}

/// The corners of a slab's middle in the unit cube.
void addMiddle(const shared::SurfaceSlab& slab, VoxelShape& shape) {
    const shared::SlabPlanes planes = shared::unpackSlab(slab);
    const float middle = 0.5F * (planes.low + planes.high);
    std::array<float, 8> heights{};
    for (std::uint32_t i = 0; i < 8; ++i) {
        heights[i] = shared::slabPointHeight(planes.normal, cornerOf(i));
    }
    addCorners(heights, middle, middle, shape);
    shape.normal = planes.normal;
}

/// The area of the polygon with the corners of a shape, which are about in a plane, or bulge to one side.
double polygonArea(const VoxelShape& shape) {
    if (shape.count < 3 || shape.normal == glm::vec3(0.0F)) {
        return 0.0;
    }
    glm::vec3 u;
    glm::vec3 v;
    shared::normalFrame(glm::normalize(shape.normal), u, v);
    std::array<glm::dvec3, 32> corners{};
    glm::dvec3 middle(0.0);
    for (std::uint32_t i = 0; i < shape.count; ++i) {
        corners[i] = glm::dvec3(shape.points[i]);
        middle += corners[i] / static_cast<double>(shape.count);
    }
    const auto turn = [&](const glm::dvec3& corner) {
        return std::atan2(glm::dot(corner - middle, glm::dvec3(v)), glm::dot(corner - middle, glm::dvec3(u)));
    };
    std::sort(corners.begin(), corners.begin() + shape.count,
              [&](const glm::dvec3& a, const glm::dvec3& b) { return turn(a) < turn(b); });
    double twice = 0.0;
    for (std::uint32_t i = 0; i < shape.count; ++i) {
        twice += glm::length(glm::cross(corners[i] - middle, corners[(i + 1) % shape.count] - middle));
    }
    return 0.5 * twice;
}

} // namespace

VoxelShape shapeOf(const Octree& octree, const EmissiveVoxel& voxel) {
    VoxelShape shape;
    const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding);
    const auto* const field = std::get_if<FieldEncoding>(&octree.encoding);
    if (field != nullptr) {
        addField(field->distances[voxel.attributes], shape);
    } else if (planes != nullptr && shared::slabIsWhole(planes->slabs[voxel.attributes]) == 0) {
        addSlab(planes->slabs[voxel.attributes], shape);
    } else {
        addCorners({}, 0.0F, 0.0F, shape);
        shape.normal = shared::unpackAttributes(octree.attributesOf(voxel.attributes)).geometricNormal;
    }
    if (shape.count == 0) { // rays may end in it all the same
        shape.points[shape.count++] = glm::vec3(0.5F);
    }
    const float length = glm::length(shape.normal);
    shape.normal = length > 0.0F ? shape.normal / length : shape.normal;
    for (std::uint32_t i = 0; i < shape.count; ++i) {
        shape.points[i] += glm::vec3(voxel.voxel);
    }
    return shape;
}

double surfaceAreaOf(const Octree& octree, const EmissiveVoxel& voxel) {
    VoxelShape shape;
    if (const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding)) {
        addMiddle(planes->slabs[voxel.attributes], shape);
    } else {
        addField(std::get<FieldEncoding>(octree.encoding).distances[voxel.attributes], shape);
    }
    return polygonArea(shape);
}

LampShapes::LampShapes(const Octree& octree, std::span<const EmissiveVoxel> voxels)
    : points_(divideUp(voxels.size(), kAtOnce))
    , ends_(voxels.size())
    , middles_(voxels.size())
    , normals_(voxels.size())
    , luminances_(voxels.size()) {
    parallelFor(static_cast<std::int64_t>(points_.size()), 1, [&](std::int64_t chunk) {
        const std::size_t first = static_cast<std::size_t>(chunk) * kAtOnce;
        std::vector<glm::vec3>& own = points_[static_cast<std::size_t>(chunk)];
        for (std::size_t i = first; i < std::min(first + kAtOnce, voxels.size()); ++i) {
            const VoxelShape shape = shapeOf(octree, voxels[i]);
            own.insert(own.end(), shape.points.begin(), shape.points.begin() + shape.count);
            ends_[i] = static_cast<std::uint32_t>(own.size());
            middles_[i] = glm::vec3(voxels[i].voxel) + 0.5F;
            normals_[i] = shape.normal;
            luminances_[i] = shared::luminanceOf(octree.palette[voxels[i].entry].emission);
        }
    });
}

} // namespace aureole
