#include "voxel/tree/box_fit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/threads/parallel.h"
#include "shared/octree/attributes.h"

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

/// What `add(sum, i)` makes of `none` for all i below `count`. Large counts are shared out, and what each share makes
/// is joined by `join(sum, other)`, in order: the result is the same for every number of threads.
template <typename Sum, typename Add, typename Join>
Sum sumOver(std::size_t count, const Sum& none, const Add& add, const Join& join) {
    std::vector<Sum> sums(std::max<std::size_t>((count + kPartAtOnce - 1) / kPartAtOnce, 1), none);
    parallelFor(static_cast<std::int64_t>(sums.size()), 1, [&](std::int64_t chunk) {
        const std::size_t first = static_cast<std::size_t>(chunk) * kPartAtOnce;
        Sum& sum = sums[static_cast<std::size_t>(chunk)];
        for (std::size_t i = first; i < std::min(first + kPartAtOnce, count); ++i) {
            add(sum, i);
        }
    });
    for (std::size_t i = 1; i < sums.size(); ++i) {
        join(sums[0], sums[i]);
    }
    return std::move(sums[0]);
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

/// The commonest direction of the normals of some voxels, whichever way they point; 0 where there is none.
glm::vec3 commonestLine(const LampShapes& shapes, std::span<const std::uint32_t> part) {
    using Counts = std::array<std::uint32_t, std::size_t{3} * kNormalCells * kNormalCells>;
    const auto isKnown = [](const glm::vec3& normal) { return normal != glm::vec3(0.0F); };
    const Counts counts = sumOver(
        part.size(), Counts{},
        [&](Counts& sum, std::size_t i) {
            const glm::vec3& normal = shapes.normal(part[i]);
            sum[isKnown(normal) ? cellOfLine(lineOf(normal)) : 0] += isKnown(normal) ? 1 : 0;
        },
        [](Counts& sum, const Counts& other) {
            std::transform(sum.begin(), sum.end(), other.begin(), sum.begin(), std::plus<>());
        });
    const auto most = static_cast<std::uint32_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    const auto join = [](glm::dvec3& sum, const glm::dvec3& other) { sum += other; };
    const glm::dvec3 inCell = sumOver(
        part.size(), glm::dvec3(0.0),
        [&](glm::dvec3& sum, std::size_t i) {
            const glm::vec3& normal = shapes.normal(part[i]);
            if (isKnown(normal) && cellOfLine(lineOf(normal)) == most) {
                sum += lineOf(normal);
            }
        },
        join);
    if (inCell == glm::dvec3(0.0)) {
        return glm::vec3(0.0F);
    }
    const glm::dvec3 middle = glm::normalize(inCell);
    const glm::dvec3 near = sumOver(
        part.size(), glm::dvec3(0.0),
        [&](glm::dvec3& sum, std::size_t i) {
            const glm::dvec3 normal(shapes.normal(part[i]));
            const double cosine = glm::dot(middle, normal);
            if (std::abs(cosine) > 0.98) {
                sum += normal * (cosine < 0.0 ? -1.0 : 1.0);
            }
        },
        join);
    return glm::vec3(glm::normalize(near));
}

void joinExtents(Extent& extent, const Extent& other) {
    extent.add(other);
}

void addCornersAlong(const LampShapes& shapes, std::uint32_t voxel, const glm::mat3& axes, Extent& extent) {
    for (const glm::vec3& corner : shapes.corners(voxel)) {
        extent.add(corner * axes);
    }
}

Extent extentAlong(const LampShapes& shapes, std::span<const std::uint32_t> part, const glm::mat3& axes) {
    return sumOver(
        part.size(), Extent{}, [&](Extent& extent, std::size_t i) { addCornersAlong(shapes, part[i], axes, extent); },
        joinExtents);
}

constexpr std::size_t kStrips = 256;
constexpr std::size_t kDirections = 32;
/// All corners of so few voxels are taken: strips would not leave fewer.
constexpr std::size_t kFewVoxels = 32;

/// The lowest and the highest points of the strips that points of a plane lie in.
struct Strips {
    std::array<glm::vec2, kStrips> lowest{};
    std::array<glm::vec2, kStrips> highest{};

    Strips() {
        lowest.fill(glm::vec2(kInfinity));
        highest.fill(glm::vec2(-kInfinity));
    }
    void add(std::size_t strip, const glm::vec2& low, const glm::vec2& high) {
        lowest[strip] = low.y < lowest[strip].y ? low : lowest[strip];
        highest[strip] = high.y > highest[strip].y ? high : highest[strip];
    }
};

/// Of corners, seen in the plane of u and v, points among which are those, or next to them, that are the farthest in
/// any direction: the lowest and the highest of each of some strips.
std::vector<glm::vec2> outermost(const LampShapes& shapes, std::span<const std::uint32_t> part, const glm::vec3& u,
                                 const glm::vec3& v) {
    std::vector<glm::vec2> found;
    if (part.size() <= kFewVoxels) {
        for (const std::uint32_t voxel : part) {
            for (const glm::vec3& corner : shapes.corners(voxel)) {
                found.emplace_back(glm::dot(corner, u), glm::dot(corner, v));
            }
        }
        return found;
    }
    const Extent along = extentAlong(shapes, part, glm::mat3(u, v, glm::vec3(0.0F)));
    const float perStrip = static_cast<float>(kStrips) / std::max(along.high.x - along.low.x, 1e-6F);
    const Strips strips = sumOver(
        part.size(), Strips{},
        [&](Strips& sum, std::size_t i) {
            for (const glm::vec3& corner : shapes.corners(part[i])) {
                const glm::vec2 place(glm::dot(corner, u), glm::dot(corner, v));
                const auto strip = static_cast<std::size_t>(std::max(place.x - along.low.x, 0.0F) * perStrip);
                sum.add(std::min(strip, kStrips - 1), place, place);
            }
        },
        [](Strips& sum, const Strips& other) {
            for (std::size_t i = 0; i < kStrips; ++i) {
                sum.add(i, other.lowest[i], other.highest[i]);
            }
        });
    for (std::size_t i = 0; i < kStrips; ++i) {
        if (strips.highest[i].x > -kInfinity) {
            found.insert(found.end(), {strips.lowest[i], strips.highest[i]});
        }
    }
    return found;
}

/// The points that are the farthest in some directions, once around, each once.
std::vector<glm::vec2> farthest(std::span<const glm::vec2> points) {
    static const std::array<glm::vec2, 2 * kDirections> kAround = [] {
        std::array<glm::vec2, 2 * kDirections> around{};
        for (std::size_t k = 0; k < around.size(); ++k) {
            const double angle = kPi * static_cast<double>(k) / kDirections;
            around[k] = glm::vec2(std::cos(angle), std::sin(angle));
        }
        return around;
    }();
    std::vector<glm::vec2> hull;
    for (const glm::vec2& direction : kAround) {
        const glm::vec2 point =
            *std::max_element(points.begin(), points.end(), [&](const glm::vec2& a, const glm::vec2& b) {
                return glm::dot(a, direction) < glm::dot(b, direction);
            });
        if (hull.empty() || point != hull.back()) {
            hull.push_back(point);
        }
    }
    return hull;
}

/// The axes about `normal` for which the rectangle around all points is least: along an edge of their convex hull, of
/// which the points that are the farthest in some directions are taken.
glm::mat3 axesAbout(const glm::vec3& normal, const LampShapes& shapes, std::span<const std::uint32_t> part) {
    glm::vec3 u;
    glm::vec3 v;
    shared::normalFrame(normal, u, v);
    const std::vector<glm::vec2> hull = farthest(outermost(shapes, part, u, v));
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

    void add(const Silhouette& other) {
        std::transform(covered_.begin(), covered_.end(), other.covered_.begin(), covered_.begin(), std::bit_or<>());
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

/// What of some voxels lies where, and how it glows.
struct Bin {
    Extent extent;
    Glow glow;

    void add(const Bin& other) {
        extent.add(other.extent);
        glow.add(other.glow);
    }
    double cost() const { return double{extent.surface()} * glow.weighted(); }
};

struct Split {
    double cost = std::numeric_limits<double>::infinity(); ///< of both parts
    int axis = 0;
    std::size_t bin = 0; ///< the first one of the second part
};

/// The bin of a voxel by its middle.
std::size_t binOf(const glm::vec3& middle, const FittedBox& box, int axis) {
    const float size = std::max(box.high[axis] - box.low[axis], 1e-6F);
    const float share = (glm::dot(box.axes[axis], middle) - box.low[axis]) / size;
    return std::min(static_cast<std::size_t>(std::max(share, 0.0F) * kBins), kBins - 1);
}

Split bestSplit(const std::array<Bin, kBins>& bins, int axis) {
    std::array<double, kBins> before{};
    Bin below;
    for (std::size_t i = 0; i + 1 < kBins; ++i) {
        below.add(bins[i]);
        before[i + 1] = below.cost();
    }
    Split best;
    Bin above;
    for (std::size_t i = kBins - 1; i > 0; --i) {
        above.add(bins[i]);
        const double cost = before[i] + above.cost();
        if (before[i] > 0.0 && above.cost() > 0.0 && cost < best.cost) {
            best = {cost, axis, i};
        }
    }
    return best;
}

} // namespace

float FittedBox::surface() const {
    return Extent{low, high}.surface();
}

FittedBox fitBox(const LampShapes& shapes, std::span<const std::uint32_t> part) {
    const Extent along = extentAlong(shapes, part, glm::mat3(1.0F));
    FittedBox box{glm::mat3(1.0F), along.low, along.high};
    const glm::vec3 normal = commonestLine(shapes, part);
    if (normal != glm::vec3(0.0F)) {
        const glm::mat3 axes = axesAbout(normal, shapes, part);
        const Extent turned = extentAlong(shapes, part, axes);
        if (turned.surface() < 0.98F * along.surface()) {
            box = {axes, turned.low, turned.high};
        }
    }
    return box;
}

float coveredShare(const LampShapes& shapes, std::span<const std::uint32_t> part, const FittedBox& box) {
    using Sides = std::array<Silhouette, 3>;
    const Sides sides = sumOver(
        part.size(), Sides{Silhouette(box, 0), Silhouette(box, 1), Silhouette(box, 2)},
        [&](Sides& sum, std::size_t i) {
            const std::span<const glm::vec3> corners = shapes.corners(part[i]);
            glm::vec3 middle(0.0F);
            for (const glm::vec3& corner : corners) {
                middle += corner;
            }
            middle = middle / static_cast<float>(corners.size()) * box.axes;
            for (Silhouette& side : sum) {
                side.add(middle);
            }
            for (const glm::vec3& corner : corners) {
                const glm::vec3 place = corner * box.axes;
                for (Silhouette& side : sum) {
                    side.add(place);
                    side.add(0.5F * (place + middle));
                }
            }
        },
        [](Sides& sum, const Sides& other) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                sum[axis].add(other[axis]);
            }
        });
    float covered = 0.0F;
    float all = 0.0F;
    for (const Silhouette& side : sides) {
        covered += side.share() * side.area();
        all += side.area();
    }
    return all > 0.0F ? covered / all : 1.0F;
}

