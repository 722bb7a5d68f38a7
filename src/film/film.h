#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "settings/aov.h"

namespace aureole {

/// Half-open ranges of absolute sample indices, ascending and apart.
using SampleRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A channel of the film beside the picture: sums over the samples, or the value itself (First).
struct FilmPlane {
    std::string channel;
    PlaneRule rule = PlaneRule::Mean;
    std::vector<double> values;
};

/// The film on the host: for each pixel the sums of its samples' radiance and squared radiance, in double. They are
/// divided by the number of samples only when a picture is made of them (film/picture.h).
struct FilmSums {
    std::uint32_t width = 0; ///< of what is rendered: the picture, or a crop of it
    std::uint32_t height = 0;
    SampleRanges samples;
    std::vector<double> radiance; ///< R, G, B of each pixel, row by row from the top
    std::vector<double> squared;
    std::vector<FilmPlane> planes;
    std::vector<double> hits; ///< the samples of each pixel that hit something; empty unless a plane's rule is HitMean
    std::vector<std::uint32_t> counts; ///< the samples of each pixel; empty where all have as many
    bool variance = false;             ///< whether the picture gets the channels variance.R, G, B; the next, samples.Y
    bool sampleCounts = false;

    /// The samples of each pixel; where pixels differ, the most that one has.
    std::uint64_t sampleCount() const;
    std::uint64_t sampleCount(std::size_t pixel) const { return counts.empty() ? sampleCount() : counts[pixel]; }
    std::size_t pixelCount() const { return std::size_t{width} * height; }
};

/// Ranges sorted, touching ones joined. Throws Error (BadInput) naming `place` where two overlap.
SampleRanges joinRanges(SampleRanges ranges, const std::string& place = "samples");

/// "0:16" or "0:16,32:48", and back. Throws Error (BadInput) naming `place`.
std::string formatSamples(const SampleRanges& ranges);
SampleRanges parseSamples(const std::string& text, const std::string& place = "samples");

} // namespace aureole
