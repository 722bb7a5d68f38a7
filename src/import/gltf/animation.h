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
};

/// The nodes that a clip moves, by number.
using Pose = std::map<std::uint32_t, NodePose>;

/// The names of a file's clips: its animations, by their names or as "animation N".
std::vector<std::string> clipNames(const Document& document);

/// How long a clip is: the time of its last key. Throws Error (BadInput) where the file has no such clip, and for wrong
/// keys.
double durationOf(const Document& document, const std::string& clip);

/// What a clip says at a moment. Between the keys of a channel values go on as its sampler has it (STEP, LINEAR, by
/// slerp for rotations, or CUBICSPLINE), before the first and behind the last they stay. Throws Error (BadInput) where
/// the file has no such clip, and for what is wrong with a channel. Channels of other things than nodes are left out
/// with a warning.
Pose readPose(const Document& document, const ClipMoment& moment);

} // namespace aureole::gltf
