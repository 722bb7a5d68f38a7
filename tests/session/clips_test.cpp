// Renders of what a clip of a model file moves, from scene files.

#include <algorithm>
#include <cmath>
#include <string>

#include "cli_test.h"
#include "image/exr/exr.h"
#include "waving_model.h"

namespace aureole {
namespace {

class ClipsTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        write("waving.gltf", wavingModel());
    }
    /// A frame of a flag of albedo 1/2 that turns by 45 degrees a second in a sky of radiance 1, so that it shows 1/2;
    /// `asset` goes on behind the asset's file, `clip` behind the clip's name.
    Image frame(std::uint32_t number, const Arguments& where, const std::string& asset = "",
                const std::string& clip = "", const std::string& film = "") const {
        const std::string scene =
            write("scene.json", R"({ "version": 1, "materials": { "grey": { "albedo": 0.5 } },
            "assets": { "flag": { "file": "waving.gltf", "animation": { "clip": "wave", "framesPerSecond": 2)" +
                                    clip + " }" + asset + R"( } },
            "instances": { "flag": { "asset": "flag", "material": "grey", "scale": 1.4 } },
            "cameras": { "main": { "position": [0, 0.6, 4], "target": [0, 0.6, 0], "verticalFov": 30 } },
            "environment": { "type": "constant", "radiance": 1 },
            "film": { "size": [16, 12], "filter": "box")" +
                                    film + R"( }, "voxels": { "resolution": 256, "surface": "planes" } })");
        const std::string frames = std::to_string(number) + ":" + std::to_string(number + 1);
        Arguments arguments = {"render", scene, "-o", path("out.#.exr"), "--frames", frames, "--spp", "256"};
        arguments.insert(arguments.end(), where.begin(), where.end());
        expectDone(arguments);
        return readExr(path("out." + std::to_string(number) + ".exr"));
    }
    static double differ(const Image& a, const Image& b) {
        double most = 0.0;
        for (std::size_t i = 0; i < a.pixelCount(); ++i) {
            most = std::max(most, std::abs(double{a.find("G")->values[i]} - double{b.find("G")->values[i]}));
        }
        return most;
    }
};

/// The triangles of a part that moves are those of the posed mesh, also in the round after the first.
TEST_F(ClipsTest, PicturesAreThoseOfPosedMeshes) {
    const Arguments triangles = {"--backend", "reference"};
    const std::string later = R"(, "start": 2.25)";
    const Image moved = frame(3, triangles, "", later);
    EXPECT_LT(differ(moved, frame(3, triangles, R"(, "share": false)", later)), 0.02); // a sample at an edge
    EXPECT_GT(differ(moved, frame(1, triangles, "", later)), 0.2) << "it moves";
}

/// While the shutter is open a clip goes on: a blurred frame is the mean of frames in between.
TEST_F(ClipsTest, AreBlurredWithinAFrame) {
    const Arguments triangles = {"--backend", "reference"};
    const Image blurred = frame(1, triangles, "", "", R"(, "shutterClose": 1)");
    Image mean = blurred;
    std::fill(mean.find("G")->values.begin(), mean.find("G")->values.end(), 0.0F);
    constexpr int kStills = 16;
    for (int i = 0; i < kStills; ++i) {
        const std::string start = R"(, "start": )" + std::to_string((i + 0.5) / kStills / 2.0);
        const Image still = frame(1, triangles, R"(, "share": false)", start);
        for (std::size_t k = 0; k < mean.pixelCount(); ++k) {
            mean.find("G")->values[k] += still.find("G")->values[k] / kStills;
        }
    }
    EXPECT_LT(differ(blurred, mean), 0.1);
    EXPECT_GT(differ(blurred, frame(1, triangles)), 0.2);
}

/// So does the device show them.
TEST_F(ClipsTest, OnADeviceAreThoseOfTheTriangles) {
    for (const std::string film : {"", R"(, "shutterClose": 1)"}) {
        const Image device = frame(1, {"--allow-cpu"}, "", "", film);
        EXPECT_LT(differ(device, frame(1, {"--backend", "reference"}, "", "", film)), 0.12) << film;
    }
}

} // namespace
} // namespace aureole
