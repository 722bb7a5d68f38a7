#include "voxel/build/lamp_light.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/math.h"
#include "core/threads/parallel.h"
#include "core/trace.h"
#include "shared/luminance.h"
#include "shared/octree/attributes.h"
#include "shared/octree/field.h"
#include "voxel/build/multiply_emissions.h"
#include "voxel/tree/lamp_voxels.h"
#include "voxel/tree/outline.h"
#include "voxel/tree/voxel_shape.h"

namespace aureole {

namespace {

/// A voxel is part of its lamp where this share of its surface emits.
constexpr float kMostly = 0.5F;
/// What has less area only touches the voxel's boundary.
constexpr float kTouching = 1e-6F;
/// All of its surface emits, but for what only grazes the voxel.
constexpr float kWholly = 0.999F;
/// The most that a lamp's radiance grows by: for the voxels that went dark, and edges that a field rounds off.
constexpr double kMostGain = 2.0;
/// Sheets whose normals differ by no more than this sine, whichever way they face, are one wall.
constexpr float kOneWall = 0.5F;
/// A body of voxels is seen larger from all sides than along the grid's axes: it reaches farther by this many voxels
/// times (slant - 1), where `slant` is that of bodyFactor. Measured of balls of 10 to 100 voxels.
constexpr double kSlantReach = 0.8;
/// Voxels that touch a closed body have at most its silhouette and a rim of this many voxels, as seen along an axis; of
/// balls the rim has 0.64, of a tube three times as long as thick 0.9 by the formula for round silhouettes.
constexpr double kWidestRim = 2.0;
/// From how many sides a body is looked at, unless it has more voxels than this: it then reaches beyond its surface by
/// a third of a percent, and looking at it would take longer than to make it.
constexpr int kViews = 8;
constexpr std::size_t kMostViewed = std::size_t{1} << 17U;
constexpr double kGoldenAngle = 2.399963;
/// A surface is open where its mean normal, weighted by area, is longer than this.
constexpr double kOpen = 0.2;
/// A lamp whose radiance would change by less keeps it.
constexpr double kSame = 1.0 / 512.0;
/// Voxels that a thread takes at once.
constexpr std::int64_t kVoxelsAtOnce = 1024;

/// Area that a lamp shows, in squares of a voxel's side, on both sides of its surface.
struct ShownArea {
    double front = 0.0;
    double back = 0.0;
};

/// The normal that faces along `axis` most, of those of the sheets in a voxel.
glm::vec3 sheetAcross(const shared::VoxelSurface& surface, int axis) {
    const bool other =
        shared::isEdge(surface) != 0 && std::abs(surface.normal[axis]) > std::abs(surface.geometricNormal[axis]);
    return other ? surface.normal : surface.geometricNormal;
}

/// What a voxel shows by its faces. Faces of stairs count by their cosine to the surface, which makes the area of a
/// plane right however it lies.
ShownArea cubeArea(const Octree& octree, const EmissiveVoxel& voxel) {
    const shared::VoxelSurface surface = shared::unpackAttributes(octree.attributes[voxel.attributes]);
    ShownArea shown;
    for (std::uint32_t face = 0; face < 6; ++face) {
        if (isSolid(octree, neighbourOf(voxel.voxel, face))) {
            continue;
        }
        if (surface.crease != 0 && shared::isEdge(surface) == 0 && surface.spread > kOneWall) {
            shown.front += 1.0;
            shown.back += 1.0;
            continue;
        }
        const auto axis = static_cast<int>(face >> 1U);
        const double along = double{sheetAcross(surface, axis)[axis]};
        const bool isFront = (along > 0.0) == ((face & 1U) != 0);
        (isFront ? shown.front : shown.back) += std::abs(along);
    }
    return shown;
}

/// Whether rays meet a voxel by its faces.
bool isCube(const Octree& octree, std::uint64_t attributes) {
    const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding);
    return planes != nullptr ? shared::slabIsWhole(planes->slabs[attributes]) != 0
                             : octree.encodingKind() != OctreeEncoding::Field;
}

ShownArea shownArea(const Octree& octree, const EmissiveVoxel& voxel) {
    if (!isCube(octree, voxel.attributes)) {
        const double area = surfaceAreaOf(octree, voxel);
        return {area, area};
    }
    const ShownArea cube = cubeArea(octree, voxel);
    if (octree.encodingKind() == OctreeEncoding::Planes) { // among planes it is seen from outside
        return {std::max(cube.front, cube.back), std::max(cube.front, cube.back)};
    }
    return cube;
}

/// What becomes of the emission of a voxel.
using Factors = std::vector<float>;

class LampMatcher {
public:
    LampMatcher(const Octree& octree, std::span<const EmissiveVoxel> voxels, std::span<const EmittingArea> areas,
                const std::vector<bool>& unlit, bool isAsset)
        : octree_(octree)
        , voxels_(voxels)
        , areas_(areas)
        , unlit_(unlit)
        , isAsset_(isAsset)
        , seen_(voxels.size())
        , factors_(voxels.size(), 1.0F) {
        parallelFor(static_cast<std::int64_t>(voxels.size()), kVoxelsAtOnce, [&](std::int64_t i) {
            const auto voxel = static_cast<std::size_t>(i);
            const ShownArea shown = shownArea(octree_, voxels_[voxel]);
            seen_[voxel] = {shown, shown.front + shown.back <= 0.0 && isBuried(voxel)};
        });
    }