Glow glowOf(const LampShapes& shapes, std::span<const std::uint32_t> part) {
    return sumOver(
        part.size(), Glow{}, [&](Glow& sum, std::size_t i) { sum.add(shapes.luminance(part[i])); },
        [](Glow& sum, const Glow& other) { sum.add(other); });
}

std::size_t splitBox(const LampShapes& shapes, std::span<std::uint32_t> part, const FittedBox& box) {
    using Bins = std::array<std::array<Bin, kBins>, 3>;
    const Bins bins = sumOver(
        part.size(), Bins{},
        [&](Bins& sum, std::size_t i) {
            Bin own;
            own.glow.add(shapes.luminance(part[i]));
            addCornersAlong(shapes, part[i], box.axes, own.extent);
            for (int axis = 0; axis < 3; ++axis) {
                sum[static_cast<std::size_t>(axis)][binOf(shapes.middle(part[i]), box, axis)].add(own);
            }
        },
        [](Bins& sum, const Bins& other) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                for (std::size_t bin = 0; bin < kBins; ++bin) {
                    sum[axis][bin].add(other[axis][bin]);
                }
            }
        });
    Split best;
    for (int axis = 0; axis < 3; ++axis) {
        const Split own = bestSplit(bins[static_cast<std::size_t>(axis)], axis);
        best = own.cost < best.cost ? own : best;
    }
    if (best.bin == 0) {
        return 0;
    }
    const auto middle = std::stable_partition(part.begin(), part.end(), [&](std::uint32_t voxel) {
        return binOf(shapes.middle(voxel), box, best.axis) < best.bin;
    });
    return static_cast<std::size_t>(middle - part.begin());
}

} // namespace aureole
