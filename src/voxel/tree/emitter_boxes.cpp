#include "voxel/tree/emitter_boxes.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/parallel.h"
#include "shared/octree/attributes.h"
#include "shared/surface/voxel_state.h"
#include "voxel/tree/box_fit.h"
#include "voxel/tree/lamp_voxels.h"

namespace aureole {

namespace {

/// A box of which voxels cover this much of the sides is good enough.
constexpr float kWellCovered = 0.7F;
/// One of which they cover this much stays where smaller boxes would have almost as much surface.
constexpr float kCovered = 0.3F;
constexpr float kWorthParting = 0.8F;
/// The least cosine between the normals of a flat lamp and the axis across it.
constexpr float kFlat = 0.98F;
/// The least component of an axis that lies along one of the grid's, so that voxels have their faces across it.
constexpr float kAlongGrid = 0.9999F;
/// What a box is larger by than the corners of what is in it: what rays and the box itself are rounded by, and of a
/// field, in voxels, what it bulges.
constexpr float kMargin = 1.0F / (1 << 20);
constexpr float kFieldMargin = 1.0F / 32.0F;

/// A lamp, or a part of one: a box and how many of the lamp's voxels, in their order, are in it.
struct LampPart {
    FittedBox box;
    float covered = 1.0F;
    std::size_t count = 0;
};

float surfaceOf(std::span<const LampPart> parts) {
    float surface = 0.0F;
    for (const LampPart& part : parts) {
        surface += part.box.surface();
    }
    return surface;
}

/// Adds the boxes of a lamp to `parts`, and sorts its voxels by them.
void partLamp(const Octree& octree, std::span<EmissiveVoxel> voxels, std::vector<LampPart>& parts) {
    LampPart whole;
    whole.count = voxels.size();
    std::size_t first = 0;
    {
        const LampShapes shapes(octree, voxels);
        whole.box = fitBox(shapes);
        whole.covered = coveredShare(shapes, whole.box);
        if (whole.covered < kWellCovered && voxels.size() > 1) {
            first = splitBox(voxels, shapes, whole.box);
        }
    }
    const std::size_t before = parts.size();
    if (first != 0) {
        partLamp(octree, voxels.first(first), parts);
        partLamp(octree, voxels.subspan(first), parts);
        const float surface = surfaceOf(std::span(parts).subspan(before));
        if (whole.covered < kCovered || surface < kWorthParting * whole.box.surface()) {
            return;
        }
        parts.resize(before);
    }
    parts.push_back(whole);
}

bool liesAlongGrid(const glm::vec3& axis) {
    return std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)}) > kAlongGrid;
}

/// The axis across a lamp of cubes that is one flat sheet, else NO_SIDE.
std::uint32_t axisAcross(const Octree& octree, std::span<const EmissiveVoxel> voxels, const FittedBox& box) {
    const OctreeEncoding encoding = octree.encodingKind();
    const glm::vec3 size = box.high - box.low;
    const int thin = size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2;
    const glm::vec3& axis = box.axes[thin];
    // The voxels that touch a plane reach as far to both sides of it, or are one layer.
    const float mostThickness =
        0.01F + (liesAlongGrid(axis) ? 1.0F : 2.0F * (std::abs(axis.x) + std::abs(axis.y) + std::abs(axis.z)));
    if (encoding == OctreeEncoding::Planes || encoding == OctreeEncoding::Field || size[thin] > mostThickness) {
        return NO_SIDE;
    }
    std::size_t ahead = 0;
    std::size_t behind = 0;
    for (const EmissiveVoxel& voxel : voxels) {
        const shared::VoxelSurface surface = shared::unpackAttributes(octree.attributes[voxel.attributes]);
        if (surface.crease == 0) {
            const float cosine = glm::dot(surface.geometricNormal, axis);
            if (surface.doubleSided != 0 || std::abs(cosine) < kFlat) {
                return NO_SIDE;
            }
            ++(cosine > 0.0F ? ahead : behind);
        }
    }
    const bool isSheet = std::min(ahead, behind) == 0 && 2 * std::max(ahead, behind) > voxels.size();
    return isSheet ? static_cast<std::uint32_t>(thin) : NO_SIDE;
}

/// The area of the sides through which a box emits.
float emittingSurface(const FittedBox& box, std::uint32_t across) {
    const glm::vec3 size = box.high - box.low;
    const glm::vec2 side = shared::alongSide(size, across);
    return across == NO_SIDE ? box.surface() : 2.0F * side.x * side.y;
}

