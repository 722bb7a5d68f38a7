#pragma once

// Pictures by one path at a time, on the CPU, each ray followed at one go: what waves are held against.

#include <cstdint>

#include "film/state.h"
#include "render/device_scene.h"

namespace aureole {

struct OnePathPicture {
    std::vector<double> radiance; ///< sums over the samples, RGB, row by row
    std::uint64_t rays = 0;
};

/// Renders those samples of each pixel of the view. The device is a software device: what its addresses point to is in
/// the memory of this process. Films with a clamp or layers are none of this.
OnePathPicture renderOnePathAtATime(const DeviceScene& scene, const View& view, const IndexRanges& ranges);

} // namespace aureole
