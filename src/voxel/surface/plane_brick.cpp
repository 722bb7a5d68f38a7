#include "voxel/surface/plane_brick.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/set_bits.h"
#include "voxel/surface/slab_fit.h"
#include "voxel/tree/cell_code.h"

namespace aureole {

namespace {

/// Whether the average may stand for a voxel that is smooth and emits nothing.
bool near(const AverageSurface& voxel, const AverageSurface& average, float normalCosine) {
    for (int i = 0; i < 3; ++i) {
        const float most = std::min(kPlaneAlbedo, average.albedo[i] * kPlaneDarkAlbedo + 1.0F / 256.0F);
        if (std::abs(voxel.albedo[i] - average.albedo[i]) > most) {
            return false;
        }
    }
    return voxel.material == average.material && std::abs(voxel.roughness - average.roughness) <= kPlaneRoughness &&
           std::abs(voxel.metalness - average.metalness) <= kPlaneRoughness &&
           glm::dot(voxel.normal, average.normal) >= normalCosine;
}

/// Which voxels of a cell have a surface.
class CellVoxels {
public:
    /// 4^levels voxels a side.
    explicit CellVoxels(std::uint32_t levels)
        : side_(1 << (2 * levels))
        , masks_(std::size_t{1} << (6U * (levels - 1))) {}

    /// The mask of a block, by its code in the cell or around it.
    void set(std::uint64_t block, std::uint64_t mask) { masks_[block & (masks_.size() - 1)] = mask; }

    /// Whether a voxel has one, or another at most so many steps away along an axis; where these leave the cell,
    /// whether any next to the voxel has one.
    bool isNear(std::uint64_t code, int axis, int steps) const {
        if (has(code)) {
            return true;
        }
        const glm::ivec3 voxel(codeCell(code));
        bool leaves = false;
        for (int step = -steps; step <= steps; ++step) {
            glm::ivec3 other = voxel;
            other[axis] += step;
            if (hasAt(other)) {
                return true;
            }
            leaves = leaves || other[axis] < 0 || other[axis] >= side_;
        }
        for (int i = 0; i < 27 && leaves; ++i) {
            if (hasAt(voxel + glm::ivec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1))) {
                return true;
            }
        }
        return false;
    }

private:
    bool has(std::uint64_t code) const { return ((masks_[code >> 6U] >> (code & 63U)) & 1U) != 0; }
    bool hasAt(const glm::ivec3& voxel) const {
        return glm::all(glm::greaterThanEqual(voxel, glm::ivec3(0))) &&
               glm::all(glm::lessThan(voxel, glm::ivec3(side_))) && has(cellCode(glm::uvec3(voxel)));
    }

    int side_;
    std::vector<std::uint64_t> masks_; ///< of blocks
};

/// Bends the slab of a cell, and gives the normal for shading at its middle.
glm::vec3 bend(const NormalMoments& moments, const AverageSurface& surface, shared::SurfaceSlab& slab,
               const CellBox& cell) {
    if (shared::slabIsWhole(slab) != 0 || (surface.doubleSided | surface.crease) != 0) {
        return surface.normal;
    }
    const SlabBend found = fitBend(moments, surface.normal, slab, cell);
    slab.bend = found.bend;
    return found.normal;
}

bool emits(const AverageSurface& surface) {
    return surface.emission != glm::vec3(0.0F);
}

/// The slab of a voxel at a lamp's border where the lamp's plane has all of the voxel's surface on one side, as that
/// of a lamp let into a ceiling has the hole's walls: nothing sticks out before the lamp then. Else kWholeCell. `low`
/// is where samples count from.
shared::SurfaceSlab borderSlab(const AverageSurface& surface, std::size_t bit, std::span<const SurfaceSample> samples,
                               std::span<const glm::dvec3> corners, const glm::dvec3& low) {
    constexpr double kTogether = 1.0 / 64.0; // voxels that the plane and the end of a wall may be apart by
    for (const SurfaceSample& sample : samples) {
        if (sample.bit != bit || sample.point.emission == glm::vec3(0.0F) || sample.plane == glm::vec3(0.0F)) {
            continue;
        }
        // Slabs face as the surface does that attributes tell of.
        const bool isReversed = glm::dot(sample.plane, surface.geometricNormal) < 0.0F;
        const glm::dvec3 normal = isReversed ? -glm::dvec3(sample.plane) : glm::dvec3(sample.plane);
        double lowest = 0.0;
        double highest = 0.0;
        for (const glm::dvec3& corner : corners) {
            const double height = glm::dot(normal, corner - low - glm::dvec3(sample.position));
            lowest = std::min(lowest, height);
            highest = std::max(highest, height);
        }
        if (std::min(-lowest, highest) < kTogether) {
            return fitSlab(normal, corners, {low + glm::dvec3(shared::bitCell(static_cast<std::uint32_t>(bit))), 1.0});
        }
    }
    return kWholeCell;
}

/// Whether a crease is where a lamp meets something else.
bool isLampBorder(const AverageSurface& surface) {
    return surface.crease != 0 && surface.edge == 0 && emits(surface) && surface.emitting < 0.999 * surface.area;
}

} // namespace

