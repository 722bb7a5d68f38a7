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
    const Rendered triangles = render(path("scene.json"), {"--backend", "reference", "--aov", "instance,asset"});
    EXPECT_EQ(triangles.image.attributes.at("aureole.instances"), "1 left\n2 right");
    EXPECT_EQ(triangles.image.attributes.at("aureole.assets"), "1 ball");
    EXPECT_EQ(triangles.image.find("instance.Y")->values[6 * 16 + 4], 1.0F);
    EXPECT_EQ(triangles.image.find("instance.Y")->values[6 * 16 + 12], 2.0F);
    EXPECT_EQ(triangles.image.find("asset.Y")->values[6 * 16 + 12], 1.0F);
    EXPECT_EQ(triangles.image.find("asset.Y")->values[0], 0.0F);
    for (const std::uint32_t x : {4U, 12U}) {
        EXPECT_NEAR(pixel(second.image, x, 6)[0], pixel(triangles.image, x, 6)[0], 0.08) << x;
    }
}

/// An octree file is an asset like others: turned, twice, mirrored, and beside a mesh. A hook, which no turn brings
/// onto itself, stands where its triangles do.
TEST_F(GridsTest, OctreeFilesStandTurnedBesideMeshes) {
    const std::string parts = R"("part": { "box": {} })";
    const auto hook = [](const std::string& from, const std::string& arm) {
        return R"(")" + from + R"(post": { "asset": "part", "material": "grey", )" + arm + "}";
    };
    const std::string alone = bodies(parts, hook("", R"("scale": [0.3, 2, 0.3])") + "," +
                                                hook("arm", R"("scale": [1, 0.3, 0.3], "translate": [0.5, 0.9, 0])"));
    expectDone({"voxelize", alone, "-o", path("hook.avo"), "--resolution", "64"});
    const std::string scene =
        bodies(R"("hook": { "file": "hook.avo" }, "box": { "box": {} })",
               R"("1": { "asset": "hook", "translate": [-1, 0, 0], "rotate": [0, 0, 90], "scale": 0.7 },
           "2": { "asset": "hook", "translate": [0.8, 0, 0], "rotate": [0, 0, -90], "scale": [-0.7, 0.7, 0.7] },
           "3": { "asset": "box", "material": "grey", "translate": [0, 0, -9] })");
    const Rendered rendered = render(scene);
    // Turned, the post lies along X; the first one's arm goes up at its left end, the mirrored one's too, at its right.
    const auto seen = [&](double x, double y) {
        const double pixelsOfMetre = 6.0 / (4.0 * std::tan(20.0 * 3.14159265 / 180.0));
        return pixel(rendered.image, static_cast<std::uint32_t>(8.0 + x * pixelsOfMetre),
                     static_cast<std::uint32_t>(6.0 - y * pixelsOfMetre))[0] < 0.9F;
    };
    for (const double side : {-1.0, 1.0}) {
        const double middle = side < 0.0 ? -1.0 : 0.8;
        EXPECT_TRUE(seen(middle, 0.0)) << side;
        EXPECT_TRUE(seen(middle + 0.4 * side, 0.0)) << side;
        EXPECT_TRUE(seen(middle + 0.63 * side, 0.5)) << side;
        EXPECT_FALSE(seen(middle + 0.63 * side, -0.5)) << side;
        EXPECT_FALSE(seen(middle - 0.4 * side, 0.5)) << side;
    }
    expectFailure(kBadInput, {"render", scene, "-o", path("out.exr"), "--backend", "reference"}, {"hook.avo"});
    const nlohmann::json octrees = parseJson(expectDone({"info", scene, "--json"}).out).at("octrees");
    ASSERT_EQ(octrees.size(), 2U);
    EXPECT_EQ(octrees[0].at("instances"), 2U);
    EXPECT_NE(octrees[0].at("octree").get<std::string>().find("hook.avo"), std::string::npos);
    EXPECT_EQ(octrees[1].at("resolution"), 64U);
}

