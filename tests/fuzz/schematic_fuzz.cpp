// Builds of Minecraft, not packed: the first byte says as which kind of file the others are read.

#include <array>

#include "fuzz.h"
#include "sane_scene.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    if (input.empty()) {
        return;
    }
    constexpr std::array kNames = {"model.schem", "model.litematic", "model.nbt"};
    const auto kind = std::to_integer<std::size_t>(input[0]) % kNames.size();
    const std::filesystem::path file = written(kNames.at(kind), input.subspan(1));
    goesThrough(file.string(), [&] {
        const ImportedModel model = importModel(file, {});
        requireSane(model);
        require(!model.voxelInstances.empty(), "a build that is accepted has a block");
    });
}

} // namespace aureole::fuzz
