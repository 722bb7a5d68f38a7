#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "import/model_outline.h"
#include "import/outline_cache.h"
#include "import_files.h"
#include "json_test_util.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

/// A textured triangle with a camera and lights, its picture and buffer in files of their own.
class OutlineCacheTest : public testing::Test {
protected:
    void SetUp() override {
        GltfData data;
        const int positions = data.positions({0.1F, 0, 0, 1, 0, 0, 0, 1.3F, 0});
        const int uvs = data.accessor(bytesOf<float>({0, 0, 1, 0, 0, 1}), 5126, 3, "VEC2");
        model_ = folder_.write(
            "m.gltf",
            data.document(
                R"("meshes": [{"primitives": [{"attributes": {"POSITION": )" + std::to_string(positions) +
                R"(, "TEXCOORD_0": )" + std::to_string(uvs) + R"(}, "material": 0}]}],)" +
                R"("materials": [{"name": "cloth", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],)" +
                R"("textures": [{"source": 0}], "images": [{"uri": "pics/p.png"}],)" +
                R"("extensionsUsed": ["KHR_lights_punctual"], "extensions": {"KHR_lights_punctual": {"lights": [)" +
                R"({"type": "spot", "name": "lamp", "spot": {}, "intensity": 3.3, "color": [0.1, 0.2, 0.7]}]}},)" +
                R"("cameras": [{"type": "perspective", "name": "eye", "perspective": {"yfov": 0.7, "znear": 0.1}}],)" +
                R"("nodes": [{"mesh": 0, "rotation": [0.1825742, 0.3651484, 0.5477226, 0.7302967]},)" +
                R"({"extensions": {"KHR_lights_punctual": {"light": 0}}, "translation": [0.3, 1, 2]},)" +
                R"({"camera": 0, "translation": [0, 0.1, 5]}])"));
        writePicture(200);
    }
    void writePicture(std::uint8_t red) const { folder_.write("pics/p.png", makePng(1, 1, {red, 1, 2, 255})); }

    Scene load(const OutlineCache* cache, const std::vector<SceneOverride>& overrides = {}) const {
        return loadScene(model_, overrides, cache);
    }
    fs::path entry() const {
        fs::path found;
        for (const fs::directory_entry& file : fs::directory_iterator(folder_.path() / "cache")) {
            EXPECT_TRUE(found.empty());
            found = file.path();
        }
        return found;
    }

    TemporaryFolder folder_;
    fs::path model_;
    OutlineCache cache_{folder_.path() / "cache"};
};

/// What a scene without surfaces still tells.
std::string settingsOf(Scene scene) {
    scene.meshes.clear();
    scene.meshInstances.clear();
    scene.voxelModels.clear();
    scene.voxelInstances.clear();
    scene.materials.clear();
    scene.textures.clear();
    return summary(scene);
}

TEST_F(OutlineCacheTest, AnOutlinedSceneDiffersInItsSurfacesOnly) {
    const Scene whole = load(&cache_); // nothing is known yet
    EXPECT_FALSE(whole.outlined);
    ASSERT_FALSE(whole.lights.empty());
    const Scene outlined = load(&cache_);
    EXPECT_TRUE(outlined.outlined);
    EXPECT_EQ(outlined.textures.size(), 0U);
    EXPECT_EQ(outlined.hash, whole.hash);
    EXPECT_EQ(outlined.surfaceHash, whole.surfaceHash);
    EXPECT_EQ(outlined.materials.size(), whole.materials.size());
    EXPECT_EQ(outlined.voxels.resolution, whole.voxels.resolution);
    EXPECT_EQ(settingsOf(outlined), settingsOf(whole));
    EXPECT_FALSE(load(nullptr).outlined);
}