/// Far instances with levels of detail look as those without, have the same numbers and give as much light: a crop of a
/// picture in which a grey ball and a lamp stand some twenty pixels wide over a floor, and others near the camera.
TEST_F(GridsTest, FarInstancesWithLevelsLookAsThoseWithout) {
    const std::string scene = write("levels.json", R"({ "version": 1,
        "materials": { "grey": { "albedo": 0.5 }, "lamp": { "albedo": 0, "emission": 4 } },
        "assets": { "ball": { "sphere": {}, "voxels": {} }, "floor": { "quad": {} } },
        "instances": { "floor": { "asset": "floor", "material": "grey", "translate": [0, -1, 0], "scale": 90 },
            "near": { "asset": "ball", "material": "grey", "translate": [-2, 0, 0], "rotate": [20, 0, 0] },
            "nearLamp": { "asset": "ball", "material": "lamp", "translate": [2, 0, 0] },
            "far": { "asset": "ball", "material": "grey", "translate": [-1.3, 0, -60], "rotate": [0, 30, 9] },
            "farLamp": { "asset": "ball", "material": "lamp", "translate": [1.3, 0, -60], "scale": [-1, 1, 1] } },
        "cameras": { "main": { "position": [0, 3, 7], "target": [0, -1, -60], "verticalFov": 40 } },
        "environment": { "type": "constant", "radiance": 0.1 }, "film": { "size": [640, 480], "filter": "box" },
        "voxels": { "resolution": 512, "surface": "planes" } })");
    const auto rendered = [&](const std::string& levels) {
        return render(scene, {"--allow-cpu", "--crop", "296,219,344,243", "--aov", "instance,asset", "--set",
                              "/voxels/levels=" + levels});
    };
    const Rendered with = rendered("true");
    const Rendered without = rendered("false");
    EXPECT_LT(with.stats.at("voxels").get<double>(), 0.7 * without.stats.at("voxels").get<double>());
    EXPECT_EQ(with.image.attributes.at("aureole.assets"), without.image.attributes.at("aureole.assets"));
    EXPECT_EQ(with.image.attributes.at("aureole.instances"), without.image.attributes.at("aureole.instances"));
    const auto& numbers = with.image.find("instance.Y")->values;
    const auto& others = without.image.find("instance.Y")->values;
    std::size_t renumbered = 0;
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        renumbered += numbers[at] != others[at] ? 1U : 0U;
    }
    EXPECT_LT(renumbered, 12U);                  // at the edges of balls
    for (const std::uint32_t left : {0U, 24U}) { // the grey ball, which the lamp lights, and the lamp
        double sum = 0.0;
        double other = 0.0;
        double apart = 0.0;
        for (std::uint32_t at = 0; at < 24 * 24; ++at) {
            const double a = pixel(with.image, left + at % 24, at / 24)[0];
            const double b = pixel(without.image, left + at % 24, at / 24)[0];
            sum += a;
            other += b;
            apart += std::abs(a - b);
        }
        EXPECT_NEAR(sum / other, 1.0, 0.01) << left;
        EXPECT_LT(apart / other, 0.04) << left;
    }
}

/// The place to blame is that of the asset, where it says what its voxels are itself.
TEST_F(GridsTest, WhatDoesNotSuitVoxelsIsToldWhereTheyAre) {
    const auto refuses = [&](const std::string& asset, const std::vector<std::string>& words) {
        const std::string scene = bodies(asset + R"(, "ball": { "sphere": {} })",
                                         R"("1": { "asset": "a", "material": "grey" }, "2": { "asset": "ball" })");
        const std::string lamp = "/materials/grey/emission=[1, 1, 1]";
        expectFailure(kBadInput, {"validate", scene, "--set", lamp}, words);
        expectFailure(kBadInput, {"render", scene, "--set", lamp, "-o", path("out.exr"), "--allow-cpu"}, words);
    };
    refuses(R"("a": { "quad": {}, "voxels": { "surface": "field" } })", {"/assets/a/voxels/surface", "not closed"});
    refuses(R"("a": { "box": {}, "voxels": { "surface": "cubes", "attributes": "none" } })",
            {"/assets/a/voxels/attributes: found 'none' with mesh 'a', which has emission"});
}

} // namespace
} // namespace aureole
