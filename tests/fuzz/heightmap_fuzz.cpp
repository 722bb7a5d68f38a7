// Pictures as the heights of an asset, EXR or PNG; those of an odd size get an underside.

#include "fuzz.h"
#include "sane_scene.h"
#include "scene/json/scene_reader.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    const bool hasBase = input.size() % 2 != 0;
    written("heights", input);
    const std::filesystem::path scene = folder() / "scene.json";
    const std::string asset = std::string(R"("heightmap": {"file": "heights", "size": [2, 3], "height": 0.5)") +
                              (hasBase ? R"(, "base": -1e6})" : "}");
    const SceneReading reading =
        readSceneText(scene, R"({"version": 1, "assets": {"a": {)" + asset +
                                 R"(}}, "instances": {"a": {"asset": "a"}}, "cameras": {"c": {"position": [0, 9, 9],
                                 "target": [0, 0, 0]}}})");
    for (const SceneProblem& problem : reading.log.problems) {
        require(problem.pointer.starts_with("/assets/a"), "problems name the asset");
    }
    if (reading.log.problems.empty()) {
        requireSane(reading.scene);
        require(reading.scene.meshes.size() == 1 && !reading.scene.meshes[0].triangles.empty(), "heights are a mesh");
    }
}

} // namespace aureole::fuzz