TEST_F(OutlineCacheTest, ModelsOfVoxelsKeepTheirCells) {
    ImportedModel model = importModel(model_, {.sceneFolder = folder_.path(), .outlines = &cache_});
    EXPECT_EQ(outlineOf(model).cell, 0.0);
    const ImportedModel outline = importModel(model_, {.sceneFolder = folder_.path(), .outlines = &cache_});
    ASSERT_TRUE(outline.outline);
    EXPECT_EQ(outline.outline->bounds.min, modelBounds(model).min); // to the last bit
    EXPECT_EQ(outline.outline->bounds.max, modelBounds(model).max);
    EXPECT_EQ(outline.outline->hull, outlineOf(model).hull);
    EXPECT_EQ(outline.outline->hull.size(), 3U);
    EXPECT_EQ(outline.materials[0].name, "cloth");
    EXPECT_FALSE(outline.daylight);
    model.outline = ModelOutline{modelBounds(model), 0.125, 2.5, 0.0, {}};
    model.daylight = Daylight{{0.0, 0.6, 0.8}, 4.0, {3.0F, 2.0F, 1.0F}, {0.5F, 0.6F, 0.7F}, {0.1F, 0.2F, 0.3F}, -1.0};
    model.cameras.at(0).blades = 7;
    model.cameras.at(0).exposure = -2.5;
    const std::string name = OutlineCache::nameOf(model_, {}).value();
    cache_.store(name, model_, {}, model, {});
    const ImportedModel found = cache_.find(name, model_, {}).value();
    ASSERT_EQ(found.cameras.size(), 1U);
    EXPECT_EQ(found.cameras[0].blades, 7U);
    EXPECT_EQ(found.cameras[0].exposure, -2.5);
    EXPECT_FALSE(found.cameras[0].photograph);
    ASSERT_EQ(found.lights.size(), 1U);
    EXPECT_EQ(found.lights[0].intensity, model.lights[0].intensity);
    EXPECT_EQ(found.outline->cell, 0.125);
    EXPECT_EQ(found.outline->area, 2.5);
    ASSERT_TRUE(found.daylight);
    EXPECT_EQ(found.daylight->sunDirection, model.daylight->sunDirection);
    EXPECT_EQ(found.daylight->sunDiameter, 4.0);
    EXPECT_EQ(found.daylight->sunIrradiance, model.daylight->sunIrradiance);
    EXPECT_EQ(found.daylight->skyRadiance, model.daylight->skyRadiance);
    EXPECT_EQ(found.daylight->groundAlbedo, model.daylight->groundAlbedo);
    EXPECT_EQ(found.daylight->exposure, -1.0);
}

TEST_F(OutlineCacheTest, AChangedByteInAnyFileIsSeen) {
    const std::string before = load(&cache_).surfaceHash;
    writePicture(201);
    const Scene changed = load(&cache_);
    EXPECT_FALSE(changed.outlined);
    EXPECT_NE(changed.surfaceHash, before);
    writePicture(200);
    EXPECT_EQ(load(nullptr).surfaceHash, before);
    EXPECT_FALSE(load(&cache_).outlined); // the entry is the other picture's
    EXPECT_TRUE(load(&cache_).outlined);
    std::ofstream(model_, std::ios::app) << " ";
    EXPECT_FALSE(load(&cache_).outlined);
    fs::remove(folder_.path() / "pics/p.png");
    EXPECT_THROW(load(&cache_), Error);
}

