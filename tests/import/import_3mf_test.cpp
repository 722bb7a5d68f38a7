#include <gtest/gtest.h>

#include "import_files.h"
#include "zip_file.h"

namespace aureole::test {
namespace {

TEST(Import3mf, ReadsMeshes) {
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("a.3mf", make3mf(tetrahedron3mf()));
    ASSERT_EQ(model.meshes.size(), 1U);
    EXPECT_EQ(model.meshes[0].triangles.size(), 4U);
    EXPECT_EQ(model.meshInstances.size(), 1U);
}

TEST(Import3mf, ThumbnailsDoNoHarm) {
    const TemporaryFolder folder;
    const std::string thumbnail = makePng(2, 2, std::vector<std::uint8_t>(16, 200));
    for (const char* name : {"Metadata/thumbnail.png", "Thumbnails/a.jpeg"}) {
        const ImportedModel model =
            folder.import("a.3mf", make3mf(tetrahedron3mf(), {{name, thumbnail}, {"3D/b.png", thumbnail}}));
        EXPECT_EQ(model.meshes.at(0).triangles.size(), 4U);
        EXPECT_TRUE(model.textures.empty());
    }
}

TEST(Import3mf, PicturesOfMaterialsAreLeftOutWithAWarning) {
    const TemporaryFolder folder;
    const std::string picture = makePng(2, 2, std::vector<std::uint8_t>(16, 200));
    // The number after its star would be taken for an index.
    for (const char* path : {"/3D/Textures/0.png", "0.png"}) {
        const std::string resources = std::string(R"(<m:texture2d id="2" path=")") + path +
                                      R"(" contenttype="image/png"/><m:texture2dgroup id="3" texid="2">)"
                                      R"(<m:tex2coord u="0" v="0"/></m:texture2dgroup>)" +
                                      tetrahedron3mf(R"(pid="3" pindex="0")");
        testing::internal::CaptureStderr();
        const ImportedModel model =
            folder.import("a.3mf", make3mf(resources, {{"3D/Textures/0.png", picture}, {"0.png", picture}}));
        EXPECT_TRUE(containsAll(testing::internal::GetCapturedStderr(), {"a.3mf", "pictures in 3MF packages"}));
        EXPECT_EQ(model.meshes.at(0).triangles.size(), 4U);
        EXPECT_TRUE(model.textures.empty());
    }
}

} // namespace
} // namespace aureole::test
