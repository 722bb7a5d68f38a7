#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/format_version.h"
#include "image/image.h"

namespace aureole {

/// Half-open ranges of absolute sample indices, ascending and apart.
using SampleRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// How the samples of a pixel make its value in a plane of the film, and two parts' values that of their whole.
enum class PlaneRule {
    Mean,    ///< over all samples
    HitMean, ///< over those that hit something, 0 where none did
    First,   ///< that of the first sample
};

/// A channel of the film beside the picture: sums over the samples, or the value itself (First).
struct FilmPlane {
    std::string channel;
    PlaneRule rule = PlaneRule::Mean;
    std::vector<double> values;
};

/// The film on the host: for each pixel the sums of its samples' radiance and squared radiance, in double. Divided by
/// the number of samples only when a picture is made of it.
struct FilmSums {
    std::uint32_t width = 0; ///< of the rendered part
    std::uint32_t height = 0;
    SampleRanges samples;
    std::vector<double> radiance; ///< R, G, B of each pixel, row by row from the top
    std::vector<double> squared;
    std::vector<FilmPlane> planes;
    std::vector<double> hits;          ///< samples that hit something; there where a plane's rule is HitMean
    std::vector<std::uint32_t> counts; ///< samples of each pixel, where they differ
    bool variance = false;             ///< whether the picture gets the channels variance.R, G, B, and samples.Y
    bool sampleCounts = false;

    /// Of each pixel; where they differ, the most that one has.
    std::uint64_t sampleCount() const;
    std::uint64_t sampleCount(std::size_t pixel) const { return counts.empty() ? sampleCount() : counts[pixel]; }
    std::size_t pixelCount() const { return std::size_t{width} * height; }
};

/// The mean radiance as R, G, B, and the channels of the planes; with `moments`, also the mean of the squares as
/// moment.R, moment.G, moment.B (and hits.Y where a plane needs it), which makes the image a part that mergeParts
/// takes (film/merge.h). The sample ranges stand in the attribute aureole.samples; a film whose pixels have different
/// numbers of samples has aureole.sample_counts instead, "least to most, mean".
Image filmImage(const FilmSums& film, bool moments);

/// A part of another version has this attribute with its number; one of version 1 has none.
inline constexpr const char* kPartVersionAttribute = "aureole.part_version";
inline constexpr FormatVersions kPartVersions = {"parts", 1, 1, "render its samples again"};

/// The samples of a part. Throws Error (BadInput) naming `file` where the image is no part, or one of a version that is
/// not read.
SampleRanges partSamples(const Image& part, const std::string& file);

/// Fails where an image's channels, whose values are not looked at, cannot be taken apart into the sums that it was
/// made of. Throws Error (BadInput) naming `file`.
void checkSums(const Image& part, const std::string& file);

/// The sums behind a part, with weights rebuilt from its sample ranges. Throws Error (BadInput) naming `file` where the
/// image is no part.
FilmSums filmFromImage(const Image& part, const std::string& file);

/// Takes away what makes an image a part: moments, shares of hits and the sample range, which is returned; "" where
/// there was none.
std::string dropSums(Image& image);

/// Ranges sorted, touching ones joined. Throws Error (BadInput) naming `place` where two overlap.
SampleRanges joinRanges(SampleRanges ranges, const std::string& place = "samples");

/// "0:16" or "0:16,32:48", and back. Throws Error (BadInput) naming `place`.
std::string formatSamples(const SampleRanges& ranges);
SampleRanges parseSamples(const std::string& text, const std::string& place = "samples");

} // namespace aureole
