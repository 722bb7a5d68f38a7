#pragma once

#include "bench/picture_pair.h"
#include "cli/options/bloom_mode_options.h"
#include "gpu/device.h"
#include "image/image.h"

namespace aureole::bench {

/// Lights at night: a sky that is lighter at the horizon, dark ground, and lamps as discs with edges one pixel wide, up
/// to 900 times as bright as white. R, G and B.
Image nightPicture(std::uint32_t width, std::uint32_t height);

/// Lights at night before and after the bloom, by the kernel that `aureole bloom` takes by default.
PicturePair bloomPictures(const gpu::Device& device, const cli::ModeOptions& mode);

} // namespace aureole::bench
