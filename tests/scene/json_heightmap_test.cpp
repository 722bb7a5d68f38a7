// Assets that are heights from pictures.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "image/colour/srgb.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "json_test_util.h"

namespace aureole {
namespace {

class JsonHeightmap : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        Image image = makeImage(3, 2, {"Y"});
        image.channels[0].values = {0.0F, 0.5F, 1.0F, 0.25F, 0.25F, -2.0F};
        writeExr(folder / "hills.exr", image);
        image.channels[0].values = {0.0F, 0.25F, 0.5F, 0.75F, 1.0F, 0.125F};
        writePng(folder / "hills.png", image, {.bitDepth = 16, .transfer = PngTransfer::Linear});
        writePng(folder / "display.png", image, {.bitDepth = 16}); // through the curve of displays
        writeExr(folder / "row.exr", makeImage(3, 1, {"Y"}));
        image.channels[0].values[4] = std::nanf("");
        writeExr(folder / "torn.exr", image);
    }

    Mesh meshOf(const std::string& heightmap) const {
        return load(minimalScene(), {{"/assets/ball", "{ \"heightmap\": " + heightmap + " }"}}).meshes.at(0);
    }
};

/// How often each directed edge is there without its opposite; vertices are the same where they lie.
std::size_t openEdges(const Mesh& mesh) {
    using Place = std::array<float, 3>;
    std::map<std::pair<Place, Place>, int> edges;
    const auto at = [&](std::uint32_t i) {
        return Place{mesh.positions[i].x, mesh.positions[i].y, mesh.positions[i].z};
    };
    for (const glm::uvec3& t : mesh.triangles) {
        for (glm::length_t i = 0; i < 3; ++i) {
            const Place a = at(t[i]);
            const Place b = at(t[(i + 1) % 3]);
            ++edges[{a, b}];
            --edges[{b, a}];
        }
    }
    return static_cast<std::size_t>(
        std::count_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.second != 0; }));
}

double volumeOf(const Mesh& mesh) {
    double sum = 0.0;
    for (const glm::uvec3& t : mesh.triangles) {
        sum += glm::dot(glm::dvec3(mesh.positions[t.x]),
                        glm::cross(glm::dvec3(mesh.positions[t.y]), glm::dvec3(mesh.positions[t.z]))) /
               6.0;
    }
    return sum;
}

TEST_F(JsonHeightmap, HeightsStandWhereThePictureHasThem) {
    const Mesh mesh = meshOf(R"({ "file": "hills.exr", "size": [4, 10], "height": 3 })");
    EXPECT_EQ(mesh.positions,
              (std::vector<glm::vec3>{{-2, 0, -5}, {0, 1.5, -5}, {2, 3, -5}, {-2, 0.75, 5}, {0, 0.75, 5}, {2, -6, 5}}));
    ASSERT_EQ(mesh.triangles.size(), 4U);
    for (const glm::uvec3& t : mesh.triangles) {
        const glm::vec3 a = mesh.positions[t.x];
        const glm::vec3 normal = glm::cross(mesh.positions[t.y] - a, mesh.positions[t.z] - a);
        EXPECT_GT(normal.y, 0.0F);
    }
    EXPECT_EQ(mesh.uvs[0][0], glm::vec2(0.5F / 3.0F, 0.25F));
    // Along X between both neighbours; towards the least Z it has none.
    EXPECT_LT(glm::distance(mesh.normals[1], glm::normalize(glm::vec3(-3.0F / 4.0F, 1.0F, 0.75F / 10.0F))), 1e-6F);
}

TEST_F(JsonHeightmap, PngValuesAreNoColours) {
    const Mesh mesh = meshOf(R"({ "file": "display.png" })");
    EXPECT_NEAR(mesh.positions[1].y, srgbEncode(0.25), 1e-4);
    EXPECT_NEAR(mesh.positions[5].y, srgbEncode(0.125), 1e-4);
}

TEST_F(JsonHeightmap, ABaseClosesIt) {
    EXPECT_NE(openEdges(meshOf(R"({ "file": "hills.png" })")), 0U);
    const Mesh solid = meshOf(R"({ "file": "hills.png", "size": [2, 1], "base": -1 })");
    EXPECT_EQ(openEdges(solid), 0U);
    // Two prisms over each cell, by their means of three heights.
    const double means =
        (0.0 + 0.25 + 0.75) / 3 + (0.25 + 0.75 + 1.0) / 3 + (0.25 + 1.0 + 0.125) / 3 + (0.25 + 0.125 + 0.5) / 3;
    EXPECT_NEAR(volumeOf(solid), 2.0 + 0.5 * means, 1e-3);
    for (const glm::vec3& normal : solid.normals) {
        EXPECT_NEAR(glm::length(normal), 1.0F, 1e-6F);
    }
}

TEST_F(JsonHeightmap, WhatIsWrongIsToldWithItsPlace) {
    struct Bad {
        const char* heightmap;
        const char* pointer;
        std::vector<const char*> words;
    };
    for (const Bad& bad :
         {Bad{R"({ "file": "gone.png" })", "/assets/ball/heightmap/file", {"gone.png"}},
          Bad{R"({ "file": "row.exr" })", "/assets/ball/heightmap/file", {"found 3 x 1 pixels", "at least 2 x 2"}},
          Bad{R"({ "file": "torn.exr" })", "/assets/ball/heightmap/file", {"nan", "pixel 1,1", "finite heights"}},
          Bad{R"({ "file": "hills.exr", "base": -2 })", "/assets/ball/heightmap/base", {"found -2 m", "at -2 m"}},
          Bad{R"({ "file": "hills.exr", "size": [1, 0] })", "/assets/ball/heightmap/size/1", {"found 0"}},
          Bad{R"({ "file": "hills.exr", "hieght": 1 })", "/assets/ball/heightmap/hieght", {"'height'"}},
          Bad{R"({ "size": [1, 1] })", "/assets/ball/heightmap", {"'file'"}}}) {
        const auto found =
            problems(minimalScene(), {{"/assets/ball", std::string("{ \"heightmap\": ") + bad.heightmap + " }"}});
        ASSERT_EQ(found.size(), 1U) << bad.heightmap << '\n' << join(found);
        EXPECT_EQ(found[0].pointer, bad.pointer) << found[0].message;
        for (const char* word : bad.words) {
            EXPECT_NE(found[0].message.find(word), std::string::npos) << found[0].message;
        }
    }
}

TEST_F(JsonHeightmap, ItsPictureIsPartOfTheHash) {
    const auto hashes = [&] {
        const Scene scene = load(minimalScene(), {{"/assets/ball", R"({ "heightmap": { "file": "hills.png" } })"}});
        return std::pair(scene.hash, scene.surfaceHash);
    };
    const auto before = hashes();
    writePng(folder / "hills.png", makeImage(3, 2, {"Y"}));
    EXPECT_NE(hashes().first, before.first);
    EXPECT_NE(hashes().second, before.second);
}

} // namespace
} // namespace aureole