    /// Finds the factors of a lamp's voxels, of which `places` are the indices.
    void match(std::span<const std::size_t> places) {
        const std::optional<Body> body = closedBody(places);
        const float least = body ? 0.0F : kTouching;
        const bool anyBelongs =
            std::any_of(places.begin(), places.end(), [&](std::size_t i) { return belongs(i, least); });
        const auto darken = [&](std::size_t i) { factors_[i] = anyBelongs && !belongs(i, least) ? 0.0F : 1.0F; };
        const bool known = std::all_of(places.begin(), places.end(), [&](std::size_t i) { return isKnown(i); });
        if (!known || (!isAsset_ && surroundsAll(places))) {
            std::for_each(places.begin(), places.end(), darken);
            return;
        }
        double emitting = 0.0;
        ShownArea shown;
        for (const std::size_t i : places) {
            if (seen_[i].buried) {
                continue;
            }
            const ShownArea& own = seen_[i].area;
            // A lamp with a texture is to keep its light, not its area.
            const auto luminance = double{shared::luminanceOf(octree_.palette[voxels_[i].entry].emission)};
            emitting += luminance * oneSidedArea(i);
            darken(i);
            shown.front += factors_[i] * luminance * own.front;
            shown.back += factors_[i] * luminance * own.back;
        }
        const double most = std::max(shown.front, shown.back);
        double factor = most > 0.0 ? std::min(emitting / most, kMostGain) : 1.0;
        factor = std::min(factor, body ? bodyFactor(*body, places) : kMostGain);
        for (const std::size_t i : places) {
            factors_[i] *= std::abs(factor - 1.0) < kSame ? 1.0F : static_cast<float>(factor);
        }
    }

    const Factors& factors() const { return factors_; }

private:
    bool surroundsAll(std::span<const std::size_t> places) const {
        glm::uvec3 low = voxels_[places[0]].voxel;
        glm::uvec3 high = low;
        for (const std::size_t i : places) {
            low = glm::min(low, voxels_[i].voxel);
            high = glm::max(high, voxels_[i].voxel);
        }
        return glm::all(glm::lessThanEqual(low, glm::uvec3(1))) &&
               glm::all(glm::greaterThanEqual(high + 2U, octree_.grid.size));
    }

