#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/index_ranges.h"
#include "core/raw_vector.h"
#include "settings/aov.h"

namespace aureole {

/// A channel of the film beside the picture: sums over the samples, or the value itself (First).
struct FilmPlane {
    std::string channel;
    PlaneRule rule = PlaneRule::Mean;
    std::vector<double> values;
};

/// The film on the host: for each pixel the sums of its samples' radiance, and sums that tell the error of their mean,
/// in double. They are divided by the number of samples only when a picture is made of them (film/picture.h).
///
/// The error of independent samples is told by their squares. Sobol points are not independent: samples of even index
/// and of odd index are two sequences, each scrambled by itself, and the error is told by how far their means differ
/// (Owen 1997; two is the least, and costs the sequences the least of their evenness: tests/bench/record/sampling.md).
struct FilmSums {
    std::uint32_t width = 0; ///< of what is rendered: the picture, or a crop of it
    std::uint32_t height = 0;
    IndexRanges samples;
    RawVector<double> radiance; ///< R, G, B of each pixel, row by row from the top
    RawVector<double> squared;  ///< squares of R, G, B of each pixel, of independent samples; else empty
    RawVector<double> half;     ///< of Sobol points: the radiance of the samples of even index; else empty
    std::vector<FilmPlane> planes;
    std::vector<double> hits; ///< the samples of each pixel that hit something; empty unless a plane's rule is HitMean
    std::vector<std::uint32_t> counts;     ///< the samples of each pixel; empty where all have as many
    std::vector<std::uint32_t> evenCounts; ///< the samples of even index of each pixel; empty where counts is
    bool variance = false;                 ///< whether the picture gets the channels variance.R, G, B
    bool sampleCounts = false;             ///< whether it gets the channel samples.Y
    bool halves = false;                   ///< whether it gets the channels halfA.R, G, B and halfB.R, G, B

    /// The samples of each pixel; where pixels differ, the most that one has.
    std::uint64_t sampleCount() const;
    std::uint64_t sampleCount(std::size_t pixel) const { return counts.empty() ? sampleCount() : counts[pixel]; }
    /// The samples of even index among them.
    std::uint64_t evenCount() const;
    std::uint64_t evenCount(std::size_t pixel) const { return evenCounts.empty() ? evenCount() : evenCounts[pixel]; }
    /// Gives each pixel a number of samples of its own, from sample 0 on.
    void setCounts(std::vector<std::uint32_t> samplesOfPixels);

    /// An unbiased estimate of the variance of the mean of a pixel's channel; 0 where its samples tell nothing: a
    /// single one, or Sobol points of one half.
    double varianceOfMean(std::size_t pixel, std::size_t channel) const;
    /// The mean of the samples of even (0) or odd (1) index; where there are none, of all. Of Sobol points only.
    double meanOfHalf(std::size_t pixel, std::size_t channel, int parity) const;
    std::size_t pixelCount() const { return std::size_t{width} * height; }
};

} // namespace aureole
