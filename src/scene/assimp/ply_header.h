#pragma once

#include <filesystem>

namespace aureole {

/// Makes sure that a PLY file is large enough for the elements that its header announces: assimp makes room for all of
/// them before it looks for their data. Throws Error (BadInput) naming the file, the line, the element, and the bytes
/// found and expected; also for a header that does not end or has a malformed format, element or property. Files that
/// do not open with "ply" pass.
void checkPlyHeader(const std::filesystem::path& file);

} // namespace aureole
