#pragma once

#include <array>
#include <cstdint>

namespace aureole {

/// Three planes of fp32 pixels on the device, row by row, the top row first.
struct DevicePlanes {
    std::array<std::uint64_t, 3> addresses{}; ///< of R, G and B
    std::uint32_t rowStride = 0;              ///< floats from row to row
};

} // namespace aureole
