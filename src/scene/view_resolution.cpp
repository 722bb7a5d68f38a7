#include "scene/view_resolution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/threads/parallel.h"
#include "scene/animation.h"
#include "scene/nearest_visible.h"
#include "settings/limits.h"

namespace aureole {

namespace {

/// The voxels of what is out of sight may be so many times as wide as a pixel.
constexpr double kUnseenWidth = 4.0;

/// A conservative voxelisation has about so many voxels for each of the surface's area in voxels.
constexpr double kVoxelsPerArea = 2.0;

/// Bytes of a voxel with its share of leaves, nodes and averages, as measured; of planes, of a voxel that a cell stands
/// for.
double bytesPerVoxel(const VoxelSettings& voxels) {
    const double shape = voxels.surface == SurfaceKind::Field ? 10.0 : 2.0;
    const double surface = voxels.surface == SurfaceKind::Planes ? 8.0 : 14.0;
    return voxels.attributes == VoxelContent::None ? shape : shape + surface;
}

/// The largest factor by which a matrix makes a length longer: its largest singular value, as the root of the largest
/// eigenvalue of its square (Smith, "Eigenvalues of a symmetric 3 x 3 matrix", 1961).
double largestScale(const glm::dmat3& matrix) {
    const glm::dmat3 square = glm::transpose(matrix) * matrix;
    const double mean = (square[0][0] + square[1][1] + square[2][2]) / 3.0;
    const glm::dmat3 rest = square - glm::dmat3(mean);
    double sum = 0.0;
    for (glm::length_t i = 0; i < 3; ++i) {
        sum += glm::dot(rest[i], rest[i]);
    }
    const double spread = std::sqrt(sum / 6.0);
    if (!(spread > 1e-12 * mean)) {
        return std::sqrt(mean);
    }
    const double half = std::clamp(glm::determinant(rest / spread) / 2.0, -1.0, 1.0);
    return std::sqrt(mean + 2.0 * spread * std::cos(std::acos(half) / 3.0));
}

/// A camera of the scene at one frame.
struct Pose {
    Camera camera;
    std::string name; ///< for people
};

std::vector<Pose> posesOf(const Scene& scene) {
    std::vector<Pose> poses;
    for (std::uint32_t i = 0; i < scene.cameras.size(); ++i) {
        const Camera& camera = scene.cameras[i];
        const std::string name = fmt::format("camera '{}'", camera.name);
        poses.push_back({camera, name});
        for (std::uint32_t frame = 0;
             scene.animation && scene.animation->camera == i && frame < scene.animation->frames; ++frame) {
            if (!faultOfFrame(scene, frame)) { // which is refused where that frame is rendered
                poses.push_back({cameraAtFrame(scene, frame), fmt::format("{} in frame {}", name, frame)});
            }
        }
    }
    return poses;
}

/// What asks an octree for the smallest voxels.
struct Demand {
    double voxel = std::numeric_limits<double>::infinity(); ///< the width that is asked for, in the octree's space
    NearestPlace place;
    const SeenAsset* asset = nullptr; ///< null: nothing has any extent
    const Pose* pose = nullptr;
    bool isSeen = false;
};

/// What asks for the smallest voxels of some instances of an octree, which is placed or not as SeenOctree has it.
class SmallestDemand {
public:
    SmallestDemand(std::span<const SeenAsset> assets, bool isPlaced, const std::vector<Pose>& poses,
                   const glm::uvec2& size)
        : size_(size) {
        for (const SeenAsset& asset : assets) {
            if (!asset.bounds.empty()) {
                const double scale = isPlaced ? largestScale(glm::dmat3(asset.worldFromAsset)) : 1.0;
                for (const Pose& pose : poses) {
                    add(asset, scale, pose);
                }
            }
        }
    }

    const Demand& demand() const { return seen_.isSeen ? seen_ : unseen_; }

private:
    void add(const SeenAsset& asset, double scale, const Pose& pose) {
        const PlacedBox box{asset.bounds, asset.worldFromAsset};
        const NearestPlace any = nearestAnywhere(pose.camera, size_, box);
        if (pose.camera.projection != Projection::Orthographic && seen_.isSeen &&
            !mayBeNearer(pose.camera, any, scale)) {
            return;
        }
        if (const std::optional<NearestPlace> place = nearestVisible(pose.camera, size_, box)) {
            note({place->pixel / scale, *place, &asset, &pose, true}, seen_);
        } else if (!seen_.isSeen) {
            note({kUnseenWidth * any.pixel / scale, any, &asset, &pose, false}, unseen_);
        }
    }

