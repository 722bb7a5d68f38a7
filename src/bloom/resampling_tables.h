#pragma once

// What the second pass is told of the resampling of a compact spectrum: its taps, and how it passes through workgroup
// memory. Internal to the module. The layouts are in shared/bloom.h.

#include <cstdint>
#include <vector>

#include "bloom/kernel_spectrum.h"
#include "fft/line_shape.h"
#include "shared/bloom.h"

namespace aureole {

/// The rows of the compact spectrum that each bin is interpolated from; `first` is the image's first axis.
std::vector<shared::BloomRowTap> rowTaps(const KernelSpectrum& kernel, const fft::LineShape& first);

/// The compact frequencies that each value of a line is interpolated from, with the bits of the weights; `second` is
/// the image's second axis.
std::vector<std::uint32_t> slotTaps(const KernelSpectrum& kernel, const fft::LineShape& second);

struct CompactRounds {
    std::uint32_t words = 0;     ///< of workgroup memory
    std::uint32_t firstTaps = 0; ///< compact frequencies that a round serves as first taps
};
/// How the lines of a workgroup fit its memory: at once where they do.
CompactRounds compactRounds(const KernelSpectrum& kernel, const fft::LineShape& second, std::uint32_t memoryBytes);

} // namespace aureole
