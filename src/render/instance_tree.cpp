#include "render/instance_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace aureole {

namespace {

constexpr std::size_t kBins = 16;
/// By how much a box is larger than what is in it, as a share of the coordinates: what rays round away.
constexpr float kMargin = 4e-7F;

float below(double x) {
    const auto rounded = static_cast<float>(x);
    return rounded - kMargin * (std::abs(rounded) + 1.0F);
}

float above(double x) {
    return -below(-x);
}

double areaOf(const Bounds& box) {
    const glm::dvec3 size = box.extent();
    return box.empty() ? 0.0 : size.x * size.y + size.y * size.z + size.z * size.x;
}

/// The instances of `order` from `first` up to `end`, to be put below a node.
struct Range {
    std::uint32_t node = 0;
    std::uint32_t first = 0;
    std::uint32_t end = 0;
};

class TreeMaker {
public:
    explicit TreeMaker(std::span<const Bounds> boxes)
        : boxes_(boxes)
        , order_(boxes.size()) {
        std::iota(order_.begin(), order_.end(), 0U);
        middles_.reserve(boxes.size());
        for (const Bounds& box : boxes) {
            middles_.push_back(0.5 * (box.min + box.max));
        }
        nodes_.reserve(2 * boxes.size());
        nodes_.resize(1);
        std::fill(std::begin(nodes_[0].past), std::end(nodes_[0].past), INSTANCES_DONE);
    }

    std::vector<shared::InstanceNode> make() {
        std::vector<Range> waiting = {{0, 0, static_cast<std::uint32_t>(order_.size())}};
        while (!waiting.empty()) {
            const Range range = waiting.back();
            waiting.pop_back();
            setBox(range);
            if (range.end - range.first == 1) {
                nodes_[range.node].child = INSTANCE_LEAF | order_[range.first];
                continue;
            }
            int axis = 0;
            const std::uint32_t middle = split(range, axis);
            if (nodes_.size() == 1) {
                nodes_.resize(2); // pairs begin at even places, in a line of the cache
            }
            const auto pair = static_cast<std::uint32_t>(nodes_.size());
            nodes_.resize(nodes_.size() + 2);
            nodes_[range.node].child = pair | static_cast<std::uint32_t>(axis) << INSTANCE_AXIS_SHIFT;
            link(range.node, pair, axis);
            waiting.push_back({pair, range.first, middle});
            waiting.push_back({pair + 1, middle, range.end});
        }
        return std::move(nodes_);
    }

private:
    void setBox(const Range& range) {
        Bounds bounds;
        for (std::uint32_t i = range.first; i < range.end; ++i) {
            bounds.add(boxes_[order_[i]]);
        }
        shared::InstanceNode& node = nodes_[range.node];
        node.low = {below(bounds.min.x), below(bounds.min.y), below(bounds.min.z)};
        node.high = {above(bounds.max.x), above(bounds.max.y), above(bounds.max.z)};
    }

    /// Says where rays go on behind the two children of a node.
    void link(std::uint32_t parent, std::uint32_t pair, int axis) {
        for (std::uint32_t octant = 0; octant < 8; ++octant) {
            const std::uint32_t nearer = pair + ((octant >> static_cast<unsigned>(axis)) & 1U);
            const std::uint32_t farther = nearer ^ 1U;
            nodes_[nearer].past[octant] = farther;
            nodes_[farther].past[octant] = nodes_[parent].past[octant];
        }
    }

    /// Parts a range in two across the axis along which middles lie farthest apart. Returns where the second begins.
    std::uint32_t split(const Range& range, int& axis) {
        Bounds spread;
        for (std::uint32_t i = range.first; i < range.end; ++i) {
            spread.add(middles_[order_[i]]);
        }
        const glm::dvec3 size = spread.extent();
        axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        if (!(size[axis] > 0.0)) {
            return range.first + (range.end - range.first) / 2;
        }
        const auto binOf = [&](std::uint32_t i) {
            const double place = (middles_[i][axis] - spread.min[axis]) / size[axis];
            return std::min(static_cast<std::size_t>(place * kBins), kBins - 1);
        };
        const std::size_t plane = bestPlane(range, binOf);
        const auto begin = order_.begin();
        const auto middle = std::stable_partition(begin + range.first, begin + range.end,
                                                  [&](std::uint32_t i) { return binOf(i) < plane; });
        return static_cast<std::uint32_t>(middle - begin);
    }

    /// The number of bins on the first side of the plane of least cost. The first and the last bin are not empty.
    template <typename BinOf>
    std::size_t bestPlane(const Range& range, const BinOf& binOf) const {
        std::array<Bounds, kBins> bins;
        std::array<double, kBins> counts{};
        for (std::uint32_t i = range.first; i < range.end; ++i) {
            const std::size_t bin = binOf(order_[i]);
            bins[bin].add(boxes_[order_[i]]);
            counts[bin] += 1.0;
        }
        std::array<double, kBins> costs{};
        Bounds box;
        double count = 0.0;
        for (std::size_t i = 1; i < kBins; ++i) {
            box.add(bins[i - 1]);
            count += counts[i - 1];
            costs[i] += areaOf(box) * count;
        }
        box = {};
        count = 0.0;
        for (std::size_t i = kBins - 1; i > 0; --i) {
            box.add(bins[i]);
            count += counts[i];
            costs[i] += areaOf(box) * count;
        }
        return static_cast<std::size_t>(std::min_element(costs.begin() + 1, costs.end()) - costs.begin());
    }

    std::span<const Bounds> boxes_;
    std::vector<std::uint32_t> order_;
    std::vector<glm::dvec3> middles_;
    std::vector<shared::InstanceNode> nodes_;
};

} // namespace

std::vector<shared::InstanceNode> makeInstanceTree(std::span<const Bounds> boxes) {
    return TreeMaker(boxes).make();
}

} // namespace aureole
