// Pictures that materials refer to by paths that lead nowhere, as exporters write them.

#include <gtest/gtest.h>

#include "import_files.h"

namespace aureole::test {
namespace {

class ImportPicture : public testing::Test {
protected:
    ImportPicture() { folder_.write("sub/red.png", makePng(1, 1, {255, 0, 0, 255})); }

    /// A model with a material whose picture is `path`; the warnings are in warnings_.
    ImportedModel read(const std::string& name, const std::string& content) {
        testing::internal::CaptureStderr();
        ImportedModel model = folder_.import("sub/" + name, content);
        warnings_ = testing::internal::GetCapturedStderr();
        return model;
    }
    ImportedModel readX(const std::string& path) {
        return read("a.x", "xof 0303txt 0032\nMesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;\n"
                           "MeshMaterialList { 1; 1; 0;; Material { 0;0;0;1;; 0; 0;0;0;; 0;0;0;; TextureFilename { \"" +
                               path + "\"; } } }\nMeshTextureCoords { 3; 0;0;, 1;0;, 0;1;; } }\n");
    }
    ImportedModel readObj(const std::string& path) {
        folder_.write("sub/a.mtl", "newmtl m\nKd 0 0 0\nmap_Kd " + path + "\nmap_Ks " + path + "\n");
        return read("a.obj", "mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n");
    }

    TemporaryFolder folder_;
    std::string warnings_;
};

TEST_F(ImportPicture, OneBesideTheModelIsTakenForOneElsewhere) {
    for (const char* path : {R"(C:\\models\\red.png)", "/home/me/red.png", "../../textures/red.png", "gone/red.png"}) {
        for (const ImportedModel& model : {readX(path), readObj(path)}) {
            EXPECT_TRUE(containsAll(warnings_, {"warning", "red.png", "is taken for it"})) << path;
            EXPECT_EQ(model.textures.at(0).rgba, (std::vector<std::uint8_t>{255, 0, 0, 255})) << path;
            EXPECT_EQ(model.materials.at(0).albedo, glm::vec3(1.0F)) << path;
        }
    }
}

TEST_F(ImportPicture, WithoutOneTheMaterialIsPlain) {
    for (const char* path : {"gone.png", "C:\\\\gone.png", "https://localhost/gone.png", "gone/..", "gone/"}) {
        for (const ImportedModel& model : {readX(path), readObj(path)}) {
            EXPECT_TRUE(containsAll(warnings_, {"warning", "materials go without it"})) << path;
            EXPECT_TRUE(model.textures.empty()) << path;
            EXPECT_EQ(model.materials.at(0).albedo, glm::vec3(0.8F)) << path; // black is what stands beside pictures
        }
    }
}

TEST_F(ImportPicture, LinksOutOfTheFolderAreNoWayOut) {
    ImportOptions options;
    options.sceneFolder = folder_.path() / "sub";
    folder_.write("secret.png", makePng(1, 1, {1, 2, 3, 4}));
    std::filesystem::create_symlink("../secret.png", folder_.path() / "sub/link.png");
    folder_.write("sub/a.mtl", "newmtl m\nmap_Kd /elsewhere/link.png\nmap_d link.png\n");
    testing::internal::CaptureStderr();
    const ImportedModel model = folder_.import(
        "sub/a.obj", "mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n", options);
    EXPECT_TRUE(containsAll(testing::internal::GetCapturedStderr(), {"absolute", "leaves the scene folder"}));
    EXPECT_TRUE(model.textures.empty());
}

TEST_F(ImportPicture, WhatIsNoPictureIsAnError) {
    folder_.write("sub/red.bmp", "BM");
    EXPECT_TRUE(containsAll(messageOf([&] { readX("red.bmp"); }), {"red.bmp", "damaged BMP"}));
    testing::internal::GetCapturedStderr(); // which would go on into the tests after this one
}

} // namespace
} // namespace aureole::test
