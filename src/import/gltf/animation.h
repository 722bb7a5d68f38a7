#pragma once

// The animations of a glTF file (2.0, section 3.11), at one moment.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <glm/gtc/quaternion.hpp>

#include "import/gltf/document.h"
#include "import/import.h"

namespace aureole::gltf {

/// What a clip says of a node at a moment. What it leaves out is as the node has it.
struct NodePose {
    std::optional<glm::dvec3> translation;
    std::optional<glm::dquat> rotation; ///< of unit length
    std::optional<glm::dvec3> scale;
    std::vector<double> weights; ///< of the morph targets of its mesh

    /// Whether it says where the node is.
    bool moves() const { return translation || rotation || scale; }
};

/// The nodes that a clip moves, by number.
using Pose = std::map<std::uint32_t, NodePose>;

/// The names of a file's clips: its animations, by their names or as "animation N". Of several of one name, which glTF
/// allows, the second is "NAME[1]".
std::vector<std::string> clipNames(const Document& document);

/// The keys of a channel, whose values have `width` numbers each.
struct Sampler {
    std::vector<double> times; ///< ascending
    std::vector<double> values;
    std::size_t width = 0;
    bool steps = false;
    bool isSpline = false;   ///< then three values belong to a key: the tangent into it, its own, and that out of it
    bool isRotation = false; ///< between which there is a shorter way
};

/// What of a node a channel changes.
enum class ChannelPath { Translation, Rotation, Scale, Weights };

struct Channel {
    std::uint32_t node = 0;
    ChannelPath path = ChannelPath::Translation;
    Sampler sampler;
};

/// A clip of a file.
class Clip {
public:
    /// Throws Error (BadInput) where the file has no such clip, and for what is wrong with a channel. Channels of other
    /// things than nodes are left out with a warning.
    Clip(const Document& document, const std::string& name);

    /// How long it is: the time of its last key.
    double duration() const { return duration_; }
    const std::vector<Channel>& channels() const { return channels_; }

    /// What it says at a second. Between the keys of a channel values go on as its sampler has it (STEP, LINEAR, by
    /// slerp for rotations, or CUBICSPLINE), before the first and behind the last they stay.
    Pose poseAt(double seconds) const;
    /// The second of the clip that a moment shows.
    double secondOf(const ClipMoment& moment) const;

private:
    std::vector<Channel> channels_;
    double duration_ = 0.0;
};

/// Lays what a channel says at a second over a node's pose.
void addChannel(const Channel& channel, double seconds, NodePose& pose);

} // namespace aureole::gltf
