#include "voxel/surface/plane_brick.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/set_bits.h"
#include "voxel/surface/slab_fit.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

bool emits(const AverageSurface& surface) {
    return surface.emission != glm::vec3(0.0F);
}

/// The slab of a voxel at a lamp's border where the lamp's plane has all of the voxel's surface on one side, as that
/// of a lamp let into a ceiling has the hole's walls: nothing sticks out before the lamp then. Else kWholeCell. `low`
/// is where samples count from.
shared::SurfaceSlab borderSlab(const AverageSurface& surface, std::size_t bit, std::span<const SurfaceSample> samples,
                               std::span<const glm::dvec3> corners, const glm::dvec3& low) {
    for (const SurfaceSample& sample : samples) {
        if (sample.bit != bit || sample.point.emission == glm::vec3(0.0F) || sample.plane == glm::vec3(0.0F)) {
            continue;
        }
        const glm::vec3 normal = shared::lampNormal(sample.plane, surface.geometricNormal);
        shared::SlabHeights heights = {0.0, 0.0};
        for (const glm::dvec3& corner : corners) {
            shared::addHeight(heights, shared::lampHeight(normal, corner, low, sample.position));
        }
        if (shared::isOnOneSide(heights) != 0) {
            return fitSlab(normal, corners, {low + glm::dvec3(shared::bitCell(static_cast<std::uint32_t>(bit))), 1.0});
        }
    }
    return kWholeCell;
}

/// Bends the slab of a cell, and gives the normal for shading at its middle.
glm::vec3 bend(const NormalMoments& moments, const AverageSurface& surface, shared::SurfaceSlab& slab,
               const CellBox& cell) {
    const shared::SlabBend found =
        shared::bendOfCell(moments, surface, slab, cell.low + 0.5 * cell.side, 1.0 / cell.side);
    slab.bend = found.bend;
    return found.normal;
}

} // namespace

void addPlane(const shared::VoxelAttributes& attributes, const shared::VoxelMaterial& material,
              const shared::SurfaceSlab& slab, const EmittingArea& emitting, BrickVoxels& voxels) {
    voxels.voxels.push_back({attributes, material});
    voxels.plain = voxels.plain && isPlain(material);
    voxels.slabs.push_back(slab);
    if (material.emission != glm::vec3(0.0F)) {
        voxels.emitting.push_back(emitting);
    }
}

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
    codes_.push_back(code);
    masks_.push_back(halvesOf(mask));
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
        slab = fitSlab(surface.geometricNormal, cornersOf_[bit], cell);
    } else if (!isWhole && shared::isLampBorder(surface) != 0) {
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
    merge(1, part, sumsOfBlock(part));
    if (!part.merged) {
        samples_.resize(part.samples.first);
        corners_.resize(part.corners.first);
        part.samples = {};
        part.corners = {};
    }
}

PlaneBrick::Sums PlaneBrick::sumsOfBlock(const Part& part) const {
    const std::span<const SurfaceSample> samples(samples_.data() + part.samples.first,
                                                 part.samples.end - part.samples.first);
    Sums sums;
    for (const SurfaceSample& sample : samples) {
        shared::addSample(sums.surface, sample);
        sums.moments.add(sample, glm::dvec3(0.0));
    }
    for (const SurfaceSample& sample : samples) {
        shared::addNormal(sums.surface, sample);
    }
    return sums;
}

/// Of a part all of whose children are merged.
PlaneBrick::Sums PlaneBrick::sumsOfChildren(std::uint32_t levels, const Part& part) const {
    const std::span<const Part> children(parts_[levels - 2].data() + part.children.first,
                                         part.children.end - part.children.first);
    Sums sums;
    for (const Part& child : children) {
        shared::joinSamples(sums.surface, sums_[child.sums].surface);
        shared::addMoments(sums.moments, sums_[child.sums].moments);
    }
    for (const Part& child : children) {
        shared::joinNormals(sums.surface, sums_[child.sums].surface);
    }
    return sums;
}

