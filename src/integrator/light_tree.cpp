#include "integrator/light_tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/math.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

constexpr std::size_t kBins = 16;
constexpr std::uint32_t kDeepest = 32; // the bits of a trail
/// A branch is left to a single core where it has at most so many lights, or at most one in kPartsOfCores of all
/// lights.
constexpr std::size_t kLeastOfCore = 1024;
constexpr std::size_t kPartsOfCores = 256;
/// Margins of the bounds: a cone is widened because packing moves its axis, and a ball because of rounding.
constexpr double kConeMargin = 2e-3;
constexpr double kBallMargin = 1e-6;

/// The bounds of some lights, and the sum of their intensities.
struct Extent {
    glm::dvec3 low{std::numeric_limits<double>::max()};
    glm::dvec3 high{std::numeric_limits<double>::lowest()};
    double intensity = 0.0;

    void add(const Extent& other) {
        low = glm::min(low, other.low);
        high = glm::max(high, other.high);
        intensity += other.intensity;
    }
    /// The cost of a branch in the choice of a split: its intensity times the squared diagonal of its bounds.
    double cost() const { return intensity > 0.0 ? intensity * glm::dot(high - low, high - low) : 0.0; }
};

Extent extentOf(const PlacedLight& light) {
    const glm::dvec3 middle(light.middle);
    return {middle - double{light.radius}, middle + double{light.radius}, light.intensity};
}

class TreeBuilder {
public:
    explicit TreeBuilder(std::span<const PlacedLight> lights)
        : lights_(lights)
        , order_(lights.size()) {
        std::iota(order_.begin(), order_.end(), 0U);
        tree_.trails.resize(lights.size());
        tree_.nodes.resize(2 * (lights.size() - 1));
        const Part all{order_, 0, 0, 0};
        tree_.root = childOf(all);
        for (std::vector<Part> level = {all}; !level.empty();) {
            level = buildLevel(level);
        }
    }

    LightTree take() { return std::move(tree_); }

private:
    using Order = std::span<std::uint32_t>;

    /// The lights below a node, and where the nodes below it are stored.
    struct Part {
        Order order;
        std::uint32_t pair = 0; ///< the first of its two children, behind which all others below it stand
        std::uint32_t depth = 0;
        std::uint32_t trail = 0;
    };

    /// Splits those parts of a level that have many lights, side by side, and builds the rest whole. Returns the parts
    /// of the next level.
    std::vector<Part> buildLevel(const std::vector<Part>& level) {
        const std::size_t few = std::max(kLeastOfCore, order_.size() / kPartsOfCores);
        std::vector<std::array<Part, 2>> split(level.size());
        parallelFor(static_cast<std::int64_t>(level.size()), 1, [&](std::int64_t i) {
            const Part& part = level[static_cast<std::size_t>(i)];
            if (part.order.size() > few) {
                split[static_cast<std::size_t>(i)] = splitPart(part);
            } else {
                build(part);
            }
        });
        std::vector<Part> next;
        for (const std::array<Part, 2>& sides : split) {
            std::copy_if(sides.begin(), sides.end(), std::back_inserter(next),
                         [](const Part& side) { return !side.order.empty(); });
        }
        return next;
    }

    void build(const Part& part) {
        if (part.order.size() > 1) {
            for (const Part& side : splitPart(part)) {
                build(side);
            }
        }
    }

    /// Stores the nodes of both sides of a part of several lights.
    std::array<Part, 2> splitPart(const Part& all) {
        const auto [order, pair, depth, trail] = all;
        // As deep as an even split of the rest allows, lights may be parted unevenly.
        const auto least = static_cast<std::uint32_t>(std::bit_width(order.size() - 1));
        std::size_t first = depth + least < kDeepest ? partition(order) : 0;
        first = first > 0 ? first : order.size() / 2;
        const std::array<Part, 2> sides = {
            {{order.first(first), pair + 2, depth + 1, trail},
             {order.subspan(first), static_cast<std::uint32_t>(pair + 2 * first), depth + 1, trail | 1U << depth}}};
        for (std::uint32_t side = 0; side < 2; ++side) {
            shared::LightNode node = boundsOf(sides[side].order);
            node.child = childOf(sides[side]);
            tree_.nodes[pair + side] = node;
        }
        return sides;
    }

    /// The `child` of the node above a part.
    std::uint32_t childOf(const Part& part) {
        if (part.order.size() > 1) {
            return part.pair;
        }
        const std::uint32_t light = part.order[0];
        tree_.trails[light] = part.trail;
        return LIGHT_LEAF | lights_[light].leaf;
    }

