#pragma once

// What an image tells of the steps that went over it after the last sample.

#include <map>
#include <optional>
#include <string>

#include "image/image.h"

namespace aureole {

/// Notes in the attribute aureole.denoise that R, G and B were denoised as `how` tells. The sums of a part and its
/// sample range no longer describe the picture: they go, the range into the note.
void markDenoised(Image& image, const std::string& how);

/// Notes in the attribute aureole.bloom that a bloom, described by `how`, went over a layer ("" is R, G, B). After one
/// of R, G, B the sums of a part and its sample range no longer describe the picture: they go, the range into the note.
void markBloomed(Image& image, const std::string& layer, const std::string& how);

/// Notes in the attribute aureole.finish that a layer was finished (finish/finish.h), as markBloomed does of a bloom.
void markFinished(Image& image, const std::string& layer, const std::string& how);

/// The note of denoising, if there was any.
std::optional<std::string> denoiseMark(const Image& image);

/// The notes of all blooms of the image, one to a line; none where there was none.
std::optional<std::string> bloomMark(const Image& image);

/// What a PNG notes of the image as text: what denoised it, and where it was metered, at what.
std::map<std::string, std::string> pngNotes(const Image& image, bool isMetered);

/// Refuses an image that denoising, bloom or finishing went over, which change light in ways that the samples behind it
/// do not tell. Throws Error (BadInput) naming `file` and the note of the step; `expected` is what it tells to expect.
void refuseProcessed(const Image& image, const std::string& file, const std::string& expected);

/// The note of the last bloom of that layer, if there was one.
std::optional<std::string> bloomMarkOf(const Image& image, const std::string& layer);

} // namespace aureole
