#pragma once

// What a denoiser reads of an image's channels.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "denoise/denoise.h"
#include "film/film.h"
#include "image/image.h"
#include "settings/film.h"

namespace aureole {

/// The names of three channels that belong together.
using ChannelNames = std::array<std::string, 3>;

inline const ChannelNames kPictureChannels = {"R", "G", "B"};

/// The values of three channels, 3 a pixel; empty where one is missing.
std::vector<float> interleaved(const Image& image, const ChannelNames& names);

/// The colours of an image that are denoised each by itself: its light groups where they add up to R, G and B at every
/// pixel but for rounding, else R, G and B themselves. `file` names the image in messages. Throws Error (BadInput)
/// where it has no R, G and B.
std::vector<ChannelNames> denoisedColours(const Image& image, const std::string& file);

/// Whether there are samples of even index and others.
bool hasTwoHalves(const FilmSums& film);

/// The picture's halves, albedo, normals and depth, with empty planes where the image has no such layers; `colour` is
/// empty. Halves come from the layers halfA and halfB, or from the sums of a part with samples in both, and are as they
/// stand there; other values that are not finite are 0. Throws Error (BadInput) naming `file` where the attribute of a
/// part's samples is none.
DenoiseInput featuresOf(const Image& image, const std::string& file);

/// Takes albedo, normals and depth as another image tells them, whose other values are 0 where they are not finite.
void takeSeen(const Image& image, DenoiseInput& input);

/// The share of one of the colours that add up to the picture in what is known of the picture alone, at each pixel in
/// the proportion of that colour to `whole`, the picture's; 3 values a pixel.
std::vector<float> shareOf(const std::vector<float>& values, const std::vector<float>& colour,
                           const std::vector<float>& whole);

/// The light that is seen directly, 3 values a pixel and no more than `whole`, the picture's colour; empty where the
/// image has no layer emission.
std::vector<float> emissionOf(const Image& image, const std::vector<float>& whole);

/// What lamps that are seen directly have beyond 64 times the geometric mean of the luminance of what is not black, 3
/// values a pixel and no more than `whole`, the picture's colour; empty where the image has no layer emission. A
/// network that sees logarithms is off by half there, which bloom would spread; the light is hardly noisy. For Builtin,
/// all that lamps beyond 1024 times have, and what is about their edges: beside a sun of few pixels, whose noise hides
/// all else, its fits would take some.
std::vector<float> glareOf(const Image& image, const std::vector<float>& whole, DenoiserKind denoiser);

} // namespace aureole
