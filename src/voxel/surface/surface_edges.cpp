#include "voxel/surface/surface_edges.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace aureole {

namespace {

/// Normals with a larger cosine belong to one sheet.
constexpr float kSameSheet = 0.9F;
/// How far a sheet may reach over the other's plane, in voxels: what bends a little is no plane.
constexpr double kReach = 1.0 / 64.0;
/// How far from the other's plane a sheet ends where it touches that: beyond rounding.
constexpr double kTouch = 1e-4;
/// How long the part of the edge in the voxel is at least.
constexpr double kTouchLength = 1.0 / 256.0;
/// What packing does to the normals, as a sine.
constexpr float kPacking = 0.012F;

/// One of the two sheets that meet in an edge.
struct Sheet {
    const SurfaceSample* heaviest = nullptr;
    double weight = 0.0;
    glm::dvec3 sum{0.0};
    // Heights of its corners over the other sheet's plane.
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
    std::uint32_t faces = 63;           ///< of the voxel that all of its corners lie on
    const SurfaceCorner* end = nullptr; ///< a corner in the other sheet's plane
    bool touches = false;               ///< another stands apart from it

    glm::vec3 normal() const { return glm::vec3(glm::normalize(sum)); }
    bool isWithin(double reach) const { return highest <= reach && lowest >= -reach; }
    bool isBehind(double reach) const { return highest <= reach; }
    bool isInFront(double reach) const { return lowest >= -reach; }
};

/// The faces of its voxel that a point lies on.
std::uint32_t facesAt(const glm::dvec3& point) {
    std::uint32_t faces = 0;
    for (int axis = 0; axis < 3; ++axis) {
        faces |= std::abs(point[axis]) <= kTouch ? 1U << (2 * axis) : 0;
        faces |= std::abs(point[axis] - 1.0) <= kTouch ? 2U << (2 * axis) : 0;
    }
    return faces;
}

/// What a voxel may have of two sheets.
class EdgeFinder {
public:
    void add(const SurfaceSample& sample) {
        if (!sample.flat) {
            return;
        }
        Sheet* sheet = sheetOf(sample.point.geometricNormal);
        if (sheet == nullptr) {
            isEdge_ = false;
            return;
        }
        // All samples of a sheet face one side.
        isEdge_ = isEdge_ && (sheet->heaviest == nullptr ||
                              glm::dot(sample.point.geometricNormal, sheet->heaviest->point.geometricNormal) > 0.0F);
        if (sheet->heaviest == nullptr || sample.weight > sheet->heaviest->weight) {
            sheet->heaviest = &sample;
        }
        sheet->weight += sample.weight;
        sheet->sum += sample.weight * glm::dvec3(sample.point.geometricNormal);
    }

    void add(const SurfaceCorner& corner) {
        if (!isEdge_ || sheets_[1].heaviest == nullptr || corner.normal == glm::vec3(0.0F)) {
            return;
        }
        Sheet* sheet = sheetOf(corner.normal);
        if (sheet == nullptr) {
            isEdge_ = false; // alpha testing cut it away, but its neighbours may show
            return;
        }
        const SurfaceSample& other = *sheets_[sheet == sheets_.data() ? 1 : 0].heaviest;
        const double height = glm::dot(corner.position - glm::dvec3(other.position), glm::dvec3(other.plane));
        if (std::abs(height) <= kTouch) {
            sheet->touches = sheet->touches || (sheet->end != nullptr &&
                                                glm::distance(corner.position, sheet->end->position) > kTouchLength);
            sheet->end = sheet->end == nullptr ? &corner : sheet->end;
        }
        sheet->lowest = std::min(sheet->lowest, height);
        sheet->highest = std::max(sheet->highest, height);
        sheet->faces &= facesAt(corner.position - glm::dvec3(shared::bitCell(corner.bit)));
    }

