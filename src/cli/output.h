#pragma once

#include <filesystem>
#include <initializer_list>

#include "image/image_file.h"

namespace aureole::cli {

/// Checks before any work that an image can be written: its extension names one of `formats`, and the place is
/// writable. Returns the format. Throws Error (Usage, CannotWrite).
ImageFormat checkOutput(const std::filesystem::path& path, std::initializer_list<ImageFormat> formats);

} // namespace aureole::cli