void PlaneBrick::addBlock(std::uint32_t code, std::uint64_t mask, std::span<const AverageSurface> surfaces,
                          std::span<const SurfaceSample> samples, std::span<const SurfaceCorner> corners,
                          std::uint64_t whole) {
    const glm::dvec3 low(codeCell(code) << 2U);
    Part part;
    part.code = code;
    part.mask = mask;
    part.voxels.first = surfaces_.size();
    surfaces_.insert(surfaces_.end(), surfaces.begin(), surfaces.end());
    part.voxels.end = surfaces_.size();
    part.children = part.voxels;
    // What is of one voxel need not stand together.
    for (const SurfaceCorner& corner : corners) {
        cornersOf_[corner.bit].push_back(corner.position + low);
    }
    for (const SurfaceSample& sample : samples) {
        momentsOf_[sample.bit].add(sample, low);
    }
    bool planes = true;
    std::size_t voxel = 0;
    for (const std::uint32_t bit : setBits(mask)) {
        const AverageSurface& surface = surfaces[voxel];
        addVoxel(surface, bit, ((whole >> bit) & 1U) != 0, samples, low);
        // What emits is not merged: light sampling knows it by the faces of its voxels.
        planes = planes && shared::slabIsWhole(slabs_.back()) == 0 && surface.crease == 0 && !emits(surface);
        part.sum.add(shared::surfaceOfAverage(surface), meanMaterialOf(surface), surface.area);
        ++voxel;
    }
    parts_.resize(std::max<std::size_t>(parts_.size(), 1));
    part.blocks = {parts_[0].size(), parts_[0].size() + 1};
    if (planes && maxLevels_ > 0 && heldPoints() + samples.size() + corners.size() <= mostPoints_) {
        mergeBlock(part, samples, corners, low);
    }
    for (std::size_t bit = 0; bit < 64; ++bit) {
        cornersOf_[bit].clear();
        momentsOf_[bit] = {};
    }
    parts_[0].push_back(part);
}

/// Adds the slab of the voxel `bit` of the block whose corner is `low`.
void PlaneBrick::addVoxel(const AverageSurface& surface, std::size_t bit, bool isWhole,
                          std::span<const SurfaceSample> samples, const glm::dvec3& low) {
    const CellBox cell = {low + glm::dvec3(shared::bitCell(static_cast<std::uint32_t>(bit))), 1.0};
    shared::SurfaceSlab slab = kWholeCell;
    if (!isWhole && surface.crease == 0) {
        slab = fitSlab(glm::dvec3(surface.geometricNormal), cornersOf_[bit], cell);
    } else if (!isWhole && isLampBorder(surface)) {
        slab = borderSlab(surface, bit, samples, cornersOf_[bit], low);
    }
    slabs_.push_back(slab);
    middleNormals_.push_back(bend(momentsOf_[bit], surface, slabs_.back(), cell));
}

