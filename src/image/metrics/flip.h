#pragma once

#include <cstdint>
#include <optional>

#include "core/math.h"
#include "image/metrics/metrics.h"

namespace aureole {

/// Pixels per degree of vision in the papers' viewing conditions: 0.7 m from a display of 3840 pixels over 0.7 m.
inline constexpr double kFlipPixelsPerDegree = 0.7 * (3840.0 / 0.7) * kPi / 180.0;

/// Pixels per degree that ldrFlip and hdrFlip take.
inline constexpr double kFlipLeastPixelsPerDegree = 1.0;
inline constexpr double kFlipMostPixelsPerDegree = 1000.0;

/// The exposures at which HDR-FLIP compares: `count`, evenly from `first` to `last`, in stops.
struct FlipExposures {
    double first = 0.0;
    double last = 0.0;
    std::uint32_t count = 2;

    double at(std::uint32_t index) const { return first + (last - first) * index / (count - 1); }
};

/// How different two images look to someone who flips between them.
struct FlipResult {
    /// Y: the error of each pixel in [0, 1]. After hdrFlip also `exposure`: the stops at which that error is seen.
    Image map;
    double mean = 0.0;
    /// The error at which pixels of less and pixels of more of it make up half of all error each.
    double weightedMedian = 0.0;
    double maximum = 0.0;
    std::optional<FlipExposures> exposures; ///< of hdrFlip
};

/// LDR-FLIP: Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", HPG 2020. Images are linear
/// Rec. 709 and are clipped to [0, 1]. Throws what checkComparable throws, and Error (Usage) for pixels per degree out
/// of range.
FlipResult ldrFlip(const NamedImage& image, const NamedImage& reference, double pixelsPerDegree = kFlipPixelsPerDegree);

/// HDR-FLIP: Andersson et al., "Visualizing Errors in Rendered High Dynamic Range Images", Eurographics 2021: the
/// largest of LDR-FLIP's errors over flipExposures(), tone mapped by ACES (Narkowicz's fit). Values below 0 count as 0.
/// Throws what ldrFlip throws.
FlipResult hdrFlip(const NamedImage& image, const NamedImage& reference, double pixelsPerDegree = kFlipPixelsPerDegree);

/// The papers' exposures for a reference: from the one that shows its brightest pixel at 85 % of white to the one that
/// shows its median luminance so, about one stop apart. Where the median is 0 the paper leaves the last one open: it is
/// then the median of the pixels that are not black, and those of `image` stand in for a reference all in black.
FlipExposures flipExposures(const NamedImage& image, const NamedImage& reference);

} // namespace aureole
