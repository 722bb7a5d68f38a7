#include "voxel/tree/emitter_boxes.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "core/threads/parallel.h"
#include "core/trace.h"
#include "model/material_constants.h"
#include "shared/bsdf/material.h"
#include "shared/octree/attributes.h"
#include "shared/surface/voxel_state.h"
#include "voxel/tree/box_fit.h"
#include "voxel/tree/lamp_voxels.h"

namespace aureole {

namespace {

/// A box of which voxels cover this much of the sides, and glow this evenly (Glow::evenness), is good enough.
constexpr float kWellCovered = 0.7F;
constexpr double kEven = 0.3;
/// One of which they cover this much stays where smaller boxes would cost almost as much (LampPart::cost).
constexpr float kCovered = 0.3F;
constexpr double kWorthParting = 0.8;
/// The least cosine between the normals of a flat lamp and the axis across it.
constexpr float kFlat = 0.98F;
/// The least component of an axis that lies along one of the grid's, so that voxels have their faces across it.
constexpr float kAlongGrid = 0.9999F;
/// The least cosine between the axis across a flat lamp and the way that it looks; below, only its rim is seen.
constexpr float kAcross = 0.5F;
/// What a box is larger by than the corners of what is in it: what rays and the box itself are rounded by, and of a
/// field, in voxels, what it bulges.
constexpr float kMargin = 1.0F / (1 << 20);
constexpr float kFieldMargin = 1.0F / 32.0F;

/// A lamp, or a part of one.
struct LampPart {
    std::span<const std::uint32_t> voxels; ///< that are in it
    FittedBox box;
    float covered = 1.0F;
    Glow glow;

    bool isGood() const { return covered >= kWellCovered && glow.evenness(voxels.size()) >= kEven; }
    /// What the part brings, over the efficiency of draws into its box, which is `covered` times its evenness: where
    /// parts are drawn by what they bring, the second moment of what all of them bring goes by the sum of this.
    double cost() const { return double{box.surface()} * glow.weighted(); }
};

/// Fits a box around voxels.
LampPart partOf(const LampShapes& shapes, std::span<const std::uint32_t> voxels) {
    LampPart part;
    part.voxels = voxels;
    part.box = fitBox(shapes, voxels);
    part.covered = coveredShare(shapes, voxels, part.box);
    part.glow = glowOf(shapes, voxels);
    return part;
}

/// Sorts the voxels of a part by the two that it may be better as. Returns how many the first one of these has, or 0.
std::size_t splitPart(const LampShapes& shapes, const LampPart& whole, std::span<std::uint32_t> voxels) {
    return !whole.isGood() && voxels.size() > 1 ? splitBox(shapes, voxels, whole.box) : 0;
}

/// Puts a part in the place of those from `first` on, which it was split into, where these are no better.
void joinAgain(const LampPart& whole, std::size_t first, std::vector<LampPart>& parts) {
    double cost = 0.0;
    for (std::size_t i = first; i < parts.size(); ++i) {
        cost += parts[i].cost();
    }
    if (first == parts.size() || (whole.covered >= kCovered && cost >= kWorthParting * whole.cost())) {
        parts.resize(first);
        parts.push_back(whole);
    }
}

/// Adds the parts of voxels, which it sorts by them.
void partVoxels(const LampShapes& shapes, std::span<std::uint32_t> voxels, std::vector<LampPart>& parts) {
    const LampPart whole = partOf(shapes, voxels);
    const std::size_t before = parts.size();
    if (const std::size_t first = splitPart(shapes, whole, voxels); first != 0) {
        partVoxels(shapes, voxels.first(first), parts);
        partVoxels(shapes, voxels.subspan(first), parts);
    }
    joinAgain(whole, before, parts);
}

/// Parts lamps on all cores: large ones one after another, whose functions share out their own work, and what is small,
/// or was split until it is, all together.
class LampParter {
public:
    explicit LampParter(const LampShapes& shapes)
        : shapes_(shapes) {}

    /// The parts of all lamps, whose voxels are sorted by them.
    std::vector<LampPart> part(std::vector<std::vector<std::uint32_t>>& lamps) {
        std::vector<std::size_t> roots;
        roots.reserve(lamps.size());
        for (std::vector<std::uint32_t>& lamp : lamps) {
            roots.push_back(split(lamp));
        }
        parallelFor(static_cast<std::int64_t>(small_.size()), 1, [&](std::int64_t i) {
            Node& node = nodes_[small_[static_cast<std::size_t>(i)]];
            partVoxels(shapes_, node.voxels, node.parts);
        });
        std::vector<LampPart> parts;
        for (const std::size_t root : roots) {
            collect(root, parts);
        }
        return parts;
    }

private:
    struct Node {
        std::span<std::uint32_t> voxels;
        LampPart whole;                      ///< of a large one
        std::array<std::size_t, 2> halves{}; ///< of a large one that was split; 0: it was not
        std::vector<LampPart> parts;         ///< of a small one
    };

