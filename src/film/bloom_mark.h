#pragma once

// What an image tells of the steps that went over it after the last sample.

#include <optional>
#include <string>

#include "image/image.h"

namespace aureole {

/// Notes in the attribute aureole.bloom that a bloom, described by `how`, went over a layer ("" is R, G, B). After one
/// of R, G, B the sums of a part and its sample range no longer describe the picture: they go, the range into the note.
void markBloomed(Image& image, const std::string& layer, const std::string& how);

/// The same of finishing (finish/finish.h), in the attribute aureole.finish.
void markFinished(Image& image, const std::string& layer, const std::string& how);

/// The notes of all blooms of the image, one to a line; none where there was none.
std::optional<std::string> bloomMark(const Image& image);

/// The notes of all finishing.
std::optional<std::string> finishMark(const Image& image);

/// The note of the last bloom of that layer, if there was one.
std::optional<std::string> bloomMarkOf(const Image& image, const std::string& layer);

} // namespace aureole
