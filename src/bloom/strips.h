#pragma once

// Bloom of images that are too long for one transform: cut into strips, and the kernel into blocks.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "bloom/kernel.h"
#include "core/math.h"
#include "settings/bloom.h"

namespace aureole {

/// How an axis is cut: into strips of so many pixels, and blocks of so many texels of the kernel.
struct AxisCut {
    std::uint32_t pixels = 0;
    std::uint32_t taps = 0;

    /// Pixels of what is convolved at once: a strip with what reaches it.
    std::uint32_t window() const { return pixels + taps - 1; }
};

/// The cut of an axis of so many pixels and texels that takes the fewest transforms of up to `longest` places, in whole
/// where that is possible. `longest` is 8 or more.
AxisCut cutAxis(std::uint32_t pixels, std::uint32_t taps, std::uint32_t longest);

/// R, G and B of an image of that size in host memory, row by row.
struct HostPlanes {
    glm::uvec2 size{0};
    std::array<std::vector<float>, 3> planes;
};

/// Convolves an image of the window's size, in place, by a block of the kernel, black outside.
using ConvolveWindow = std::function<void(HostPlanes& window)>;
/// Makes one ready for windows of that size.
using MakeConvolution = std::function<ConvolveWindow(const glm::uvec2& window, const BloomKernel& block)>;

/// The image convolved with the kernel: overlap-save (Oppenheim and Schafer, "Discrete-Time Signal Processing", section
/// 8.7.3) in both axes, summed over the kernel's blocks. Pixels that are not finite count as black.
HostPlanes convolveInStrips(const HostPlanes& image, const BloomKernel& kernel, BloomPadding padding,
                            const AxisCut& columns, const AxisCut& rows, const MakeConvolution& make);

} // namespace aureole
