#pragma once

// What measurement has shown to be fastest on a device, and which devices may wait for other workgroups.

#include <cstdint>

#include "gpu/device.h"

namespace aureole::scan {

/// The values here are those of devices that were not measured.
struct DeviceDefaults {
    bool forwardProgress = false;      ///< started workgroups go on while others wait, as look-back wants
    std::uint32_t mostPatience = 0;    ///< polls in vain that a look-back may make
    std::uint32_t workgroupSize = 256; ///< invocations
    std::uint32_t rows = 4;            ///< rows of a tile, each of four items an invocation
    std::uint32_t sortWorkgroupSize = 256;
    std::uint32_t sortKeys = 16; ///< keys of an invocation
    std::uint32_t onesweepWorkgroupSize = 256;
    std::uint32_t onesweepKeys = 12;
    std::uint32_t onesweepAloneWorkgroupSize = 256; ///< these two of keys without values
    std::uint32_t onesweepAloneKeys = 12;
    std::uint32_t onesweepFewWorkgroupSize = 256; ///< these two where there are fewer than kManyKeys
    std::uint32_t onesweepFewKeys = 12;
    std::uint32_t onesweepLookBack = 4; ///< tiles looked at a time
    std::uint32_t workgroups = 128;     ///< that share the items of a device-wide reduction or reduce-then-scan
    std::uint32_t onePassWorkgroupSize = 256;
    std::uint32_t onePassWorkgroups = 0; ///< that share the tiles of a scan in one pass; 0: one each
};

/// From so many keys on, tiles of all multiprocessors follow one another: a large one has fewer to wait for. Of fewer
/// keys, all start at once.
inline constexpr std::uint64_t kManyKeys = std::uint64_t{1} << 22U;

/// The row of the table that fits the device, sizes kept within its limits.
DeviceDefaults defaultsFor(const gpu::DeviceInfo& info);

} // namespace aureole::scan
