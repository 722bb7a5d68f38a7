#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "image/image_file.h"

namespace aureole {

/// Checks before any work that an image can be written: its extension names one of `formats`, and the place is
/// writable. Returns the format. Throws Error (Usage, CannotWrite).
ImageFormat checkOutput(const std::filesystem::path& path, std::initializer_list<ImageFormat> formats);

/// Refuses an option that only a PNG has a use for (Setting::forDisplay), where it is given and `format` is another
/// one. Throws Error (Usage).
void checkPngOption(std::string_view option, bool given, ImageFormat format, const std::string& output);

/// Refuses options that only --frames has a use for, where there are none. Each comes with whether it was given. Throws
/// Error (Usage).
void checkFrameOptions(std::initializer_list<std::pair<std::string_view, bool>> options, bool frames);

/// A file of a command, and the option or argument that names it; an empty name is no file.
struct NamedFile {
    std::string_view option;
    std::string file;
};

/// The files that a scene is made of, which it has read.
std::vector<NamedFile> filesOfScene(const std::vector<std::filesystem::path>& files);

/// Throws Error (Usage) where a written file is the same as another one of these files, by whatever path.
void checkApart(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

/// Throws Error (Usage) where a file has another extension than `extension`, as in ".json"; case does not count. An
/// empty name is no file.
void checkExtension(const NamedFile& file, std::string_view extension);

} // namespace aureole
