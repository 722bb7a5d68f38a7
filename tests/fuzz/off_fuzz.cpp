// OFF files.

#include "fuzz.h"
#include "sane_scene.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    const std::filesystem::path file = written("model.off", input);
    goesThrough(file.string(), [&] {
        const ImportedModel model = importModel(file, {});
        requireSane(model);
        require(model.meshes.size() == 1 && model.meshInstances.size() == 1,
                "an OFF file that is accepted is one mesh");
    });
}

} // namespace aureole::fuzz