    /// Whether it is known how much of a voxel's surface is a lamp: not of the cells of voxel models, and of what is
    /// unlit nothing is.
    bool isKnown(std::size_t i) const {
        return areas_[i].area >= 0.0F && !unlit_.at(octree_.palette[voxels_[i].entry].material);
    }

    /// Whether a voxel is part of its lamp, of which it has more area than `least`. Of planes, one without a plane
    /// sticks out of what it is an edge of.
    bool belongs(std::size_t i, float least) const {
        if (!isKnown(i)) {
            return true;
        }
        const bool sticksOut =
            octree_.encodingKind() == OctreeEncoding::Planes && isCube(octree_, voxels_[i].attributes);
        return areas_[i].area > least && areas_[i].share >= (sticksOut ? kWholly : kMostly);
    }

    /// What is seen of a voxel, and whether it is buried (isBuried).
    struct Seen {
        ShownArea area;
        bool buried = false;
    };

    /// What is known of the surface of a lamp.
    struct Body {
        double area = 0.0;                ///< of all of it
        double smooth = 0.0;              ///< where it has one normal
        std::vector<glm::dvec4> pieces{}; ///< there, a normal and its area

        /// The mean of `of` over the surface by area, of a piece's normal.
        template <typename Of>
        double mean(const Of& of) const {
            double sum = 0.0;
            for (const glm::dvec4& piece : pieces) {
                sum += piece.w * of(glm::dvec3(piece));
            }
            return sum / smooth;
        }
        /// The area of the outline seen along `way`, of unit length. Of a convex surface it is half of what its area
        /// projects to (Cauchy); of others it is less than that.
        double outline(const glm::dvec3& way) const {
            return 0.5 * area * mean([&](const glm::dvec3& normal) { return std::abs(glm::dot(normal, way)); });
        }
    };

    /// A closed body; nothing where the surface is open or creased.
    std::optional<Body> closedBody(std::span<const std::size_t> places) const {
        Body body;
        glm::dvec3 facing(0.0);
        for (const std::size_t i : places) {
            const shared::VoxelSurface surface = shared::unpackAttributes(octree_.attributes[voxels_[i].attributes]);
            const auto area = double{areas_[i].area};
            body.area += area;
            if (surface.crease == 0) {
                body.smooth += area;
                body.pieces.emplace_back(glm::dvec3(surface.geometricNormal), area);
                facing += surface.doubleSided != 0 ? glm::dvec3(0.0) : area * glm::dvec3(surface.geometricNormal);
            }
        }
        const bool isClosed = 2.0 * body.smooth >= body.area && glm::length(facing) <= kOpen * body.smooth;
        return isClosed ? std::optional(std::move(body)) : std::nullopt;
    }

    /// Whether voxels show more than a closed surface with that outline would, as where parts of a body are dark: the
    /// far side is then seen through the gaps.
    static bool hasGaps(double shown, double outline) {
        return shown > outline + kWidestRim * 2.0 * std::sqrt(kPi * outline);
    }

    /// The factor for a closed body: the outlines of its surface over those of its voxels, which reach beyond it, from
    /// all sides; kMostGain where it has gaps. Where it is not convex, the factor is too large.
    double bodyFactor(const Body& body, std::span<const std::size_t> places) const {
        return octree_.encodingKind() == OctreeEncoding::Tree ? columnsFactor(body, places)
                                                              : outlineFactor(body, places);
    }