    /// The widest angle between a sheet's normal and a sample's, as a sine.
    void widen(const SurfaceSample& sample) {
        if (sample.flat && isEdge()) {
            const glm::vec3 normal = sheetOf(sample.point.geometricNormal)->normal();
            spread_ = std::max(spread_, glm::length(glm::cross(normal, sample.point.geometricNormal)));
        }
    }

    /// Sheets that do not touch in the voxel may cross in the next one, so that on which side of the one a path is says
    /// nothing of the other. So may one in the voxel's face. And where too little of both is in the voxel it is not
    /// known from where it bulges.
    bool isEdge() const {
        return isEdge_ && sheets_[1].heaviest != nullptr && (sheets_[0].touches || sheets_[1].touches) &&
               (sheets_[0].faces | sheets_[1].faces) == 0 && areBehind() != areInFront();
    }

    void describe(AverageSurface& surface) const {
        const bool swap = sheets_[1].weight > sheets_[0].weight;
        surface.edge = true;
        surface.doubleSided = false;
        surface.hollow = areBehind() ? 2 : 1;
        surface.geometricNormal = sheets_[swap ? 1 : 0].normal();
        surface.otherNormal = sheets_[swap ? 0 : 1].normal();
        surface.spread = spread_ + kPacking;
    }

private:
    /// What a sheet may reach over the other's plane: less where hardly more of both is in the voxel.
    double reach() const { return sheets_[0].isWithin(kReach) && sheets_[1].isWithin(kReach) ? kTouch : kReach; }
    bool areBehind() const { return sheets_[0].isBehind(reach()) && sheets_[1].isBehind(reach()); }
    bool areInFront() const { return sheets_[0].isInFront(reach()) && sheets_[1].isInFront(reach()); }

    /// The sheet that a normal on either side belongs to: one that is there, or is begun with it; null for a third one.
    Sheet* sheetOf(const glm::vec3& normal) {
        for (Sheet& sheet : sheets_) {
            if (sheet.heaviest == nullptr ||
                std::abs(glm::dot(normal, sheet.heaviest->point.geometricNormal)) > kSameSheet) {
                return &sheet;
            }
        }
        return nullptr;
    }

    std::array<Sheet, 2> sheets_;
    bool isEdge_ = true;
    float spread_ = 0.0F;
};

} // namespace

std::uint64_t creases(std::uint64_t mask, std::span<const AverageSurface> surfaces) {
    std::uint64_t found = 0;
    std::size_t slot = 0;
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1, ++slot) {
        found |= surfaces[slot].crease ? rest & -rest : 0;
    }
    return found;
}

void findEdges(std::span<const SurfaceSample> samples, std::span<const SurfaceCorner> corners, std::uint64_t mask,
               std::uint64_t among, std::span<AverageSurface> surfaces) {
    std::vector<EdgeFinder> finders(static_cast<std::size_t>(std::popcount(among)));
    const auto find = [&](std::uint32_t bit) {
        const std::uint64_t one = std::uint64_t{1} << bit;
        return (among & one) == 0 ? nullptr : &finders[static_cast<std::size_t>(std::popcount(among & (one - 1)))];
    };
    for (const SurfaceSample& sample : samples) {
        if (EdgeFinder* const finder = find(sample.bit)) {
            finder->add(sample);
        }
    }
    for (const SurfaceCorner& corner : corners) {
        if (EdgeFinder* const finder = find(corner.bit)) {
            finder->add(corner);
        }
    }
    for (const SurfaceSample& sample : samples) {
        if (EdgeFinder* const finder = find(sample.bit)) {
            finder->widen(sample);
        }
    }
    for (std::uint64_t rest = among & mask; rest != 0; rest &= rest - 1) {
        const EdgeFinder& finder = *find(static_cast<std::uint32_t>(std::countr_zero(rest)));
        if (finder.isEdge()) {
            finder.describe(surfaces[static_cast<std::size_t>(std::popcount(mask & ((rest & -rest) - 1)))]);
        }
    }
}

} // namespace aureole
