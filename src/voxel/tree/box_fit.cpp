#include "voxel/tree/box_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "shared/octree/attributes.h"
#include "shared/octree/field.h"
#include "shared/octree/slab.h"

namespace aureole {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Bounds along some axes.
struct Extent {
    glm::vec3 low{kInfinity};
    glm::vec3 high{-kInfinity};

    void add(const glm::vec3& point) {
        low = glm::min(low, point);
        high = glm::max(high, point);
    }
    void add(const Extent& other) {
        low = glm::min(low, other.low);
        high = glm::max(high, other.high);
    }
    float surface() const {
        const glm::vec3 size = high - low;
        return size.x < 0.0F ? 0.0F : 2.0F * (size.x * size.y + size.y * size.z + size.z * size.x);
    }
};

glm::vec3 cornerOf(std::uint32_t corner) {
    return {static_cast<float>(corner & 1U), static_cast<float>((corner >> 1U) & 1U), static_cast<float>(corner >> 2U)};
}

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
            for (const float level : {low, high}) {
                if ((from < level && to > level) || (from > level && to < level)) {
                    const float share = (level - from) / (to - from);
                    shape.points[shape.count++] = glm::mix(cornerOf(i), cornerOf(i | axis), share);
                }
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

void addField(const shared::CornerDistances& corners, VoxelShape& shape) {
    std::array<float, 8> values{};
    for (std::uint32_t i = 0; i < 8; ++i) {
        values[i] = shared::fieldValue(corners, i);
    }
    addCorners(values, 0.0F, 0.0F, shape);
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

/// The area of the convex polygon with the corners of a shape, which are about in a plane.
double polygonArea(const VoxelShape& shape) {
    if (shape.count < 3 || shape.normal == glm::vec3(0.0F)) {
        return 0.0;
    }
    glm::vec3 u;
    glm::vec3 v;
    shared::normalFrame(glm::normalize(shape.normal), u, v);
    std::array<glm::dvec2, 32> corners{};
    glm::dvec2 middle(0.0);
    for (std::uint32_t i = 0; i < shape.count; ++i) {
        corners[i] = glm::dvec2(glm::dot(shape.points[i], u), glm::dot(shape.points[i], v));
        middle += corners[i] / static_cast<double>(shape.count);
    }
    std::sort(corners.begin(), corners.begin() + shape.count, [&](const glm::dvec2& a, const glm::dvec2& b) {
        return std::atan2(a.y - middle.y, a.x - middle.x) < std::atan2(b.y - middle.y, b.x - middle.x);
    });
    double twice = 0.0;
    for (std::uint32_t i = 0; i < shape.count; ++i) {
        const glm::dvec2 a = corners[i] - middle;
        const glm::dvec2 b = corners[(i + 1) % shape.count] - middle;
        twice += a.x * b.y - a.y * b.x;
    }
    return 0.5 * twice;
}

/// The direction of a line, the same for both of its ends: its largest component is above 0.
glm::vec3 lineOf(const glm::vec3& normal) {
    const glm::vec3 size = glm::abs(normal);
    const float largest = size.x >= size.y && size.x >= size.z ? normal.x : size.y >= size.z ? normal.y : normal.z;
    return largest < 0.0F ? -normal : normal;
}

constexpr std::uint32_t kNormalCells = 12;

/// Lines by the face of a cube that they go through, and a cell of that.
std::uint32_t cellOfLine(const glm::vec3& line) {
    const glm::vec3 size = glm::abs(line);
    const std::uint32_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const auto cell = [&](float along) {
        const float place = (along / line[static_cast<int>(axis)] + 1.0F) * (0.5F * kNormalCells);
        return std::min(static_cast<std::uint32_t>(std::max(place, 0.0F)), kNormalCells - 1);
    };
    const std::uint32_t first = cell(axis == 0 ? line.y : line.x);
    const std::uint32_t second = cell(axis == 2 ? line.y : line.z);
    return (axis * kNormalCells + first) * kNormalCells + second;
}

/// The commonest direction of some normals, whichever way they point; 0 where there is none.
glm::vec3 commonestLine(std::span<const glm::vec3> normals) {
    std::array<std::uint32_t, std::size_t{3} * kNormalCells * kNormalCells> counts{};
    for (const glm::vec3& normal : normals) {
        counts[cellOfLine(lineOf(normal))] += normal != glm::vec3(0.0F) ? 1 : 0;
    }
    const auto most = static_cast<std::uint32_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    glm::dvec3 sum(0.0);
    for (const glm::vec3& normal : normals) {
        if (normal != glm::vec3(0.0F) && cellOfLine(lineOf(normal)) == most) {
            sum += lineOf(normal);
        }
    }
    if (sum == glm::dvec3(0.0)) {
        return glm::vec3(0.0F);
    }
    const glm::dvec3 middle = glm::normalize(sum);
    sum = glm::dvec3(0.0);
    for (const glm::vec3& normal : normals) {
        const double cosine = glm::dot(middle, glm::dvec3(normal));
        if (std::abs(cosine) > 0.98) {
            sum += glm::dvec3(normal) * (cosine < 0.0 ? -1.0 : 1.0);
        }
    }
    return glm::vec3(glm::normalize(sum));
}

Extent extentAlong(std::span<const glm::vec3> points, const glm::mat3& axes) {
    Extent extent;
    for (const glm::vec3& point : points) {
        extent.add(point * axes);
    }
    return extent;
}

constexpr std::size_t kStrips = 256;
constexpr std::size_t kDirections = 32;

/// Points of a plane among which are those, or next to them, that are the farthest in any direction: the lowest and the
/// highest of each of some strips.
std::vector<glm::vec2> outermost(std::span<const glm::vec3> points, const glm::vec3& u, const glm::vec3& v) {
    float low = kInfinity;
    float high = -kInfinity;
    for (const glm::vec3& point : points) {
        const float along = glm::dot(point, u);
        low = std::min(low, along);
        high = std::max(high, along);
    }
    const float perStrip = static_cast<float>(kStrips) / std::max(high - low, 1e-6F);
    std::array<glm::vec2, kStrips> lowest{};
    std::array<glm::vec2, kStrips> highest{};
    lowest.fill(glm::vec2(kInfinity));
    highest.fill(glm::vec2(-kInfinity));
    for (const glm::vec3& point : points) {
        const glm::vec2 place(glm::dot(point, u), glm::dot(point, v));
        const std::size_t strip = std::min(static_cast<std::size_t>((place.x - low) * perStrip), kStrips - 1);
        lowest[strip] = place.y < lowest[strip].y ? place : lowest[strip];
        highest[strip] = place.y > highest[strip].y ? place : highest[strip];
    }
    std::vector<glm::vec2> found;
    for (std::size_t i = 0; i < kStrips; ++i) {
        if (highest[i].x > -kInfinity) {
            found.insert(found.end(), {lowest[i], highest[i]});
        }
    }
    return found;
}

/// Those that are the farthest in some directions, once around.
std::array<glm::vec2, 2 * kDirections> farthest(std::span<const glm::vec2> points) {
    std::array<glm::vec2, 2 * kDirections> hull{};
    for (std::size_t k = 0; k < hull.size(); ++k) {
        const double angle = kPi * static_cast<double>(k) / kDirections;
        const glm::vec2 direction(std::cos(angle), std::sin(angle));
        hull[k] = *std::max_element(points.begin(), points.end(), [&](const glm::vec2& a, const glm::vec2& b) {
            return glm::dot(a, direction) < glm::dot(b, direction);
        });
    }
    return hull;
}

/// The axes about `normal` for which the rectangle around all points is least: along an edge of their convex hull, of
/// which the points that are the farthest in some directions are taken.
glm::mat3 axesAbout(const glm::vec3& normal, std::span<const glm::vec3> points) {
    glm::vec3 u;
    glm::vec3 v;
    shared::normalFrame(normal, u, v);
    const std::array<glm::vec2, 2 * kDirections> hull = farthest(outermost(points, u, v));
    glm::vec2 best(1.0F, 0.0F);
    float least = kInfinity;
    for (std::size_t k = 0; k < hull.size(); ++k) {
        const glm::vec2 edge = hull[(k + 1) % hull.size()] - hull[k];
        if (glm::length(edge) < 1.0F) {
            continue;
        }
        const glm::vec2 along = glm::normalize(edge);
        glm::vec2 low(kInfinity);
        glm::vec2 high(-kInfinity);
        for (const glm::vec2& point : hull) {
            const glm::vec2 turned(glm::dot(point, along), along.x * point.y - along.y * point.x);
            low = glm::min(low, turned);
            high = glm::max(high, turned);
        }
        const float area = (high.x - low.x) * (high.y - low.y);
        if (area < least) {
            least = area;
            best = along;
        }
    }
    const glm::vec3 first = glm::normalize(u * best.x + v * best.y);
    return {first, glm::normalize(glm::cross(normal, first)), normal};
}

/// Which cells of a side of a box are covered.
class Silhouette {
public:
    static constexpr std::uint32_t kMostCells = 64;

    Silhouette(const FittedBox& box, int axis)
        : u_(axis == 0 ? 1 : 0)
        , v_(axis == 2 ? 1 : 2)
        , low_(box.low[u_], box.low[v_]) {
        const glm::vec2 size(box.high[u_] - box.low[u_], box.high[v_] - box.low[v_]);
        cells_ = glm::uvec2(glm::clamp(glm::floor(size + 0.05F), glm::vec2(1.0F), glm::vec2(kMostCells)));
        perCell_ = glm::vec2(cells_) / glm::max(size, glm::vec2(1e-6F));
        area_ = size.x * size.y;
        covered_.resize(std::size_t{cells_.x} * cells_.y);
    }

    /// A point along the box's axes.
    void add(const glm::vec3& point) {
        const glm::vec2 place = (glm::vec2(point[u_], point[v_]) - low_) * perCell_;
        const glm::uvec2 cell = glm::min(glm::uvec2(glm::max(place, glm::vec2(0.0F))), cells_ - 1U);
        covered_[std::size_t{cell.y} * cells_.x + cell.x] = 1;
    }

    float area() const { return area_; }
    float share() const {
        return static_cast<float>(std::count(covered_.begin(), covered_.end(), 1)) /
               static_cast<float>(covered_.size());
    }

private:
    int u_;
    int v_;
    glm::vec2 low_;
    glm::uvec2 cells_{1};
    glm::vec2 perCell_{1.0F};
    float area_ = 0.0F;
    std::vector<char> covered_;
};

constexpr std::size_t kBins = 16;

struct Split {
    float surface = kInfinity; ///< of both parts' boxes
    int axis = 0;
    std::size_t bin = 0; ///< the first one of the second part
};

glm::vec3 middleOf(const EmissiveVoxel& voxel) {
    return glm::vec3(voxel.voxel) + 0.5F;
}

std::size_t binOf(const EmissiveVoxel& voxel, const FittedBox& box, int axis) {
    const float size = std::max(box.high[axis] - box.low[axis], 1e-6F);
    const float share = (glm::dot(box.axes[axis], middleOf(voxel)) - box.low[axis]) / size;
    return std::min(static_cast<std::size_t>(std::max(share, 0.0F) * kBins), kBins - 1);
}

Split bestSplit(const std::array<Extent, kBins>& bins, int axis) {
    std::array<float, kBins> before{};
    Extent below;
    for (std::size_t i = 0; i + 1 < kBins; ++i) {
        below.add(bins[i]);
        before[i + 1] = below.surface();
    }
    Split best;
    Extent above;
    for (std::size_t i = kBins - 1; i > 0; --i) {
        above.add(bins[i]);
        const float surface = before[i] + above.surface();
        if (before[i] > 0.0F && above.surface() > 0.0F && surface < best.surface) {
            best = {surface, axis, i};
        }
    }
    return best;
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
        shape.normal = shared::unpackAttributes(octree.attributes[voxel.attributes]).geometricNormal;
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

float FittedBox::surface() const {
    return Extent{low, high}.surface();
}

LampShapes::LampShapes(const Octree& octree, std::span<const EmissiveVoxel> voxels) {
    begins_.push_back(0);
    begins_.reserve(voxels.size() + 1);
    normals_.reserve(voxels.size());
    for (const EmissiveVoxel& voxel : voxels) {
        const VoxelShape shape = shapeOf(octree, voxel);
        points_.insert(points_.end(), shape.points.begin(), shape.points.begin() + shape.count);
        begins_.push_back(points_.size());
        normals_.push_back(shape.normal);
    }
}

FittedBox fitBox(const LampShapes& shapes) {
    const Extent along = extentAlong(shapes.points(), glm::mat3(1.0F));
    FittedBox box{glm::mat3(1.0F), along.low, along.high};
    const glm::vec3 normal = commonestLine(shapes.normals());
    if (normal != glm::vec3(0.0F)) {
        const glm::mat3 axes = axesAbout(normal, shapes.points());
        const Extent turned = extentAlong(shapes.points(), axes);
        if (turned.surface() < 0.98F * along.surface()) {
            box = {axes, turned.low, turned.high};
        }
    }
    return box;
}

float coveredShare(const LampShapes& shapes, const FittedBox& box) {
    std::array<Silhouette, 3> sides = {Silhouette(box, 0), Silhouette(box, 1), Silhouette(box, 2)};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::span<const glm::vec3> corners = shapes.corners(i);
        glm::vec3 middle(0.0F);
        for (const glm::vec3& corner : corners) {
            middle += corner;
        }
        middle = middle / static_cast<float>(corners.size()) * box.axes;
        for (Silhouette& side : sides) {
            side.add(middle);
        }
        for (const glm::vec3& corner : corners) {
            const glm::vec3 place = corner * box.axes;
            for (Silhouette& side : sides) {
                side.add(place);
                side.add(0.5F * (place + middle));
            }
        }
    }
    float covered = 0.0F;
    float all = 0.0F;
    for (const Silhouette& side : sides) {
        covered += side.share() * side.area();
        all += side.area();
    }
    return all > 0.0F ? covered / all : 1.0F;
}

std::size_t splitBox(std::span<EmissiveVoxel> voxels, const LampShapes& shapes, const FittedBox& box) {
    std::array<std::array<Extent, kBins>, 3> bins{};
    for (std::size_t i = 0; i < voxels.size(); ++i) {
        const Extent extent = extentAlong(shapes.corners(i), box.axes);
        for (int axis = 0; axis < 3; ++axis) {
            bins[static_cast<std::size_t>(axis)][binOf(voxels[i], box, axis)].add(extent);
        }
    }
    Split best;
    for (int axis = 0; axis < 3; ++axis) {
        const Split own = bestSplit(bins[static_cast<std::size_t>(axis)], axis);
        best = own.surface < best.surface ? own : best;
    }
    if (best.surface == kInfinity) {
        return 0;
    }
    const auto middle = std::stable_partition(voxels.begin(), voxels.end(), [&](const EmissiveVoxel& voxel) {
        return binOf(voxel, box, best.axis) < best.bin;
    });
    return static_cast<std::size_t>(middle - voxels.begin());
}

} // namespace aureole