    std::size_t split(std::span<std::uint32_t> voxels) {
        const std::size_t index = nodes_.size();
        nodes_.push_back({voxels, {}, {}, {}});
        if (voxels.size() <= kPartAtOnce) {
            small_.push_back(index);
            return index;
        }
        const LampPart whole = partOf(shapes_, voxels);
        nodes_[index].whole = whole;
        if (const std::size_t first = splitPart(shapes_, whole, voxels); first != 0) {
            const std::size_t low = split(voxels.first(first));
            const std::size_t high = split(voxels.subspan(first));
            nodes_[index].halves = {low, high};
        }
        return index;
    }

    void collect(std::size_t index, std::vector<LampPart>& parts) const {
        const Node& node = nodes_[index];
        if (node.voxels.size() <= kPartAtOnce) {
            parts.insert(parts.end(), node.parts.begin(), node.parts.end());
            return;
        }
        const std::size_t before = parts.size();
        if (node.halves[1] != 0) {
            collect(node.halves[0], parts);
            collect(node.halves[1], parts);
        }
        joinAgain(node.whole, before, parts);
    }

    const LampShapes& shapes_;
    std::vector<Node> nodes_;
    std::vector<std::size_t> small_;
};

bool liesAlongGrid(const glm::vec3& axis) {
    return std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)}) > kAlongGrid;
}

/// The axis across a lamp of cubes that is one flat sheet, else NO_SIDE.
std::uint32_t axisAcross(const Octree& octree, std::span<const EmissiveVoxel> voxels, const LampPart& part) {
    const FittedBox& box = part.box;
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
    for (const std::uint32_t i : part.voxels) {
        const shared::VoxelSurface surface = shared::unpackAttributes(octree.attributes[voxels[i].attributes]);
        if (surface.crease == 0) {
            const float cosine = glm::dot(surface.geometricNormal, axis);
            if (surface.doubleSided != 0 || std::abs(cosine) < kFlat) {
                return NO_SIDE;
            }
            ++(cosine > 0.0F ? ahead : behind);
        }
    }
    const bool isSheet = std::min(ahead, behind) == 0 && 2 * std::max(ahead, behind) > part.voxels.size();
    return isSheet ? static_cast<std::uint32_t>(thin) : NO_SIDE;
}

/// Whether it is told of an octree's lamps which way they look: of surfaces within voxels rays may come to both sides,
/// and beside glass to faces of voxels that touch others.
bool tellsFacings(const Octree& octree) {
    const OctreeEncoding encoding = octree.encodingKind();
    const auto isGlass = [](const MaterialConstants& material) {
        return (modelBit(material.model) & MODELS_OF_GLASS) != 0;
    };
    return encoding != OctreeEncoding::Planes && encoding != OctreeEncoding::Field &&
           std::none_of(octree.materials.begin(), octree.materials.end(), isGlass);
}

/// The one way that all faces of a part's voxels look which do not touch others, or 0: it is not told of what is flat,
/// along the axis `across`, and shows its rim alone, which has no area where the box has no thickness.
glm::vec3 facingOf(const Octree& octree, std::span<const EmissiveVoxel> voxels, const LampPart& part,
                   std::uint32_t across) {
    std::atomic<std::uint32_t> found{0}; // a bit for each face; two are enough
    parallelFor(static_cast<std::int64_t>(part.voxels.size()), kPartAtOnce, [&](std::int64_t i) {
        const glm::uvec3& voxel = voxels[part.voxels[static_cast<std::size_t>(i)]].voxel;
        for (std::uint32_t face = 0; face < 6; ++face) {
            const std::uint32_t known = found.load(std::memory_order_relaxed);
            if (std::popcount(known) < 2 && ((known >> face) & 1U) == 0 && !isSolid(octree, neighbourOf(voxel, face))) {
                found.fetch_or(1U << face, std::memory_order_relaxed);
            }
        }
    });
    if (!std::has_single_bit(found.load())) {
        return glm::vec3(0.0F);
    }
    const auto face = static_cast<std::uint32_t>(std::countr_zero(found.load()));
    glm::vec3 facing(0.0F);
    facing[static_cast<int>(face >> 1U)] = (face & 1U) != 0 ? 1.0F : -1.0F;
    const bool isRim =
        across != NO_SIDE && std::abs(glm::dot(facing, part.box.axes[static_cast<int>(across)])) < kAcross;
    return isRim ? glm::vec3(0.0F) : facing;
}

/// The area of the sides through which a box emits that looks one way, if that is not 0.
float emittingSurface(const FittedBox& box, std::uint32_t across, const glm::vec3& facing) {
    const glm::vec3 size = box.high - box.low;
    if (facing != glm::vec3(0.0F)) {
        const glm::vec3 shown = glm::abs(facing * box.axes);
        return shown.x * size.y * size.z + shown.y * size.z * size.x + shown.z * size.x * size.y;
    }
    const glm::vec2 side = shared::alongSide(size, across);
    return across == NO_SIDE ? box.surface() : 2.0F * side.x * side.y;
}

