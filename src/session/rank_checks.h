#pragma once

// What is looked at before ranks begin to render.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "ranks/crew.h"
#include "session/render_loop.h"
#include "session/render_options.h"

namespace aureole {

/// Refuses options that have another meaning, or none, where ranks share the work. Throws Error (Usage).
void refuseRankOptions(const RenderOptions& options, std::size_t ranks);

/// What is rendered of a scene, and where to, by names for messages.
std::map<std::string, std::string> askedOf(const RenderOptions& options, const RenderLimits& limits);

/// All must have the same scene, options and version of the program: `ready` tells of each rank its `attributes` and
/// what it was `asked` for. Throws Error (BadInput) that names a rank and what differs.
void comparePictures(const std::vector<RankOutcome>& ready);

/// Tells of the ranks, and of devices that several of a host have: `ready` tells of each its `host` and `devices`.
void tellOfDevices(const std::vector<RankOutcome>& ready);

} // namespace aureole
