#pragma once

// What measurement has shown to be fastest on a device.

#include "fft/line_shape.h"
#include "gpu/device.h"

namespace aureole::fft {

struct DeviceDefaults {
    Exchange exchange = Exchange::Memory; ///< Memory or Shuffle
};

/// The row of the table that fits the device.
DeviceDefaults defaultsFor(const gpu::DeviceInfo& info);

} // namespace aureole::fft
