#include "voxel/export/colour_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/threads/parallel.h"

namespace aureole {

namespace {

constexpr int kMoves = 4; ///< rounds of Lloyd's algorithm; more change little

struct Cluster {
    std::vector<std::uint32_t> members;
    std::array<double, 5> mean{};
    std::size_t axis = 0; ///< of the largest variance
    double error = 0.0;   ///< sum of weighted squared distances to the mean
};

Cluster makeCluster(std::span<const ColourPoint> points, std::vector<std::uint32_t> members) {
    Cluster cluster;
    cluster.members = std::move(members);
    double weight = 0.0;
    for (const std::uint32_t i : cluster.members) {
        weight += points[i].weight;
        for (std::size_t axis = 0; axis < 5; ++axis) {
            cluster.mean[axis] += points[i].weight * points[i].at[axis];
        }
    }
    for (double& component : cluster.mean) {
        component /= weight;
    }
    std::array<double, 5> spread{};
    for (const std::uint32_t i : cluster.members) {
        for (std::size_t axis = 0; axis < 5; ++axis) {
            const double apart = points[i].at[axis] - cluster.mean[axis];
            spread[axis] += points[i].weight * apart * apart;
        }
    }
    cluster.axis = static_cast<std::size_t>(std::max_element(spread.begin(), spread.end()) - spread.begin());
    cluster.error = std::accumulate(spread.begin(), spread.end(), 0.0);
    return cluster;
}

/// Cuts a cluster in two; both parts have members, as its error is above 0.
void split(std::span<const ColourPoint> points, std::vector<Cluster>& clusters, std::size_t index) {
    std::vector<std::uint32_t> low = std::move(clusters[index].members);
    const std::size_t axis = clusters[index].axis;
    const double mean = clusters[index].mean[axis];
    const auto middle =
        std::partition(low.begin(), low.end(), [&](std::uint32_t i) { return points[i].at[axis] < mean; });
    std::vector<std::uint32_t> high(middle, low.end());
    low.erase(middle, low.end());
    if (low.empty() || high.empty()) { // members that differ by rounding only
        std::vector<std::uint32_t>& all = low.empty() ? high : low;
        clusters[index].members = std::move(all);
        clusters[index].error = 0.0;
        return;
    }
    clusters[index] = makeCluster(points, std::move(low));
    clusters.push_back(makeCluster(points, std::move(high)));
}

std::uint32_t nearest(const std::vector<Cluster>& clusters, std::span<const ColourPoint> points, std::size_t point) {
    double best = std::numeric_limits<double>::infinity();
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < clusters.size(); ++i) {
        if (clusters[i].members.empty() || points[clusters[i].members.front()].group != points[point].group) {
            continue;
        }
        const double distance = squaredDistance(clusters[i].mean, points[point].at);
        if (distance < best) {
            best = distance;
            found = i;
        }
    }
    return found;
}

} // namespace

glm::dvec3 oklab(const glm::dvec3& linear) {
    const double l = std::cbrt(0.4122214708 * linear.x + 0.5363325363 * linear.y + 0.0514459929 * linear.z);
    const double m = std::cbrt(0.2119034982 * linear.x + 0.6806995451 * linear.y + 0.1073969566 * linear.z);
    const double s = std::cbrt(0.0883024619 * linear.x + 0.2817188376 * linear.y + 0.6299787005 * linear.z);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

double squaredDistance(const std::array<double, 5>& a, const std::array<double, 5>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
}

std::vector<std::uint32_t> clusterColours(std::span<const ColourPoint> points, std::uint32_t most) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        groups[points[i].group].push_back(i);
    }
    std::vector<Cluster> clusters;
    clusters.reserve(groups.size());
    for (auto& [group, members] : groups) {
        clusters.push_back(makeCluster(points, std::move(members)));
    }
    while (clusters.size() < most) {
        const auto worst = std::max_element(clusters.begin(), clusters.end(),
                                            [](const Cluster& a, const Cluster& b) { return a.error < b.error; });
        if (worst == clusters.end() || !(worst->error > 0.0)) {
            break;
        }
        split(points, clusters, static_cast<std::size_t>(worst - clusters.begin()));
    }
    std::vector<std::uint32_t> assigned(points.size());
    for (int move = 0; move < kMoves; ++move) {
        parallelFor(static_cast<std::int64_t>(points.size()), 1024, [&](std::int64_t i) {
            const auto point = static_cast<std::size_t>(i);
            assigned[point] = nearest(clusters, points, point);
        });
        std::vector<std::vector<std::uint32_t>> members(clusters.size());
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            members[assigned[i]].push_back(i);
        }
        for (std::size_t i = 0; i < clusters.size(); ++i) {
            clusters[i] = members[i].empty() ? Cluster{} : makeCluster(points, std::move(members[i]));
        }
    }
    return assigned;
}

} // namespace aureole
