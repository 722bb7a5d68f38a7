#pragma once

#include "cli/bloom_mode_options.h"
#include "cli/report_picture.h"
#include "gpu/device.h"

namespace aureole::cli {

/// Lights at night before and after the bloom, by the kernel that `aureole bloom` takes by default.
PicturePair bloomPictures(const gpu::Device& device, const ModeOptions& mode);

} // namespace aureole::cli