/// The box of a part of a lamp, which these voxels are.
shared::EmitterBox packBox(const Octree& octree, const LampPart& part, std::span<const EmissiveVoxel> voxels) {
    FittedBox fitted = part.box;
    const std::uint32_t entry = voxels[0].entry;
    const std::uint32_t across = axisAcross(octree, voxels, fitted);
    if (across != NO_SIDE && !liesAlongGrid(fitted.axes[static_cast<int>(across)])) {
        // Rays that slant would pass between the box and its voxels at the rim: only the sheet itself is aimed at.
        const auto axis = static_cast<int>(across);
        fitted.low[axis] = fitted.high[axis] = 0.5F * (fitted.low[axis] + fitted.high[axis]);
    }
    const double voxelSize = std::ldexp(1.0, -2 * static_cast<int>(octree.levels));
    shared::EmitterBox box{};
    box.middle = glm::vec3(
        1.0 + voxelSize * (glm::dmat3(fitted.axes) * (0.5 * (glm::dvec3(fitted.low) + glm::dvec3(fitted.high)))));
    box.across = across;
    box.power =
        shared::emissionLuminance(octree.palette[entry].emission) * part.covered * emittingSurface(fitted, across);
    box.first = fitted.axes[0];
    box.entry = entry;
    box.second = fitted.axes[1];
    const float bulge = octree.encodingKind() == OctreeEncoding::Field ? kFieldMargin : 0.0F;
    box.halves = static_cast<float>(voxelSize) * (0.5F * (fitted.high - fitted.low) + bulge) + kMargin;
    return box;
}

/// Rows of voxels of one box each, from voxels by slice.
void addRows(const std::vector<EmissiveVoxel>& voxels, const std::vector<std::uint32_t>& boxOf,
             const std::vector<std::size_t>& begins, EmitterArrays& arrays) {
    for (std::size_t slice = 0; slice + 1 < begins.size(); ++slice) {
        arrays.slices.push_back(static_cast<std::uint32_t>(arrays.rows.size()));
        std::uint32_t end = 0; // the place behind the last voxel
        for (std::size_t i = begins[slice]; i < begins[slice + 1]; ++i) {
            const std::uint32_t place = (voxels[i].voxel.y << 16U) | voxels[i].voxel.x;
            const bool follows = i > begins[slice] && end == place;
            if (i > begins[slice] && !follows) {
                arrays.rows.emplace_back(end, NO_BOX);
            }
            if (!follows || arrays.rows.back().y != boxOf[i]) {
                arrays.rows.emplace_back(place, boxOf[i]);
            }
            end = place + 1; // no row ends at 2^16: 4^7 coordinates are fewer
        }
        if (begins[slice] != begins[slice + 1]) {
            arrays.rows.emplace_back(end, NO_BOX);
        }
    }
    arrays.slices.push_back(static_cast<std::uint32_t>(arrays.rows.size()));
}

} // namespace

EmitterArrays makeEmitterBoxes(const Octree& octree, std::vector<EmissiveVoxel> collected) {
    const SlicedVoxels sliced = sortBySlice(octree.levels, collected);
    const std::vector<EmissiveVoxel>& voxels = sliced.voxels;
    const std::vector<std::size_t>& begins = sliced.begins;
    collected = {};
    std::vector<std::vector<EmissiveVoxel>> lamps = joinLamps(voxels);
    std::vector<std::vector<LampPart>> parts(lamps.size());
    parallelFor(static_cast<std::int64_t>(lamps.size()), 1, [&](std::int64_t i) {
        const auto lamp = static_cast<std::size_t>(i);
        partLamp(octree, lamps[lamp], parts[lamp]);
    });
    EmitterArrays arrays;
    std::vector<std::uint32_t> boxOf(voxels.size());
    const auto placeOf = [&](const EmissiveVoxel& voxel) {
        const auto low = voxels.begin() + static_cast<std::ptrdiff_t>(begins[voxel.voxel.z]);
        const auto high = voxels.begin() + static_cast<std::ptrdiff_t>(begins[voxel.voxel.z + 1]);
        return static_cast<std::size_t>(std::lower_bound(low, high, voxel, isBeforeInSlice) - voxels.begin());
    };
    for (std::size_t lamp = 0; lamp < lamps.size(); ++lamp) {
        std::size_t next = 0;
        for (const LampPart& part : parts[lamp]) {
            const shared::EmitterBox box = packBox(octree, part, std::span(lamps[lamp]).subspan(next, part.count));
            for (std::size_t i = next; i < next + part.count; ++i) {
                boxOf[placeOf(lamps[lamp][i])] = static_cast<std::uint32_t>(arrays.boxes.size());
            }
            next += part.count;
            arrays.boxes.push_back(box);
            arrays.power += double{box.power};
        }
    }
    addRows(voxels, boxOf, begins, arrays);
    return arrays;
}

} // namespace aureole
