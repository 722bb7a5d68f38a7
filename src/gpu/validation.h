#pragma once

// What of a device's work is checked while it runs. Internal to the module.

#include <string_view>

#include "gpu/device.h"

namespace aureole::gpu {

struct Validation {
    bool layer = false;  ///< Khronos validation layer, core and synchronization
    bool bounds = false; ///< of every memory access of shaders
};

/// Reads words with commas between: "0" nothing, "1" the layer, "bounds" the accesses of shaders. Throws Error (Usage)
/// with the words that there are.
Validation parseValidation(std::string_view words);

/// What the request asks for, and the environment variable AUREOLE_VALIDATION. Throws as parseValidation, and where
/// bounds are to be checked in a program that cannot (memory_checks.h).
Validation chooseValidation(const DeviceRequest& request);

} // namespace aureole::gpu
