// The limit of what a scene takes of memory: what is counted is what is allocated, and too much of any kind is an error
// where it goes past the limit, once.

#include "scene/scene_memory.h"

#include <gtest/gtest.h>

#include "json_test_util.h"
#include "model/primitives.h"
#include "sandbox/settings.h"
#include "volume_files.h"

namespace aureole {
namespace {

/// Holds scenes to a limit until its end.
class Limited {
public:
    explicit Limited(std::uint64_t bytes)
        : before_(sandbox::settings()) {
        sandbox::Settings limited = before_;
        limited.memory = bytes;
        sandbox::configure(limited);
    }
    ~Limited() { sandbox::configure(before_); }
    Limited(const Limited&) = delete;
    Limited& operator=(const Limited&) = delete;

private:
    sandbox::Settings before_;
};

std::string number32(std::uint32_t value) {
    return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

/// A MagicaVoxel file of side^3 cells, one of them solid.
std::string voxFile(std::uint32_t side) {
    const auto chunk = [](const std::string& id, const std::string& content, const std::string& children) {
        return id + number32(static_cast<std::uint32_t>(content.size())) +
               number32(static_cast<std::uint32_t>(children.size())) + content + children;
    };
    const std::string size = chunk("SIZE", number32(side) + number32(side) + number32(side), "");
    const std::string cells = chunk("XYZI", number32(1) + std::string("\x01\x01\x01\x01", 4), "");
    return "VOX " + number32(150) + chunk("MAIN", "", size + cells);
}

/// `count` entries of an object: its names are the prefix with a number.
std::string entries(const std::string& prefix, int count, const std::string& value) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += (i == 0 ? "" : ",\n") + std::string("\"") + prefix + std::to_string(100 + i) + "\": " + value;
    }
    return text;
}

std::string sceneOf(const std::string& assets, const std::string& instances, const std::string& materials = "") {
    return R"({ "version": 1, "materials": {)" + materials + "},\n\"assets\": {" + assets + "},\n\"instances\": {" +
           instances + R"(}, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } } })";
}

std::uint64_t placedTriangles(const Scene& scene) {
    std::uint64_t triangles = 0;
    for (const MeshInstance& instance : scene.meshInstances) {
        triangles += scene.meshes[instance.mesh].triangles.size();
    }
    return triangles;
}

class SceneMemory : public SceneJsonTest {
protected:
    /// Expects a scene to load with `bytes` of memory, and with one less to end at `pointer`.
    void expectLimit(const std::string& text, std::uint64_t bytes, const std::string& pointer) const {
        {
            const Limited limited(bytes);
            EXPECT_EQ(join(problems(text)), "");
        }
        expectEnd(text, bytes - 1, pointer);
    }

    void expectEnd(const std::string& text, std::uint64_t bytes, const std::string& pointer) const {
        const Limited limited(bytes);
        const std::vector<SceneProblem> found = problems(text);
        ASSERT_EQ(found.size(), 1U) << join(found);
        EXPECT_EQ(found[0].pointer, pointer);
        EXPECT_GT(found[0].line, 0U);
        EXPECT_NE(found[0].message.find(", expected at most "), std::string::npos) << join(found);
        EXPECT_NE(found[0].message.find("--asset-memory"), std::string::npos) << join(found);
    }
};

TEST_F(SceneMemory, OfASphereIsKnownBeforeItIsMade) {
    for (std::uint32_t n = 0; n < 7; ++n) {
        const Mesh sphere = makeSphere({1, 2, 3}, 2.0, n);
        EXPECT_EQ(sizeof(Mesh) + sphereBytes(n), bytesOf(sphere)) << n;
        EXPECT_EQ(sphere.positions.capacity(), sphere.positions.size()) << n;
        EXPECT_EQ(sphere.triangles.capacity(), sphere.triangles.size()) << n;
    }
}

TEST_F(SceneMemory, OfPrimitivesIsThatOfTheirArraysAndOfPlacingThem) {
    const std::string text = sceneOf(entries("s", 3, R"({ "sphere": { "subdivisions": 3 } })") + R"(,
"t": { "box": {} }, "u": { "quad": {} },
"v": { "mesh": { "positions": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]] } })",
                                     R"("a": { "asset": "s100" }, "b": { "asset": "s101" }, "c": { "asset": "t" },
"d": { "asset": "u" }, "e": { "asset": "v" })");
    const Scene scene = load(text);
    EXPECT_EQ(placedTriangles(scene), 2 * 1280U + 12 + 2 + 1);
    std::uint64_t bytes = 0;
    for (const Mesh& mesh : scene.meshes) {
        bytes += sizeof(Mesh) + mesh.positions.size() * 12 + mesh.normals.size() * 12 + mesh.uvs[0].size() * 8 +
                 mesh.triangles.size() * 12;
    }
    EXPECT_EQ(bytesOf(scene), bytes + 5 * sizeof(MeshInstance));
    expectLimit(text, bytesOf(scene) + 16 * placedTriangles(scene), "/instances/e");
}

/// 60 KB of JSON, for 60 GB.
TEST_F(SceneMemory, EndsThousandsOfFineSpheresAtTheFirstTooMany) {
    const std::string text = sceneOf(entries("s", 2000, R"({ "sphere": { "subdivisions": 8 } })"),
                                     entries("i", 2000, R"({ "asset": "s100" })"));
    expectEnd(text, sphereBytes(8) + sphereBytes(8) / 2, "/assets/s1000/sphere"); // the second in the order of names
}

