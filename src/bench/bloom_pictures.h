#pragma once

#include "bench/picture_pair.h"
#include "cli/options/bloom_mode_options.h"
#include "gpu/device.h"

namespace aureole::bench {

/// Lights at night before and after the bloom, by the kernel that `aureole bloom` takes by default.
PicturePair bloomPictures(const gpu::Device& device, const cli::ModeOptions& mode);

} // namespace aureole::bench