    /// The factor of cubes, which rays go through where they leave what is in them (sheet.h): what they show is less
    /// than their outlines. Those along the grid's three axes are counted as columns that have voxels, and widened,
    /// since the body is seen from all sides: voxels that touch a surface reach beyond it in proportion to the sum of
    /// its normal's components, `slant` in the mean, and a ray that passes at an angle meets those that reach farthest.
    double columnsFactor(const Body& body, std::span<const std::size_t> places) const {
        const double slant =
            body.mean([](const glm::dvec3& n) { return std::abs(n.x) + std::abs(n.y) + std::abs(n.z); });
        double seen = 0.0;
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            const auto count = static_cast<double>(columnsAlong(axis, places));
            glm::dvec3 way(0.0);
            way[axis] = 1.0;
            if (hasGaps(count, body.outline(way))) {
                return kMostGain;
            }
            seen += count + kSlantReach * (slant - 1.0) * 2.0 * std::sqrt(kPi * count); // all around it
        }
        return 0.5 * slant * body.area / seen;
    }

    /// How many columns of the grid along an axis have voxels of a lamp. These hang together, so that there are no more
    /// rows than voxels.
    std::size_t columnsAlong(glm::length_t axis, std::span<const std::size_t> places) const {
        const auto rowOf = [&](std::size_t i) { return voxels_[i].voxel[(axis + 1) % 3]; };
        const auto placeOf = [&](std::size_t i) { return voxels_[i].voxel[(axis + 2) % 3]; };
        std::uint32_t lowRow = rowOf(places[0]);
        std::uint32_t highRow = lowRow;
        std::uint32_t highPlace = 0;
        for (const std::size_t i : places) {
            lowRow = std::min(lowRow, rowOf(i));
            highRow = std::max(highRow, rowOf(i));
            highPlace = std::max(highPlace, placeOf(i));
        }
        std::vector<std::size_t> ends(highRow - lowRow + 2); // of the rows, once they are sorted
        for (const std::size_t i : places) {
            ++ends[rowOf(i) - lowRow + 1];
        }
        std::partial_sum(ends.begin(), ends.end(), ends.begin());
        std::vector<std::uint32_t> inRows(places.size());
        for (const std::size_t i : places) {
            inRows[ends[rowOf(i) - lowRow]++] = placeOf(i);
        }
        std::vector<std::uint32_t> lastRow(highPlace + 1, 0); // from 1, that had the place
        std::size_t columns = 0;
        std::size_t next = 0;
        for (std::uint32_t row = 0; row <= highRow - lowRow; ++row) {
            for (; next < ends[row]; ++next) {
                columns += std::exchange(lastRow[inRows[next]], row + 1) != row + 1 ? 1 : 0;
            }
        }
        return columns;
    }

    /// The factor of planes and fields, which are seen as they are.
    double outlineFactor(const Body& body, std::span<const std::size_t> places) const {
        if (places.size() > kMostViewed) {
            return kMostGain;
        }
        std::vector<EmissiveVoxel> shown;
        for (const std::size_t i : places) {
            if (factors_[i] > 0.0F) {
                shown.push_back(voxels_[i]);
            }
        }
        double surfaces = 0.0;
        double voxels = 0.0;
        for (int view = 0; view < kViews; ++view) {
            const double z = (view + 0.5) / kViews; // over half of a sphere, in a spiral
            const glm::dvec2 side(std::cos(kGoldenAngle * view), std::sin(kGoldenAngle * view));
            const glm::dvec3 way(std::sqrt(1.0 - z * z) * side, z);
            const double outline = body.outline(way);
            const double area = outlineArea(octree_, shown, glm::vec3(way));
            if (hasGaps(area, outline)) {
                return kMostGain;
            }
            surfaces += outline;
            voxels += area;
        }
        return voxels > 0.0 ? surfaces / voxels : kMostGain;
    }

    /// Whether the light of a voxel that shows nothing is lost, as where a lamp stands in a wall: of a field, where all
    /// of the voxel is inside a solid. Of cubes it is not lost where the voxel has at least three neighbours that emit:
    /// their faces show what it emits. Planes show nothing for a neighbour, so of them it is always lost.
    bool isBuried(std::size_t i) const {
        if (const auto* const field = std::get_if<FieldEncoding>(&octree_.encoding)) {
            return isInside(field->distances[voxels_[i].attributes]);
        }
        return octree_.encodingKind() == OctreeEncoding::Planes || emittingNeighbours(i) < 3;
    }

