#pragma once

// The descriptors of pipelines that sample images. Internal to the module.

#include "gpu/context.h"

namespace aureole::gpu {

/// The layout of an ImageBinding. The caller destroys it.
VkDescriptorSetLayout makeImageLayout(const Context& context, const std::string& name);

} // namespace aureole::gpu
