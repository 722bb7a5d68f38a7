#pragma once

// A film as an image: a picture, or a part, from which the sums come back.

#include <string>

#include "core/format_version.h"
#include "film/film.h"
#include "image/attributes.h"
#include "image/image.h"

namespace aureole {

/// The mean radiance as R, G, B, and the channels of the planes; with `moments`, also what tells the error:
/// the mean of the squares as moment.R, moment.G, moment.B, or of Sobol points the mean of one half as halfA.R,
/// halfA.G, halfA.B (and hits.Y where a plane needs it), which makes the image a part that mergeParts takes
/// (film/merge.h). The sample ranges stand in the attribute aureole.samples; a film whose pixels have different numbers
/// of samples has aureole.sample_counts instead, "least to most, mean".
Image filmImage(const FilmSums& film, bool moments);

/// Notes which samples a picture of the film is made of, as filmImage does.
void noteSamples(Image& image, const FilmSums& film);

/// A part of another version has this attribute with its number; one of version 1 has none.
inline constexpr const char* kPartVersionAttribute = "aureole.part_version";
inline constexpr FormatVersions kPartVersions = {"parts", 1, 1, "render its samples again"};

/// The samples of a part. Throws Error (BadInput) naming `file` where the image is no part, or one of a version that is
/// not read.
IndexRanges partSamples(const Image& part, const std::string& file);

/// Fails where an image's channels, whose values are not looked at, cannot be taken apart into the sums that it was
/// made of. Throws Error (BadInput) naming `file`.
void checkSums(const Image& part, const std::string& file);

/// The sums behind a part, with weights rebuilt from its sample ranges. Throws Error (BadInput) naming `file` where the
/// image is no part.
FilmSums filmFromImage(const Image& part, const std::string& file);

/// Takes away what makes an image a part: moments, a half without the other, shares of hits and the sample range, which
/// is returned; "" where there was none.
std::string dropSums(Image& image);

/// Fails where `part` lacks a channel of `model`. Throws Error (BadInput) naming both files.
void checkLayersOf(const Image& part, const std::string& file, const Image& model, const std::string& modelFile);

} // namespace aureole
