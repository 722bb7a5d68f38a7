#pragma once

#include <string>
#include <string_view>

#include "image/finish/finish.h"

namespace aureole::cli {

/// Finishes the image of a file and notes it. A crop, whose middle and size are not the picture's, is warned of in the
/// name of `option`. Throws Error (BadInput).
void finishImage(Image& image, const Finish& finish, const std::string& layer, const std::string& file,
                 std::string_view option);

} // namespace aureole::cli
