// Renders of scenes of several octrees, from scene files.

#include <cmath>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "image/exr/exr.h"

namespace aureole {
namespace {

class GridsTest : public CliTest {
protected:
    /// Convex grey bodies of albedo 1/2 in a sky of radiance 1, which send out 1/2 everywhere, apart from each other.
    std::string bodies(const std::string& assets, const std::string& instances) const {
        return write("scene.json", R"({ "version": 1, "materials": { "grey": { "albedo": 0.5 } }, "assets": {)" +
                                       assets + R"(}, "instances": {)" + instances + R"(},
            "cameras": { "main": { "position": [0, 0, 4], "target": [0, 0, 0], "verticalFov": 40 } },
            "environment": { "type": "constant", "radiance": 1 }, "film": { "size": [16, 12], "filter": "box" },
            "voxels": { "resolution": 64, "surface": "planes" } })");
    }
    struct Rendered {
        Image image;
        nlohmann::json stats;
    };
    Rendered render(const std::string& scene, const Arguments& where = {"--allow-cpu"}) const {
        Arguments arguments = {"render", scene, "-o", path("out.exr"), "--stats-json", path("s.json"), "--spp", "64"};
        arguments.insert(arguments.end(), where.begin(), where.end());
        expectDone(arguments);
        return {readExr(path("out.exr")), readJson(path("s.json"))};
    }
};

/// Two turned, mirrored and stretched balls of one octree; the second render has it from the cache, also where they
/// have moved. A pixel in the middle of one shows what it sends out.
TEST_F(GridsTest, BallsOfOneOctreeAreRenderedAndCached) {
    const std::string assets = R"("ball": { "sphere": { "subdivisions": 3 }, "voxels": {} })";
    const auto instances = [](const std::string& turn) {
        return R"("left": { "asset": "ball", "material": "grey", "translate": [-1, 0, 0], "rotate": [0, 0, )" + turn +
               R"(], "scale": [0.5, -0.8, 0.7] },
                  "right": { "asset": "ball", "material": "grey", "translate": [1, 0, 0], "scale": 0.6 })";
    };
    const Rendered first = render(bodies(assets, instances("30")));
    EXPECT_NEAR(pixel(first.image, 4, 6)[0], 0.5, 0.06);
    EXPECT_NEAR(pixel(first.image, 12, 6)[0], 0.5, 0.06);
    EXPECT_NEAR(pixel(first.image, 0, 0)[0], 1.0, 1e-6);
    const Rendered second = render(bodies(assets, instances("50")));
    EXPECT_TRUE(second.stats.at("octree_cached").get<bool>());
    const Rendered triangles = render(path("scene.json"), {"--backend", "reference"});
    for (const std::uint32_t x : {4U, 12U}) {
        EXPECT_NEAR(pixel(second.image, x, 6)[0], pixel(triangles.image, x, 6)[0], 0.08) << x;
    }
}

/// An octree file is an asset like others: turned, twice, and beside a mesh.
TEST_F(GridsTest, OctreeFilesStandTurnedBesideMeshes) {
    const std::string ball =
        bodies(R"("ball": { "sphere": { "subdivisions": 3 } })", R"("1": { "asset": "ball", "material": "grey" })");
    expectDone({"voxelize", ball, "-o", path("ball.avo"), "--resolution", "64"});
    const std::string scene =
        bodies(R"("ball": { "file": "ball.avo" }, "box": { "box": {} })",
               R"("1": { "asset": "ball", "translate": [-1, 0, 0], "rotate": [0, 0, 30], "scale": 0.5 },
                                        "2": { "asset": "ball", "translate": [1, 0, 0], "scale": [0.5, 0.4, -0.6] },
                                        "3": { "asset": "box", "material": "grey", "translate": [0, 0, -9] })");
    const Rendered rendered = render(scene);
    EXPECT_NEAR(pixel(rendered.image, 4, 6)[0], 0.5, 0.06);
    EXPECT_NEAR(pixel(rendered.image, 12, 6)[0], 0.5, 0.06);
    expectFailure(kBadInput, {"render", scene, "-o", path("out.exr"), "--backend", "reference"}, {"ball.avo"});
}

} // namespace
} // namespace aureole
