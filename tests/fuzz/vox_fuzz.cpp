// MagicaVoxel's .vox.

#include "fuzz.h"
#include "sane_scene.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    const std::filesystem::path file = written("model.vox", input);
    goesThrough(file.string(), [&] {
        const ImportedModel model = importModel(file, {.sceneFolder = {}, .frames = {1, 2, 4095}});
        requireSane(model);
        require(!model.voxelInstances.empty(), "a .vox file that is accepted has a voxel model somewhere");
    });
}

} // namespace aureole::fuzz