    /// Parts lights into two groups at the best of some planes across the axis along which they lie farthest apart.
    /// Returns the size of the first, or 0 where all are at one place.
    std::size_t partition(Order order) const {
        glm::dvec3 low(lights_[order[0]].middle);
        glm::dvec3 high = low;
        for (const std::uint32_t i : order) {
            low = glm::min(low, glm::dvec3(lights_[i].middle));
            high = glm::max(high, glm::dvec3(lights_[i].middle));
        }
        const glm::dvec3 size = high - low;
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        if (size[axis] <= 0.0) {
            return 0;
        }
        const auto binOf = [&](std::uint32_t i) {
            const double place = (double{lights_[i].middle[axis]} - low[axis]) / size[axis];
            return std::min(static_cast<std::size_t>(place * kBins), kBins - 1);
        };
        std::array<Extent, kBins> bins;
        for (const std::uint32_t i : order) {
            bins[binOf(i)].add(extentOf(lights_[i]));
        }
        const std::size_t best = bestPlane(bins);
        const auto middle =
            std::stable_partition(order.begin(), order.end(), [&](std::uint32_t i) { return binOf(i) < best; });
        return static_cast<std::size_t>(middle - order.begin());
    }

    /// The number of bins on the first side of the plane that makes both sides cost least. The first and the last bin
    /// have lights.
    static std::size_t bestPlane(const std::array<Extent, kBins>& bins) {
        std::array<double, kBins> costs{};
        Extent below;
        for (std::size_t i = 1; i < kBins; ++i) {
            below.add(bins[i - 1]);
            costs[i] += below.cost();
        }
        Extent above;
        for (std::size_t i = kBins - 1; i > 0; --i) {
            above.add(bins[i]);
            costs[i] += above.cost();
        }
        return static_cast<std::size_t>(std::min_element(costs.begin() + 1, costs.end()) - costs.begin());
    }

    shared::LightNode boundsOf(Order order) const {
        glm::dvec3 middle(0.0);
        glm::dvec3 axis(0.0);
        double intensity = 0.0;
        for (const std::uint32_t i : order) {
            const PlacedLight& light = lights_[i];
            intensity += light.intensity;
            // The intensities of very faint lamps may add up to 0; the middle may then be anywhere among them.
            middle += (glm::dvec3(light.middle) - middle) * (intensity > 0.0 ? light.intensity / intensity : 1.0);
            axis += light.intensity * glm::dvec3(light.axis);
        }
        axis = glm::dot(axis, axis) > 0.0 ? glm::normalize(axis) : glm::dvec3(0.0, 1.0, 0.0);
        shared::LightNode node{};
        node.middle = glm::vec3(middle);
        node.intensity = static_cast<float>(intensity);
        node.axis = shared::packNormal(glm::vec3(axis));
        double radius = 0.0;
        double cone = 0.0;
        for (const std::uint32_t i : order) {
            const PlacedLight& light = lights_[i];
            radius = std::max(radius,
                              glm::distance(glm::dvec3(light.middle), glm::dvec3(node.middle)) + double{light.radius});
            if (cone < kPi) { // else it is as wide as can be, as that of boxes is
                const double turned = std::acos(std::clamp(glm::dot(axis, glm::dvec3(light.axis)), -1.0, 1.0));
                cone = std::max(cone, light.cone < kPi ? turned + light.cone : light.cone);
            }
        }
        // That of a point stays 0, so that its importance is exact.
        node.radius = radius > 0.0 ? static_cast<float>(radius * (1.0 + kBallMargin)) : 0.0F;
        cone += kConeMargin;
        node.cosCone = cone < kPi ? static_cast<float>(std::cos(cone)) : -2.0F;
        return node;
    }

    std::span<const PlacedLight> lights_;
    std::vector<std::uint32_t> order_;
    LightTree tree_;
};

} // namespace

LightTree makeLightTree(std::span<const PlacedLight> lights) {
    return TreeBuilder(lights).take();
}

void shine(PlacedLight& light, double power, const glm::vec3& facing) {
    // A convex body shows a quarter of its surface on the mean (Cauchy), and what looks one way half of it, from there.
    if (facing == glm::vec3(0.0F)) {
        light.intensity = 0.25 * power;
        return;
    }
    light.intensity = 0.5 * power;
    light.axis = facing;
    light.cone = 0.5 * kPi;
}

std::vector<PlacedLight> placedBoxes(std::span<const shared::EmitterBox> boxes, std::span<const glm::vec3> facings,
                                     double voxelSize) {
    std::vector<PlacedLight> lights;
    lights.reserve(boxes.size());
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        PlacedLight& light = lights.emplace_back();
        light.middle = boxes[i].middle;
        light.radius = glm::length(boxes[i].halves);
        shine(light, double{boxes[i].power} * voxelSize * voxelSize, facings[i]);
        light.leaf = LIGHT_LEAF_BOX | i;
    }
    return lights;
}

} // namespace aureole