/// Merges the voxels of a block where one slab shows them. Only then its points are kept: nodes are merged of merged
/// ones alone.
void PlaneBrick::mergeBlock(Part& part, std::span<const SurfaceSample> samples, std::span<const SurfaceCorner> corners,
                            const glm::dvec3& low) {
    part.samples.first = samples_.size();
    part.corners.first = corners_.size();
    for (SurfaceSample sample : samples) {
        sample.bit = 0;
        sample.position += glm::vec3(low);
        samples_.push_back(sample);
    }
    for (const SurfaceCorner& corner : corners) {
        if (((part.mask >> corner.bit) & 1U) != 0) { // else alpha testing cut the voxel away
            corners_.push_back(corner.position + low);
        }
    }
    part.samples.end = samples_.size();
    part.corners.end = corners_.size();
    merge(1, part);
    if (!part.merged) {
        samples_.resize(part.samples.first);
        corners_.resize(part.corners.first);
        part.samples = {};
        part.corners = {};
    }
}

/// Whether the slab keeps to voxels with a surface, or passes them closely. A merged node does not know its voxels,
/// only its 64 parts, and in these its plane goes on beyond the border of a sheet.
bool PlaneBrick::staysAtSurface(std::uint32_t levels, const Part& part, const shared::SurfaceSlab& slab) const {
    if (levels == 1) {
        return true;
    }
    CellVoxels voxels(levels);
    for (std::size_t i = part.blocks.first; i < part.blocks.end; ++i) {
        voxels.set(parts_[0][i].code, parts_[0][i].mask);
    }
    const glm::vec3 across = glm::abs(shared::slabNormal(slab.normal));
    const int axis = across.x >= across.y && across.x >= across.z ? 0 : across.y >= across.z ? 1 : 2;
    const double side = std::ldexp(1.0, static_cast<int>(2 * levels));
    // From one side of the slab to the other, along the axis.
    const int steps = std::max(1, static_cast<int>(std::ceil(2.0 * std::sqrt(3.0) * halfThickness(slab, side))));
    const std::function<bool(std::uint32_t, std::uint64_t, std::uint64_t)> stays =
        [&](std::uint32_t height, std::uint64_t code, std::uint64_t mask) {
            // Algorithms do not take set bits. NOLINTNEXTLINE(readability-use-anyofallof)
            for (const std::uint32_t bit : setBits(mask)) {
                const std::uint64_t child = (code << 6U) | bit;
                if (height == 0) {
                    if (!voxels.isNear(child, axis, steps)) {
                        return false;
                    }
                    continue;
                }
                const double width = std::ldexp(1.0, static_cast<int>(2 * height));
                const CellBox box = {glm::dvec3(codeCell(child)) * width, width};
                if (!stays(height - 1, child, partsMet(slab, side, box, ~std::uint64_t{0}))) {
                    return false;
                }
            }
            return true;
        };
    return stays(levels - 1, 0, part.mask);
}

bool PlaneBrick::agrees(std::uint32_t levels, const Range& voxels, const AverageSurface& average) const {
    const float normalCosine = kPlaneNormal.at(levels - 1);
    return std::all_of(surfaces_.begin() + static_cast<std::ptrdiff_t>(voxels.first),
                       surfaces_.begin() + static_cast<std::ptrdiff_t>(voxels.end),
                       [&](const AverageSurface& surface) { return near(surface, average, normalCosine); });
}

