// The header of PLY files and the lists in their data, as they are checked before assimp reads them.

#include "fuzz.h"
#include "import/asset_reader.h"
#include "import/assimp/ply_check.h"
#include "import/folder_files.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    const std::filesystem::path file = written("model.ply", input);
    goesThrough(file.string(), [&] {
        FolderFiles files(file, {});
        checkPly(AssetReader(file, files));
    });
}

} // namespace aureole::fuzz
