#include "import/gltf/clip_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace aureole::gltf {

namespace {

constexpr std::size_t kMostPoses = std::size_t{1} << 16U; ///< of a part
constexpr std::size_t kMostPosesOfAll = std::size_t{1} << 20U;
/// By how much a pose between two others may be off: of lengths, of the largest place; of factors; in radians.
constexpr double kTolerance = 1e-7;
constexpr int kMostHalvings = 12; ///< of the time between two keys

/// A transform as scale, turn and translation; none where there is shear, or where it is flat.
std::optional<ClipPose> poseOf(const glm::dmat4& matrix, double seconds) {
    constexpr double kShear = 1e-9;
    glm::dmat3 axes(matrix);
    ClipPose pose;
    pose.seconds = seconds;
    pose.translation = glm::dvec3(matrix[3]);
    for (int i = 0; i < 3; ++i) {
        pose.scale[i] = glm::length(axes[i]);
        if (!(pose.scale[i] > 0.0)) {
            return std::nullopt;
        }
        axes[i] /= pose.scale[i];
    }
    if (std::abs(glm::dot(axes[0], axes[1])) + std::abs(glm::dot(axes[1], axes[2])) +
            std::abs(glm::dot(axes[2], axes[0])) >
        kShear) {
        return std::nullopt;
    }
    if (glm::determinant(axes) < 0.0) { // a mirror, by the first axis
        pose.scale.x = -pose.scale.x;
        axes[0] = -axes[0];
    }
    pose.turn = glm::normalize(glm::quat_cast(axes));
    return pose;
}

/// The way of a node through a clip.
class NodeWay {
public:
    NodeWay(const Document& document, const Clip& clip, const PosedNodes& nodes, std::uint32_t node)
        : end_(clip.duration()) {
        for (std::uint32_t i = node; i != kNone; i = nodes.parentOf(i)) {
            if (links_.size() == document.count("nodes")) {
                fail(ExitCode::BadInput, "{}: lies below itself, expected a tree of nodes",
                     document.element("nodes", node).place());
            }
            Link& link = links_.emplace_back(Link{document.element("nodes", i), {}});
            for (const Channel& channel : clip.channels()) {
                if (channel.node == i && channel.path != ChannelPath::Weights) {
                    link.channels.push_back(&channel);
                }
            }
        }
    }

    /// Poses between which the node goes as ClipPart says; none where there are no such, or more than `most`.
    std::vector<ClipPose> poses(std::size_t most) {
        most_ = most;
        const std::vector<double> times = this->times();
        for (const double time : times) {
            const std::optional<ClipPose> pose = at(time);
            if (!pose || (!poses_.empty() && pose->scale.x * poses_.front().scale.x < 0.0)) {
                return {};
            }
            size_ = std::max(size_, glm::length(pose->translation));
        }
        poses_.push_back(*at(times.front()));
        for (std::size_t i = 1; i < times.size(); ++i) {
            const std::optional<ClipPose> to = at(times[i]);
            if (!to || !goTo(*to, kMostHalvings)) {
                return {};
            }
        }
        return std::move(poses_);
    }

private:
    struct Link {
        JsonValue json;
        std::vector<const Channel*> channels;
    };

    std::optional<ClipPose> at(double seconds) const {
        glm::dmat4 matrix(1.0);
        for (const Link& link : links_) {
            NodePose pose;
            for (const Channel* channel : link.channels) {
                addChannel(*channel, seconds, pose);
            }
            matrix = localTransform(link.json, &pose) * matrix;
        }
        return isFinite(matrix) ? poseOf(matrix, seconds) : std::nullopt;
    }

    /// Those of all keys, and for keys of steps the last time before them.
    std::vector<double> times() const {
        std::vector<double> times = {0.0, end_};
        for (const Link& link : links_) {
            for (const Channel* channel : link.channels) {
                for (const double time : channel->sampler.times) {
                    times.push_back(time);
                    if (channel->sampler.steps && time > 0.0) {
                        times.push_back(std::nextafter(time, 0.0));
                    }
                }
            }
        }
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        return times;
    }

    /// Adds poses up to one; false where there are none that would do.
    bool goTo(const ClipPose& to, int halvings) {
        const ClipPose from = poses_.back();
        if (glm::any(glm::lessThanEqual(from.scale * to.scale, glm::dvec3(0.0))) || poses_.size() >= most_) {
            return false;
        }
        if (halvings > 0 && to.seconds - from.seconds > 1e-9 * end_ && !isStraight(from, to)) {
            const std::optional<ClipPose> middle = at(0.5 * (from.seconds + to.seconds));
            return middle && goTo(*middle, halvings - 1) && goTo(to, halvings - 1);
        }
        poses_.push_back(to);
        return true;
    }

    /// Whether the node goes from one pose to another as ClipPart says.
    bool isStraight(const ClipPose& from, const ClipPose& to) const {
        constexpr std::array kShares = {0.25, 0.5, 0.75};
        return std::all_of(kShares.begin(), kShares.end(), [&](double share) {
            const std::optional<ClipPose> pose = at(from.seconds + (to.seconds - from.seconds) * share);
            if (!pose) {
                return false;
            }
            const glm::dquat turn = glm::slerp(from.turn, to.turn, share);
            const glm::dvec3 place = from.translation + (to.translation - from.translation) * share;
            const glm::dvec3 scale = from.scale + (to.scale - from.scale) * share;
            const glm::dquat near = glm::dot(turn, pose->turn) < 0.0 ? -pose->turn : pose->turn;
            return glm::length(place - pose->translation) <= kTolerance * size_ &&
                   glm::length(scale - pose->scale) <= kTolerance * glm::length(pose->scale) &&
                   2.0 * glm::length(turn - near) <= kTolerance;
        });
    }

    std::vector<Link> links_; ///< from the node to its root
    double end_;
    double size_ = 0.0; ///< how far from the origin it gets
    std::size_t most_ = 0;
    std::vector<ClipPose> poses_;
};

} // namespace

std::uint32_t ClipParts::partOf(const PlacedNode& node) {
    if (node.mover == kNone) {
        return kNone;
    }
    const auto [found, isNew] = numbers_.try_emplace(node.mover, kNone);
    if (isNew) {
        ClipPart part;
        part.poses = posesOf(node.mover);
        if (!part.poses.empty()) {
            part.name = document_.element("nodes", node.mover).nameOr(fmt::format("node {}", node.mover));
            poses_ += part.poses.size();
            found->second = static_cast<std::uint32_t>(parts_.size());
            parts_.push_back(std::move(part));
        }
    }
    return found->second;
}

std::vector<ClipPose> ClipParts::posesOf(std::uint32_t mover) {
    return NodeWay(document_, clip_, nodes_, mover).poses(std::min(kMostPoses, kMostPosesOfAll - poses_));
}

} // namespace aureole::gltf
