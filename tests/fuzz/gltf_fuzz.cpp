// glTF: a binary file where the input opens as one, else JSON, which may refer to the files data.bin and picture.png;
// at rest, and posed by an animation named "go".

#include "fuzz.h"
#include "image/png/png.h"
#include "sane_scene.h"

namespace aureole::fuzz {

namespace {

bool writeReferences() {
    Image picture = makeImage(2, 2, {"R", "G", "B"});
    picture.channels[0].values = {0.0F, 0.25F, 0.5F, 1.0F};
    writePng(folder() / "picture.png", picture);
    const std::vector<float> positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    written("data.bin", std::as_bytes(std::span(positions)));
    return true;
}

} // namespace

void runInput(Bytes input) {
    static const bool kReferences = writeReferences();
    require(kReferences, "files to refer to can be written");
    const bool isBinary = textOf(input).starts_with("glTF");
    const std::filesystem::path file = written(isBinary ? "model.glb" : "model.gltf", input);
    ImportOptions posed;
    posed.moment = {"go", 0.7, true};
    goesThrough(file.string(), [&] { requireSane(importModel(file, {})); });
    goesThrough(file.string(), [&] { requireSane(importModel(file, posed)); });
}

} // namespace aureole::fuzz
