#pragma once

#include <filesystem>
#include <string>

namespace aureole {

/// A file name's extension with its dot, ASCII letters in lower case; empty where there is none. It tells formats
/// apart.
std::string lowerExtension(const std::filesystem::path& file);

} // namespace aureole
