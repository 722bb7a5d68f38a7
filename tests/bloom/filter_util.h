#pragma once

// Pictures, direct convolution in double, and a fixture that runs filters.

#include <array>
#include <cstdint>
#include <vector>

#include "bloom/filter.h"
#include "gpu_test/gpu_test.h"

namespace aureole::testing {

struct Picture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::array<std::vector<float>, 3> planes;
};

using Planes = std::array<std::vector<double>, 3>;

Picture blackPicture(std::uint32_t width, std::uint32_t height);

/// Mostly dim, with a few very bright pixels, as a frame with lamps.
Picture randomPicture(std::uint32_t width, std::uint32_t height, std::uint32_t seed);

BloomKernel randomKernel(std::uint32_t width, std::uint32_t height, std::uint32_t seed);

/// A random kernel of odd size, each texel that of the opposite one.
BloomKernel symmetricKernel(std::uint32_t width, std::uint32_t height, std::uint32_t seed);

/// Direct convolution, at one pixel of a plane.
double convolveAt(const Picture& picture, const BloomKernel& kernel, BloomPadding padding, std::size_t colour,
                  std::int64_t x, std::int64_t y);

/// Direct convolution, black outside of the image.
Planes convolve(const Picture& picture, const BloomKernel& kernel);

/// Direct convolution with the image reflected at its edges, again and again.
Planes convolveReflected(const Picture& picture, const BloomKernel& kernel);

/// In the L2 norm, relative to what is expected.
double relativeError(const Picture& picture, const Planes& expected);

class FilterTest : public gpu::GpuTest {
protected:
    /// Runs a filter from an input with gaps between its rows and planes to a poisoned output with other gaps, and
    /// checks that the gaps stay poisoned.
    static Picture run(const BloomFilter& filter, const Picture& picture, double sharpen = 0.0);
};

} // namespace aureole::testing
