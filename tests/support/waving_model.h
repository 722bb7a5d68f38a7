#pragma once

// A glTF file of a triangle that an animation turns.

#include <string>
#include <vector>

#include "import_files.h"

namespace aureole {

/// About z, from 0 to 90 degrees in 2 s, by the animation "wave".
inline std::string wavingModel() {
    test::GltfData data;
    const std::string positions = std::to_string(data.positions(test::kTriangle));
    const std::string times =
        std::to_string(data.accessor(test::bytesOf(std::vector<float>{0.0F, 2.0F}), 5126, 2, "SCALAR"));
    const float h = 0.70710678F;
    const std::string turns =
        std::to_string(data.accessor(test::bytesOf(std::vector<float>{0, 0, 0, 1, 0, 0, h, h}), 5126, 2, "VEC4"));
    return data.document(R"("meshes": [{"primitives": [{"attributes": {"POSITION": )" + positions +
                         R"(}}]}], "nodes": [{"mesh": 0}], "animations": [{"name": "wave", "channels": [{"sampler": 0,
                         "target": {"node": 0, "path": "rotation"}}], "samplers": [{"input": )" +
                         times + R"(, "output": )" + turns + "}]}]");
}

} // namespace aureole
