#pragma once

#include "image/metrics/metrics.h"

namespace aureole::cli {

/// Cuts both images down to the pixels of the picture that both have, where one or both are crops of it (their
/// attributes aureole.crop and aureole.size), and says so. An image that does not tell is taken for the whole picture
/// if it has that size, and else for the same part as the other. `image` and `reference` keep their names. Throws Error
/// (BadInput) where the pictures have different sizes, or the crops no pixel in common.
void alignWindows(Image& image, const std::string& name, Image& reference, const std::string& referenceName);

} // namespace aureole::cli
