#pragma once

#include <filesystem>
#include <string>

namespace aureole {

/// A program that comes with this one: beside it, or in ../libexec/aureole. Throws Error (Internal) that says what it
/// is (`purpose`), names both places, and says what to do (`advice`).
std::filesystem::path findCompanion(const std::string& program, const std::string& purpose, const std::string& advice);

} // namespace aureole