    /// Whether what is this far away, perhaps at the edge of the picture, may ask for more than what is known.
    bool mayBeNearer(const Camera& camera, const NearestPlace& any, double scale) const {
        const double aspect = static_cast<double>(size_.x) / size_.y;
        const double slope = std::tan(glm::radians(camera.verticalFov) / 2.0);
        const double corner = std::sqrt(1.0 + slope * slope * (1.0 + aspect * aspect));
        const bool isFlat = camera.projection == Projection::Perspective && camera.apertureRadius == 0.0;
        return !isFlat || any.pixel / corner / scale < seen_.voxel;
    }

    static void note(const Demand& demand, Demand& most) {
        if (demand.voxel < most.voxel) {
            most = demand;
        }
    }

    glm::uvec2 size_;
    Demand seen_;
    Demand unseen_;
};

/// The longest side of an octree's grid.
double longestSide(const SeenOctree& octree) {
    Bounds bounds;
    for (const SeenAsset& asset : octree.assets) {
        bounds.add(octree.isPlaced ? asset.bounds : transformed(asset.bounds, asset.worldFromAsset));
    }
    const glm::dvec3 extent = bounds.empty() ? glm::dvec3(0.0) : bounds.extent();
    return std::max({extent.x, extent.y, extent.z});
}

std::uint32_t powerOfTwo(double least) {
    std::uint32_t power = kMinimumResolution;
    while (power < kMaximumResolution && power * (1.0 + 1e-9) < least) {
        power *= 2;
    }
    return power;
}

/// An octree's surface in its own space.
double areaOf(const SeenOctree& octree) {
    double area = 0.0;
    for (const SeenAsset& asset : octree.assets) {
        const double scale = largestScale(glm::dmat3(asset.worldFromAsset));
        area = octree.isPlaced ? asset.area : area + asset.area * scale * scale;
    }
    return area;
}

/// How an octree, or a level of it, came by its resolution.
struct Choice {
    std::size_t octree = 0;
    Demand demand;
    double longest = 0.0;
    double area = 0.0;
    bool isGiven = false;                     ///< the scene says how many voxels the octree has
    std::uint32_t usual = kMinimumResolution; ///< that a model by itself has at least
    std::uint32_t least = kMinimumResolution; ///< that memory may leave
    std::uint32_t wanted = kMinimumResolution;
    std::uint32_t resolution = kMinimumResolution;
    double bytesPerVoxel = 0.0;
    std::vector<std::uint32_t> instances; ///< with levels

    double bytes() const {
        const double across = longest > 0.0 && !isGiven ? resolution / longest : 0.0;
        return kVoxelsPerArea * area * across * across * bytesPerVoxel;
    }
};

/// The places of each instance, of an octree with levels; else all are one.
std::vector<std::span<const SeenAsset>> instancesOf(const SeenOctree& octree) {
    if (!octree.voxels.levels) {
        return {octree.assets};
    }
    std::vector<std::span<const SeenAsset>> instances;
    const auto end = octree.assets.end();
    for (auto first = octree.assets.begin(); first != end;) {
        const auto next = std::find_if(first, end, [&](const SeenAsset& at) { return at.instance != first->instance; });
        instances.emplace_back(first, next);
        first = next;
    }
    return instances;
}

/// A resolution halved as often as leaves `least` voxels.
std::uint32_t halvedTo(double least, std::uint32_t resolution) {
    const double most = std::max<double>(least, kMinimumResolution);
    std::uint32_t half = resolution / 2;
    while (half * (1.0 + 1e-9) >= most) {
        resolution = std::exchange(half, half / 2);
    }
    return resolution;
}

/// What the cameras want of an octree, from its finest level on.
std::vector<Choice> choicesOf(std::size_t number, const SeenOctree& octree, const std::vector<Pose>& poses,
                              const glm::uvec2& size) {
    const std::vector<std::span<const SeenAsset>> instances = instancesOf(octree);
    std::vector<Demand> demands(instances.size());
    parallelFor(static_cast<std::int64_t>(instances.size()), 64, [&](std::int64_t i) {
        const auto index = static_cast<std::size_t>(i);
        demands[index] = SmallestDemand(instances[index], octree.isPlaced, poses, size).demand();
    });
    Choice one;
    one.octree = number;
    one.longest = longestSide(octree);
    one.area = areaOf(octree);
    one.isGiven = octree.voxels.resolution != kCountWord;
    one.usual = octree.least;
    one.bytesPerVoxel = bytesPerVoxel(octree.voxels);
    double smallest = std::numeric_limits<double>::infinity();
    for (const Demand& demand : demands) {
        smallest = std::min(smallest, demand.voxel);
    }
    const std::uint32_t chosen = powerOfTwo(one.longest / smallest);
    const std::uint32_t finest = one.isGiven ? octree.voxels.resolution : std::max(chosen, octree.least);
    // Where a model has more voxels than pixels ask for, so have its other levels.
    const double more = one.isGiven ? 1.0 : static_cast<double>(finest) / chosen;
    std::map<std::uint32_t, Choice, std::greater<>> levels;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const double least = more * one.longest / demands[i].voxel;
        const std::uint32_t wanted = octree.voxels.levels ? halvedTo(least, finest) : finest;
        Choice& level = levels.try_emplace(wanted, one).first->second;
        level.wanted = level.resolution = wanted;
        level.least = one.isGiven ? wanted : std::min(octree.least, wanted);
        level.demand = demands[i].voxel < level.demand.voxel ? demands[i] : level.demand;
        if (octree.voxels.levels) {
            level.instances.push_back(instances[i].front().instance);
        }
    }
    std::vector<Choice> choices;
    choices.reserve(levels.size());
    for (auto& [unused, level] : levels) {
        choices.push_back(std::move(level));
    }
    return choices;
}

/// Makes one of a level and another that has come to its resolution.
void mergeLevel(std::size_t changed, std::vector<Choice>& choices) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
        Choice& level = choices[i];
        const Choice& other = choices[changed];
        if (i != changed && level.octree == other.octree && level.resolution == other.resolution) {
            Choice both = other; // what is wanted and why is the finer one's
            both.instances.insert(both.instances.end(), level.instances.begin(), level.instances.end());
            std::sort(both.instances.begin(), both.instances.end());
            both.least = std::max(both.least, level.least);
            level = std::move(both);
            choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(changed));
            return;
        }
    }
}