    static bool isInside(const shared::CornerDistances& corners) {
        for (std::uint32_t corner = 0; corner < 8; ++corner) {
            if (shared::fieldValue(corners, corner) > 0.0F) {
                return false;
            }
        }
        return true;
    }

    int emittingNeighbours(std::size_t i) const {
        int emitting = 0;
        for (std::uint32_t face = 0; face < 6; ++face) {
            const std::optional<std::uint64_t> index = attributeIndexAt(octree_, neighbourOf(voxels_[i].voxel, face));
            if (index) {
                const std::uint32_t number = shared::unpackAttributes(octree_.attributes[*index]).material;
                const std::uint32_t entry = paletteIndex(octree_, *index, number);
                emitting += octree_.palette[entry].emission != glm::vec3(0.0F) ? 1 : 0;
            }
        }
        return emitting;
    }

    /// The area of a thin wall, of whose sheets one side each is seen.
    double oneSidedArea(std::size_t i) const {
        const shared::VoxelSurface surface = shared::unpackAttributes(octree_.attributes[voxels_[i].attributes]);
        return double{areas_[i].area} * (surface.doubleSided != 0 && surface.spread <= kOneWall ? 0.5 : 1.0);
    }

    const Octree& octree_;
    std::span<const EmissiveVoxel> voxels_;
    std::span<const EmittingArea> areas_;
    const std::vector<bool>& unlit_;
    bool isAsset_;
    std::vector<Seen> seen_;
    Factors factors_;
};

/// Where voxels are among those in the order of attributes.
std::vector<std::size_t> placesOf(std::span<const EmissiveVoxel> voxels, std::span<const EmissiveVoxel> inOrder) {
    std::vector<std::size_t> places(voxels.size());
    parallelFor(static_cast<std::int64_t>(voxels.size()), kVoxelsAtOnce, [&](std::int64_t i) {
        const auto index = static_cast<std::size_t>(i);
        const auto place = std::lower_bound(
            inOrder.begin(), inOrder.end(), voxels[index],
            [](const EmissiveVoxel& a, const EmissiveVoxel& b) { return a.attributes < b.attributes; });
        places[index] = static_cast<std::size_t>(place - inOrder.begin());
    });
    return places;
}

} // namespace

void matchLamps(Octree& octree, std::span<const EmissiveVoxel> voxels, std::span<const EmittingArea> areas,
                const std::vector<bool>& unlit, bool isAsset) {
    if (voxels.size() != areas.size()) {
        fail(ExitCode::Internal, "octree: {} emissive voxels but {} areas", voxels.size(), areas.size());
    }
    if (voxels.empty()) {
        return;
    }
    std::optional<TraceSpan> span(std::in_place, "join lamps");
    const SlicedVoxels sliced = sortBySlice(octree.levels, voxels);
    const std::vector<std::vector<std::uint32_t>> lamps =
        joinLamps(sliced, std::vector<std::uint32_t>(octree.palette.size())); // a lamp may be of any materials
    span.emplace("match lamps");
    const std::vector<std::size_t> places = placesOf(sliced.voxels, voxels);
    LampMatcher matcher(octree, voxels, areas, unlit, isAsset);
    parallelFor(static_cast<std::int64_t>(lamps.size()), 1, [&](std::int64_t i) {
        std::vector<std::size_t> own;
        for (const std::uint32_t voxel : lamps[static_cast<std::size_t>(i)]) {
            own.push_back(places[voxel]);
        }
        matcher.match(own);
    });
    span.emplace("multiply emissions");
    const Factors& factors = matcher.factors();
    if (std::any_of(factors.begin(), factors.end(), [](float factor) { return factor != 1.0F; })) {
        multiplyEmissions(octree, voxels, factors);
    }
}

} // namespace aureole