/// The box of a part of a lamp that is flat along the axis `across`, or not, and looks one way, if that is not 0.
shared::EmitterBox packBox(const Octree& octree, const LampPart& part, std::span<const EmissiveVoxel> voxels,
                           std::uint32_t across, const glm::vec3& facing) {
    FittedBox fitted = part.box;
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
        static_cast<float>(part.glow.mean(part.voxels.size())) * part.covered * emittingSurface(fitted, across, facing);
    box.first = fitted.axes[0];
    box.material = octree.palette[voxels[part.voxels[0]].entry].material;
    box.second = fitted.axes[1];
    const float bulge = octree.encodingKind() == OctreeEncoding::Field ? kFieldMargin : 0.0F;
    box.halves = static_cast<float>(voxelSize) * (0.5F * (fitted.high - fitted.low) + bulge) + kMargin;
    return box;
}

/// Rows of voxels of one box and entry each, from voxels by slice.
void addRows(const SlicedVoxels& sliced, const std::vector<std::uint32_t>& boxOf, EmitterArrays& arrays) {
    std::vector<std::uint32_t> slices;
    std::vector<shared::EmitterRow> rows;
    for (std::size_t slice = 0; slice + 1 < sliced.begins.size(); ++slice) {
        slices.push_back(static_cast<std::uint32_t>(rows.size()));
        const std::size_t begin = sliced.begins[slice];
        const std::size_t end = sliced.begins[slice + 1];
        std::uint32_t behind = 0; // the place behind the last voxel
        for (std::size_t i = begin; i < end; ++i) {
            const EmissiveVoxel& voxel = sliced.voxels[i];
            const std::uint32_t place = (voxel.voxel.y << 16U) | voxel.voxel.x;
            const bool follows = i > begin && behind == place;
            if (i > begin && !follows) {
                rows.push_back({behind, NO_BOX, 0});
            }
            if (!follows || rows.back().box != boxOf[i] || rows.back().entry != voxel.entry) {
                rows.push_back({place, boxOf[i], voxel.entry});
            }
            behind = place + 1; // no row ends at 2^16: 4^7 coordinates are fewer
        }
        if (begin != end) {
            rows.push_back({behind, NO_BOX, 0});
        }
    }
    slices.push_back(static_cast<std::uint32_t>(rows.size()));
    arrays.slices = std::move(slices);
    arrays.rows = std::move(rows);
}

/// The material of each palette entry: what touches and is of one is one lamp.
std::vector<std::uint32_t> materialsOfEntries(const Octree& octree) {
    std::vector<std::uint32_t> materials;
    materials.reserve(octree.palette.size());
    for (const shared::VoxelMaterial& entry : octree.palette) {
        materials.push_back(entry.material);
    }
    return materials;
}

} // namespace

EmitterArrays makeEmitterBoxes(const Octree& octree, std::vector<EmissiveVoxel> collected) {
    std::optional<TraceSpan> span(std::in_place, "sort emissive voxels");
    const SlicedVoxels sliced = sortBySlice(octree.levels, collected);
    collected = {};
    span.emplace("join lamps");
    std::vector<std::vector<std::uint32_t>> lamps = joinLamps(sliced, materialsOfEntries(octree));
    span.emplace("shapes of lamps");
    const LampShapes shapes(octree, sliced.voxels);
    span.emplace("part lamps");
    const std::vector<LampPart> parts = LampParter(shapes).part(lamps);
    span.emplace("boxes of lamps");
    std::vector<shared::EmitterBox> boxes(parts.size());
    std::vector<glm::vec3> ways(parts.size());
    const bool facings = tellsFacings(octree);
    std::vector<std::uint32_t> boxOf(sliced.voxels.size());
    parallelFor(static_cast<std::int64_t>(parts.size()), 64, [&](std::int64_t i) {
        const auto index = static_cast<std::size_t>(i);
        const LampPart& part = parts[index];
        const std::uint32_t across = axisAcross(octree, sliced.voxels, part);
        ways[index] = facings ? facingOf(octree, sliced.voxels, part, across) : glm::vec3(0.0F);
        boxes[index] = packBox(octree, part, sliced.voxels, across, ways[index]);
        for (const std::uint32_t voxel : part.voxels) {
            boxOf[voxel] = static_cast<std::uint32_t>(index);
        }
    });
    EmitterArrays arrays;
    arrays.boxes = std::move(boxes);
    arrays.facings = std::move(ways);
    span.emplace("rows of lamps");
    addRows(sliced, boxOf, arrays);
    return arrays;
}

} // namespace aureole