bool PlaneBrick::staysAtSurface(std::uint32_t levels, const Part& part, const shared::SurfaceSlab& slab) const {
    const shared::PlaneBlocks blocks = {
        std::bit_cast<std::uint64_t>(codes_.data()), std::bit_cast<std::uint64_t>(masks_.data()),
        static_cast<std::uint32_t>(part.blocks.first), static_cast<std::uint32_t>(part.blocks.end), levels};
    for (const std::uint32_t child : setBits(shared::slabChildrenMet(slab, levels))) {
        for (const std::uint32_t block : setBits(shared::slabBlocksMet(slab, levels, child))) {
            if (shared::staysInBlock(blocks, slab, child, block) == 0) {
                return false;
            }
        }
    }
    return true;
}

bool PlaneBrick::agrees(std::uint32_t levels, const Range& voxels, const AverageSurface& average) const {
    const float cosine = shared::planeCosine(levels);
    return std::all_of(surfaces_.begin() + static_cast<std::ptrdiff_t>(voxels.first),
                       surfaces_.begin() + static_cast<std::ptrdiff_t>(voxels.end), [&](const AverageSurface& voxel) {
                           return shared::isPlaneNear(voxel.albedo, voxel.roughness, voxel.metalness, voxel.normal,
                                                      voxel.material, average, cosine) != 0;
                       });
}

/// Makes one cell of a part all of whose children have planes, where that shows the same within the error.
void PlaneBrick::merge(std::uint32_t levels, Part& part, const Sums& sums) {
    AverageSurface average;
    shared::averageMeans(sums.surface, average);
    average.material = surfaces_[part.voxels.first].material; // of all voxels, or they do not agree
    if (!agrees(levels, part.voxels, average)) {
        return;
    }
    shared::SurfaceSums bends = sums.surface;
    for (std::size_t i = part.samples.first; i < part.samples.end; ++i) {
        shared::addBend(bends, samples_[i], average.geometricNormal);
    }
    shared::averageBends(bends, average);
    if (average.crease != 0) {
        return;
    }
    const double side = std::ldexp(1.0, static_cast<int>(2 * levels));
    const CellBox cell = {glm::dvec3(codeCell(part.code)) * side, side};
    const std::span<const glm::dvec3> corners(corners_.data() + part.corners.first,
                                              part.corners.end - part.corners.first);
    const shared::SurfaceSlab slab = fitSlab(average.geometricNormal, corners, cell);
    // Half thickness and the reach into parts without a surface are what the plane may differ by; no part without one
    // may be crossed in its middle, whatever the error, so that holes stay.
    if (shared::isSlabWithin(slab, side, error_) == 0 ||
        (partsAcross(slab, side, std::min(error_, side / 16.0)) & ~part.mask) != 0 ||
        !staysAtSurface(levels, part, slab)) {
        return;
    }
    part.merged = true;
    part.slab = slab;
    part.surface = average;
    part.surface.normal = bend(sums.moments, average, part.slab, cell);
    part.sums = sums_.size();
    sums_.push_back(sums);
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
            merge(levels, part, sumsOfChildren(levels, part));
        }
        joined.push_back(part);
    }
    parts_.push_back(std::move(joined));
}

void PlaneBrick::emit(std::uint32_t levels, const Part& part, std::uint64_t firstBlock, BrickVoxels& voxels) const {
    const std::uint64_t code = (firstBlock >> (6U * (levels - 1))) + part.code;
    const auto addCell = [&](AverageSurface surface, const glm::vec3& middleNormal, const shared::SurfaceSlab& slab) {
        surface.normal = middleNormal;
        addPlane(shared::packAttributes(shared::surfaceOfAverage(surface)), materialOf(surface), slab,
                 emittingAreaOf(surface), voxels);
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