/// Else the outline of the old content would stand for the new one from then on.
TEST_F(OutlineCacheTest, AModelReplacedWhileItIsReadIsNotKept) {
    const auto writeModel = [&](const char* text) { std::ofstream(folder_.path() / "t.obj") << text; };
    const fs::path file = folder_.path() / "t.obj";
    const ImportOptions options{.sceneFolder = folder_.path()};
    writeModel("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const std::string before = OutlineCache::nameOf(file, options).value();
    const ImportedModel model = importModel(file, options);
    writeModel("v 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\n");
    const std::string after = OutlineCache::nameOf(file, options).value();
    ASSERT_NE(before, after);
    cache_.store(before, file, options, model, {});
    EXPECT_FALSE(cache_.find(before, file, options));
    EXPECT_FALSE(cache_.find(after, file, options));
    cache_.store(after, file, options, importModel(file, options), {});
    EXPECT_TRUE(cache_.find(after, file, options));
}

TEST_F(OutlineCacheTest, DamagedEntriesAreRemoved) {
    load(&cache_);
    std::fstream(entry(), std::ios::in | std::ios::out).seekp(60).put('\x7f');
    EXPECT_FALSE(load(&cache_).outlined);
    EXPECT_TRUE(load(&cache_).outlined);
    std::ofstream(entry(), std::ios::trunc) << "";
    EXPECT_FALSE(load(&cache_).outlined);
    EXPECT_TRUE(load(&cache_).outlined);
}

TEST_F(OutlineCacheTest, ModelsThatLackFilesAreReadEachTime) {
    model_ = folder_.write("m.obj", "mtllib none.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    load(&cache_);
    EXPECT_FALSE(load(&cache_).outlined); // so that the warning comes each time, and the file may yet appear
    folder_.write("none.mtl", "newmtl a\nmap_Kd sub/none.png\n");
    load(&cache_);
    EXPECT_FALSE(load(&cache_).outlined); // the picture may appear as well
    folder_.write("none.png", makePng(1, 1, {1, 2, 3, 255}));
    load(&cache_);
    EXPECT_FALSE(load(&cache_).outlined); // this one was taken for it
    folder_.write("sub/none.png", makePng(1, 1, {1, 2, 3, 255}));
    load(&cache_);
    EXPECT_TRUE(load(&cache_).outlined);
}

TEST_F(OutlineCacheTest, SurfaceHashFollowsVoxelsAndNothingElse) {
    const std::string before = load(nullptr).surfaceHash;
    const auto hashWith = [&](const char* pointer, const char* value) {
        return load(nullptr, {{pointer, value}}).surfaceHash;
    };
    EXPECT_EQ(hashWith("/cameras/framed/verticalFov", "50"), before);
    EXPECT_EQ(hashWith("/environment", R"({"type":"constant","radiance":2})"), before);
    EXPECT_EQ(hashWith("/lights/lamp/intensity", "9"), before);
    EXPECT_EQ(hashWith("/integrator/seed", "9"), before);
    EXPECT_EQ(hashWith("/integrator/samplesPerPixel", "9"), before);
    EXPECT_EQ(hashWith("/film/size", "[20,10]"), before);
    EXPECT_EQ(hashWith("/film/tonemap", "linear"), before);
    EXPECT_EQ(hashWith("/voxels/normals", "face"), before);
    EXPECT_NE(hashWith("/instances/model/translate", "[0,0,1]"), before);
    EXPECT_NE(hashWith("/materials/floor/albedo", "0.35"), before);
    EXPECT_NE(hashWith("/assets/floor/quad/u", "[9,0,0]"), before);
}

TEST_F(OutlineCacheTest, TexturesOfTheSceneCountAndItsEnvironmentDoesNot) {
    const auto scene = [&](const std::string& picture) {
        return folder_.write("scene.json", R"({"version":1,"assets":{"b":{"box":{}}},"instances":{"b":{"asset":"b",)"
                                           R"("material":"m"}},"materials":{"m":{"albedoTexture":{"file":")" +
                                               picture +
                                               R"("}}},"cameras":{"c":{"position":[0,0,3],"target":[0,0,0]}},)" +
                                               R"("environment":{"type":"image","file":"sky.png"}})");
    };
    folder_.write("sky.png", makePng(2, 1, {9, 9, 9, 255, 8, 8, 8, 255}));
    const Scene before = loadScene(scene("pics/p.png"), {});
    folder_.write("sky.png", makePng(2, 1, {9, 9, 9, 255, 7, 8, 8, 255}));
    const Scene sky = loadScene(scene("pics/p.png"), {});
    EXPECT_EQ(sky.surfaceHash, before.surfaceHash);
    EXPECT_NE(sky.hash, before.hash);
    writePicture(201);
    EXPECT_NE(loadScene(scene("pics/p.png"), {}).surfaceHash, before.surfaceHash);
}

} // namespace
} // namespace aureole::test
