// .nvdb files.

#include "fuzz.h"
#include "sane_scene.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    const std::filesystem::path file = written("model.nvdb", input);
    goesThrough(file.string(), [&] {
        const ImportedModel model = importModel(file, {});
        requireSane(model);
        require(model.voxelModels.size() == 1 || model.volume, "a .nvdb file that is accepted has a level set or fog");
    });
}

} // namespace aureole::fuzz
