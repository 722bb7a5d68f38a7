// The header of PLY files and the lists in their data, as they are checked before assimp reads them.

#include "fuzz.h"
#include "scene/assimp/ply_header.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    const std::filesystem::path file = written("model.ply", input);
    goesThrough(file.string(), [&] { checkPly(file); });
}

} // namespace aureole::fuzz
