#pragma once

#include "cli/bench/report_picture.h"
#include "cli/options/bloom_mode_options.h"
#include "gpu/device.h"

namespace aureole::cli {

/// Lights at night before and after the bloom, by the kernel that `aureole bloom` takes by default.
PicturePair bloomPictures(const gpu::Device& device, const ModeOptions& mode);

} // namespace aureole::cli