/// Makes one cell of a part all of whose children have planes, where that shows the same within the error.
void PlaneBrick::merge(std::uint32_t levels, Part& part) {
    const std::span<const SurfaceSample> samples(samples_.data() + part.samples.first,
                                                 part.samples.end - part.samples.first);
    averageSamples(samples, average_);
    const AverageSurface& average = average_.front();
    if (average.crease != 0 || !agrees(levels, part.voxels, average)) {
        return;
    }
    const double side = std::ldexp(1.0, static_cast<int>(2 * levels));
    const CellBox cell = {glm::dvec3(codeCell(part.code)) * side, side};
    const std::span<const glm::dvec3> corners(corners_.data() + part.corners.first,
                                              part.corners.end - part.corners.first);
    const shared::SurfaceSlab slab = fitSlab(glm::dvec3(average.geometricNormal), corners, cell);
    // Half thickness and the reach into parts without a surface are what the plane may differ by; no part without one
    // may be crossed in its middle, whatever the error, so that holes stay.
    if (halfThickness(slab, side) > error_ ||
        (partsAcross(slab, side, std::min(error_, side / 16.0)) & ~part.mask) != 0 ||
        !staysAtSurface(levels, part, slab)) {
        return;
    }
    NormalMoments moments;
    for (const SurfaceSample& sample : samples) {
        moments.add(sample, glm::dvec3(0.0));
    }
    part.merged = true;
    part.slab = slab;
    part.surface = average;
    part.surface.normal = bend(moments, average, part.slab, cell);
}

/// Makes parts of 4^levels voxels a side of those a level lower.
void PlaneBrick::joinParts(std::uint32_t levels) {
    const std::vector<Part>& lower = parts_[levels - 2];
    std::vector<Part> joined;
    for (std::size_t first = 0, end = 0; first < lower.size(); first = end) {
        Part part = lower[first];
        part.code >>= 6U;
        part.mask = 0;
        part.sum = {};
        part.merged = false;
        bool mergeable = levels <= maxLevels_;
        for (end = first; end < lower.size() && lower[end].code >> 6U == part.code; ++end) {
            part.mask |= std::uint64_t{1} << (lower[end].code & 63U);
            part.sum.add(lower[end].sum);
            mergeable = mergeable && lower[end].merged;
        }
        part.children = {first, end};
        part.blocks.end = lower[end - 1].blocks.end;
        part.voxels.end = lower[end - 1].voxels.end;
        if (mergeable) { // and so all have points, which follow each other
            part.samples.end = lower[end - 1].samples.end;
            part.corners.end = lower[end - 1].corners.end;
            merge(levels, part);
        }
        joined.push_back(part);
    }
    parts_.push_back(std::move(joined));
}

void PlaneBrick::emit(std::uint32_t levels, const Part& part, std::uint64_t firstBlock, BrickVoxels& voxels) const {
    const std::uint64_t code = (firstBlock >> (6U * (levels - 1))) + part.code;
    const auto addCell = [&](AverageSurface surface, const glm::vec3& middleNormal, const shared::SurfaceSlab& slab) {
        surface.normal = middleNormal;
        const shared::VoxelMaterial material = materialOf(surface);
        voxels.voxels.push_back({shared::packAttributes(shared::surfaceOfAverage(surface)), material});
        voxels.plain = voxels.plain && isPlain(material);
        voxels.slabs.push_back(slab);
        if (emits(surface)) {
            voxels.emitting.push_back(emittingAreaOf(surface));
        }
    };
    if (part.merged) {
        voxels.blocks.push_back({code, part.mask, 0, levels, part.sum});
        addCell(part.surface, part.surface.normal, part.slab);
    } else if (levels == 1) {
        voxels.blocks.push_back({code, part.mask, 0, 0, part.sum});
        for (std::size_t i = part.voxels.first; i < part.voxels.end; ++i) {
            addCell(surfaces_[i], middleNormals_[i], slabs_[i]);
        }
    } else {
        for (std::size_t i = part.children.first; i < part.children.end; ++i) {
            emit(levels - 1, parts_[levels - 2][i], firstBlock, voxels);
        }
    }
}

BrickVoxels PlaneBrick::take(std::uint64_t firstBlock) {
    BrickVoxels voxels;
    if (parts_.empty()) {
        return voxels;
    }
    while (parts_.size() < std::max(maxLevels_, 1U)) {
        joinParts(static_cast<std::uint32_t>(parts_.size()) + 1);
    }
    for (const Part& part : parts_.back()) {
        emit(static_cast<std::uint32_t>(parts_.size()), part, firstBlock, voxels);
    }
    return voxels;
}

} // namespace aureole
