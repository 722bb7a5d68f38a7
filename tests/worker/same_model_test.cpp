// A worker reads what the program itself would.

#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "image/image_file.h"
#include "import/import.h"
#include "import/pictures/texture_file.h"
#include "sandbox/settings.h"
#include "test_files.h"
#include "workers.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

template <typename Read>
auto isolated(const Read& read) {
    sandbox::configure(test::strictSettings(AUREOLE_WORKER, std::uint64_t{1} << 32U));
    auto result = read();
    sandbox::configure({});
    return result;
}

fs::path scenesFolder() {
    return testFile(AUREOLE_SCENES_FOLDER);
}

void expectSame(const ImportedModel& a, const ImportedModel& b) {
    EXPECT_EQ(a.hash, b.hash);
    EXPECT_EQ(a.files, b.files);
    ASSERT_EQ(a.meshes.size(), b.meshes.size());
    for (std::size_t i = 0; i < a.meshes.size(); ++i) {
        EXPECT_EQ(a.meshes[i].name, b.meshes[i].name);
        EXPECT_EQ(a.meshes[i].positions, b.meshes[i].positions);
        EXPECT_EQ(a.meshes[i].normals, b.meshes[i].normals);
        EXPECT_EQ(a.meshes[i].tangents, b.meshes[i].tangents);
        EXPECT_EQ(a.meshes[i].uvs, b.meshes[i].uvs);
        EXPECT_EQ(a.meshes[i].colours, b.meshes[i].colours);
        EXPECT_EQ(a.meshes[i].triangles, b.meshes[i].triangles);
        EXPECT_EQ(a.meshes[i].material, b.meshes[i].material);
    }
    ASSERT_EQ(a.textures.size(), b.textures.size());
    for (std::size_t i = 0; i < a.textures.size(); ++i) {
        EXPECT_EQ(a.textures[i].name, b.textures[i].name);
        EXPECT_EQ(a.textures[i].rgba, b.textures[i].rgba);
    }
    ASSERT_EQ(a.materials.size(), b.materials.size());
    for (std::size_t i = 0; i < a.materials.size(); ++i) {
        EXPECT_EQ(a.materials[i].name, b.materials[i].name);
        EXPECT_EQ(a.materials[i].albedo, b.materials[i].albedo);
        EXPECT_EQ(a.materials[i].albedoTexture.texture, b.materials[i].albedoTexture.texture);
        EXPECT_EQ(a.materials[i].roughness, b.materials[i].roughness);
    }
    ASSERT_EQ(a.voxelModels.size(), b.voxelModels.size());
    for (std::size_t i = 0; i < a.voxelModels.size(); ++i) {
        EXPECT_EQ(a.voxelModels[i].cells, b.voxelModels[i].cells);
        EXPECT_EQ(a.voxelModels[i].materials, b.voxelModels[i].materials);
    }
    EXPECT_EQ(a.meshInstances.size(), b.meshInstances.size());
    EXPECT_EQ(a.voxelInstances.size(), b.voxelInstances.size());
    EXPECT_EQ(a.cameras.size(), b.cameras.size());
    EXPECT_EQ(a.lights.size(), b.lights.size());
}

TEST(SameModel, OfEveryDemoScene) {
    std::set<std::string> formats;
    for (const auto& entry : fs::recursive_directory_iterator(scenesFolder())) {
        if (!isModelFile(entry.path()) || entry.path().extension() == ".avo") {
            continue;
        }
        SCOPED_TRACE(entry.path());
        formats.insert(entry.path().extension());
        const ImportOptions options{.sceneFolder = scenesFolder()};
        const auto read = [&] { return importModel(entry.path(), options); };
        expectSame(isolated(read), read());
    }
    EXPECT_FALSE(formats.empty());
}

TEST(SameModel, PicturesToo) {
    int pictures = 0;
    for (const auto& entry : fs::recursive_directory_iterator(scenesFolder())) {
        const std::string extension = entry.path().extension();
        if ((extension != ".exr" && extension != ".png") || pictures == 6) {
            continue;
        }
        SCOPED_TRACE(entry.path());
        ++pictures;
        const auto read = [&] { return readImage(entry.path()); };
        const Image a = isolated(read);
        const Image b = read();
        ASSERT_EQ(a.channels.size(), b.channels.size());
        for (std::size_t i = 0; i < a.channels.size(); ++i) {
            EXPECT_EQ(a.channels[i].values, b.channels[i].values);
        }
        EXPECT_EQ(a.attributes, b.attributes);
        if (extension == ".png") {
            const auto load = [&] { return loadTexture(fs::canonical(entry.path())); };
            EXPECT_EQ(isolated(load).rgba, load().rgba);
        }
    }
    EXPECT_GT(pictures, 0);
}

} // namespace

} // namespace aureole