TEST_F(SceneMemory, EndsAMeshPlacedThousandsOfTimes) {
    const std::string text =
        sceneOf(R"("ball": { "sphere": { "subdivisions": 3 } })", entries("i", 800, R"({ "asset": "ball" })"));
    const Scene scene = load(text);
    EXPECT_EQ(scene.meshes.size(), 1U) << "instances share their mesh";
    EXPECT_EQ(placedTriangles(scene), 800 * 1280U);
    const std::uint64_t mesh = sizeof(Mesh) + sphereBytes(3);
    const std::uint64_t instance = sizeof(MeshInstance) + 1280 * 16U;
    expectLimit(text, mesh + 800 * instance, "/instances/i899");
    expectEnd(text, mesh + 300 * instance, "/instances/i400");
}

TEST_F(SceneMemory, EndsCopiesOfVoxelModels) {
    write("m.vox", voxFile(32));
    const std::string materials = R"("red": { "albedo": [1, 0, 0] })";
    const std::string copies =
        sceneOf(R"("m": { "file": "m.vox" })", entries("i", 40, R"({ "asset": "m", "material": "red" })"), materials);
    const Scene scene = load(copies);
    ASSERT_EQ(scene.voxelModels.size(), 41U);
    EXPECT_EQ(bytesOf(scene), 41 * (sizeof(VoxelModel) + 32 * 32 * 32) + 40 * sizeof(VoxelInstance));
    expectLimit(copies, bytesOf(scene) + sizeof(VoxelInstance), "/instances/i139"); // the asset's own instance
    // Those of the model's own materials share it.
    const std::string shared = sceneOf(R"("m": { "file": "m.vox" })", entries("i", 40, R"({ "asset": "m" })"));
    EXPECT_EQ(load(shared).voxelModels.size(), 1U);
    const Limited limited(100'000);
    EXPECT_EQ(join(problems(shared)), "");
}

TEST_F(SceneMemory, EndsModelsAndTheirInstances) {
    write("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const std::string text =
        sceneOf(entries("m", 5, R"({ "file": "m.obj" })"), entries("i", 5, R"({ "asset": "m100" })"));
    const Scene scene = load(text);
    expectLimit(text, bytesOf(scene) + 5 * sizeof(MeshInstance) + 16 * 5, "/instances/i104");
    expectEnd(text, 2 * (bytesOf(scene.meshes[0]) + sizeof(MeshInstance)), "/assets/m102/file");
}

TEST_F(SceneMemory, EndsTexturesReadAndSimulated) {
    write("t.png", tinyPng());
    const std::string file = sceneOf(
        "", "", R"("a": { "albedoTexture": { "file": "t.png" } }, "b": { "albedoTexture": { "file": "t.png" } })");
    expectLimit(file, sizeof(Texture) + 4, "/materials/a/albedoTexture/file");
    const std::string simulated = sceneOf("", "", entries("m", 3, R"({ "albedoTexture": { "texture":
{ "type": "reaction_diffusion", "size": [256, 256], "pixels": [512, 256], "seed": 1 } } })"));
    expectLimit(simulated, 3 * 4 * 512 * 256U, "/materials/m102/albedoTexture/texture");
    const std::string sown = sceneOf("", "", R"("m": { "albedoTexture": { "texture":
{ "type": "reaction_diffusion", "size": [64, 64], "seed_image": "t.png" } } })");
    expectEnd(sown, sizeof(Texture) + 3, "/materials/m/albedoTexture/texture/seed_image");
}

/// Bricks of volumes are counted before they take memory.
TEST_F(SceneMemory, EndsVolumesBeforeTheyAreMade) {
    const auto fog = [](const glm::dvec3& at) { return at.x + 1.0; };
    write("fog.nvdb", test::makeNvdb({{0, 0, 0}, {80, 0, 0}}, fog, true));
    const std::string text = sceneOf(R"("fog": { "volume": { "file": "fog.nvdb" } })", R"("fog": { "asset": "fog" })");
    const Scene scene = load(text);
    const std::uint64_t bricks = scene.volumes.at(0).tree.bricks.size() * sizeof(std::uint32_t);
    expectEnd(text, bytesOf(scene.volumes[0]) - 1, "/assets/fog/volume");
    expectEnd(text, bricks - 1, "/assets/fog/volume/file");
    expectEnd(text, 1, "/assets/fog/volume/file");
}

TEST_F(SceneMemory, HasNoLimitUntilThereAreSettings) {
    EXPECT_EQ(sceneMemoryLimit(), kNoSceneLimit);
    EXPECT_EQ(memoryLeftBy(load(minimalScene())), kNoSceneLimit);
    const Limited limited(10'000);
    EXPECT_EQ(sceneMemoryLimit(), 10'000U);
    Scene scene;
    scene.textures.resize(1);
    scene.textures[0].rgba.resize(4'000);
    EXPECT_EQ(memoryLeftBy(scene), 6'000U - sizeof(Texture));
    scene.textures[0].rgba.resize(40'000);
    EXPECT_EQ(memoryLeftBy(scene), 0U);
}

} // namespace
} // namespace aureole
