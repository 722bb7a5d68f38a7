// binvox files.

#include "fuzz.h"
#include "sane_scene.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    const std::filesystem::path file = written("model.binvox", input);
    goesThrough(file.string(), [&] {
        const ImportedModel model = importModel(file, {});
        requireSane(model);
        require(!model.voxelInstances.empty(), "a binvox file that is accepted has a voxel");
    });
}

} // namespace aureole::fuzz
