#pragma once

// What the filter reads of a picture, on the CPU and on a device alike. Internal to the module.

#include <cstdint>
#include <span>
#include <vector>

#include "core/math.h"
#include "core/raw_vector.h"
#include "core/threads/parallel.h"
#include "denoise/denoise.h"
#include "shared/denoise/denoise.h"

namespace aureole {

/// Colours are divided by the albedo, and a little: what is left varies less, and the
/// noise that both have from the same samples, at edges and in texture, goes.
struct DenoisePlanes {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    double light = 0.0;                          ///< the sum of the noisy picture's values, which the result keeps
    RawVector<glm::vec3> colour;                 ///< the mean of all samples
    RawVector<glm::vec3> halves;                 ///< the plane of the first half, then that of the other
    RawVector<glm::vec3> variances;              ///< of a half's noise
    RawVector<glm::vec3> divisors;               ///< of the picture's colours
    RawVector<shared::DenoiseFeatures> features; ///< 0 where there are none

    std::size_t pixelCount() const { return std::size_t{width} * height; }
    const glm::vec3& otherHalf(std::size_t pixel) const { return halves[pixelCount() + pixel]; }
};

/// The planes as code that devices run too reads them.
shared::DenoisePicture sharedPicture(const DenoisePlanes& planes);

/// In the memory of other planes, which are fastest where it has been touched before. Throws Error (Internal) where a
/// plane of the input has another size.
DenoisePlanes denoisePlanes(const DenoiseInput& input, DenoisePlanes planes = {});

/// The picture of a filtered plane of colours: 3 floats a pixel, times the albedo again, with the mean of
/// the noisy picture.
std::vector<float> denoisedPicture(const DenoisePlanes& planes, std::span<const glm::vec3> colours);

} // namespace aureole