/// Returns how many bytes they take then: more than the budget where each has its least.
double fitBudget(std::vector<Choice>& choices, std::uint64_t budget) {
    for (;;) {
        double sum = 0.0;
        std::optional<std::size_t> most;
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const Choice& choice = choices[i];
            sum += choice.bytes();
            if (choice.resolution > choice.least && (!most || choice.bytes() > choices[*most].bytes())) {
                most = i;
            }
        }
        if (sum <= static_cast<double>(budget) || !most) {
            return sum;
        }
        choices[*most].resolution = std::max(choices[*most].resolution / 2, choices[*most].least);
        mergeLevel(*most, choices);
    }
}

/// A length in a unit of which there is at least one.
std::string lengthText(double metres) {
    return metres < 1e-3  ? fmt::format("{:.3g} um", metres * 1e6)
           : metres < 1.0 ? fmt::format("{:.3g} mm", metres * 1e3)
                          : fmt::format("{:.3g} m", metres);
}

/// `bytes`: of all octrees, at the resolutions that they have now.
std::string whyOf(const Choice& choice, double bytes, std::uint64_t budget) {
    const Demand& demand = choice.demand;
    if (demand.asset == nullptr) {
        return "nothing of it has any extent";
    }
    std::string why =
        fmt::format("a pixel is {} wide at '{}', {} {} {}", lengthText(demand.place.pixel), demand.asset->name,
                    lengthText(demand.place.distance), demand.isSeen ? "before" : "from", demand.pose->name);
    if (!demand.isSeen) {
        why += fmt::format(", which is out of sight: voxels may be {:g} times as wide", kUnseenWidth);
    }
    if (choice.resolution == choice.usual && choice.usual > kMinimumResolution) {
        why += ", for which a model's usual number is enough";
    }
    if (choice.resolution < choice.wanted) {
        why += fmt::format("; {} would take more than the {} MiB that there are for all", choice.wanted, budget >> 20U);
    } else if (choice.longest / choice.resolution > demand.voxel * (1.0 + 1e-9)) {
        why +=
            fmt::format(", which needs more than the {}", choice.isGiven ? "given resolution" : "largest resolution");
    }
    if (bytes > static_cast<double>(budget)) {
        why += fmt::format("; all octrees take some {:.0f} MiB even so, more than the {} MiB that there are for them",
                           bytes / (1U << 20U), budget >> 20U);
    }
    return why;
}

} // namespace

std::vector<ChosenResolution> chooseResolutions(const Scene& scene, const std::vector<SeenOctree>& octrees,
                                                std::uint64_t budget) {
    const std::vector<Pose> poses = posesOf(scene);
    const glm::uvec2 size(scene.film.width, scene.film.height);
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < octrees.size(); ++i) {
        std::vector<Choice> levels = choicesOf(i, octrees[i], poses, size);
        std::move(levels.begin(), levels.end(), std::back_inserter(choices));
    }
    const double bytes = fitBudget(choices, budget);
    std::vector<ChosenResolution> chosen;
    for (Choice& choice : choices) {
        const std::string& name = octrees[choice.octree].name;
        const std::size_t count = choice.instances.size();
        chosen.push_back({choice.octree,
                          {name, choice.resolution, whyOf(choice, bytes, budget), count},
                          std::move(choice.instances)});
    }
    return chosen;
}

} // namespace aureole
