#include <gtest/gtest.h>

#include "import_files.h"
#include "model/texture_sample.h"

namespace aureole::test {
namespace {

constexpr const char* kPoints = "0 0 0\n2 0 0\n2 2 0\n0 2 0\n";

class ImportOff : public testing::Test {
protected:
    Mesh meshOf(const std::string& text) const { return folder_.import("a.off", text).meshes.at(0); }
    std::string errorOf(const std::string& text) const {
        return messageOf([&] { folder_.import("a.off", text); });
    }

    TemporaryFolder folder_;
};

TEST_F(ImportOff, ReadsPolygons) {
    const ImportedModel model = folder_.import("a.off", std::string("OFF\n4 2 0\n") + kPoints + "4 0 1 2 3\n3 0 2 3\n");
    const Mesh& mesh = model.meshes.at(0);
    EXPECT_EQ(mesh.positions.size(), 4U);
    EXPECT_EQ(mesh.positions[2], glm::vec3(2, 2, 0));
    ASSERT_EQ(mesh.triangles.size(), 3U);
    EXPECT_EQ(mesh.triangles[2], glm::uvec3(0, 2, 3));
    EXPECT_TRUE(mesh.normals.empty());
    EXPECT_EQ(model.materials.at(0).albedo, glm::vec3(0.8F));
}

TEST_F(ImportOff, LayoutIsFree) {
    const std::string plain = std::string("4 1 4\n") + kPoints + "3 0 1 2\n";
    const Mesh mesh = meshOf("OFF\n" + plain);
    std::string spaced = "\n# a comment\nOFF # another\n\n";
    for (const char letter : plain) {
        spaced += letter == '\n' ? "\r\n\n \t\n" : std::string(1, letter);
    }
    for (const std::string& text : {spaced, plain, "OFF " + plain, "OFF" + plain, "OFF\n" + plain + "9 9 9 more"}) {
        EXPECT_EQ(meshOf(text).positions, mesh.positions) << text;
        EXPECT_EQ(meshOf(text).triangles, mesh.triangles) << text;
    }
    EXPECT_EQ(meshOf("OFF\n4 1 0\n" + std::string(kPoints) + "3 0 1 2  255 0 0\n").triangles.size(), 1U);
    EXPECT_EQ(meshOf("OFF 4\n2 0\n" + std::string(kPoints) + "3 0\n 1\n\n2\n3 0 2\n3 1 0 0\n").triangles.size(), 2U);
}

TEST_F(ImportOff, VerticesMayHaveMore) {
    const Mesh coloured = meshOf("COFF\n3 1 0\n0 0 0 255 0 51\n1 0 0 0 0 0\n0 1 0 0 0 0 51\n3 0 1 2\n");
    ASSERT_EQ(coloured.colours.size(), 3U);
    EXPECT_FLOAT_EQ(coloured.colours[0].r, 1.0F);
    EXPECT_FLOAT_EQ(coloured.colours[0].b, srgbToLinear(0.2F));
    EXPECT_FLOAT_EQ(coloured.colours[0].a, 1.0F);
    EXPECT_FLOAT_EQ(coloured.colours[2].a, 0.2F);
    const Mesh all = meshOf("STCNOFF\n3 1 0\n0 0 0  0 0 2  1 0 0.5 1  0.25 0.75\n"
                            "1 0 0  0 0 1  1 1 1 0.5  0 0\n0 1 0  0 0 1  1 1 1  1 1\n3 0 1 2\n");
    EXPECT_EQ(all.normals.at(0), glm::vec3(0, 0, 1));
    EXPECT_FLOAT_EQ(all.colours.at(0).b, srgbToLinear(0.5F));
    EXPECT_EQ(all.colours.at(1).a, 0.5F);
    EXPECT_EQ(all.uvs[0].at(0), glm::vec2(0.25F, 0.25F)); // v runs downwards
    EXPECT_EQ(all.uvs[0].at(2), glm::vec2(1.0F, 0.0F));
    EXPECT_EQ(
        folder_.import("c.off", "COFF\n3 1 0\n0 0 0 1 0 0\n1 0 0 1 0 0\n0 1 0 1 0 0\n3 0 1 2\n").materials.at(0).albedo,
        glm::vec3(1.0F));
}

TEST_F(ImportOff, ErrorsNameTheLine) {
    const std::string start = std::string("OFF\n4 1 0\n") + kPoints;
    EXPECT_TRUE(containsAll(errorOf(start + "3 0 1 4\n"), {"a.off", "line 7", "vertex 4", "less than 4"}));
    EXPECT_TRUE(containsAll(errorOf(start + "3 0 1 -1\n"), {"line 7", "'-1'"}));
    EXPECT_TRUE(containsAll(errorOf(start + "3 0 1\n"), {"line 7", "end of the file"}));
    EXPECT_TRUE(containsAll(errorOf(start + "4000000000 0 1 2\n"), {"line 7", "end of the file"}));
    EXPECT_TRUE(containsAll(errorOf(start), {"line 6", "end of the file after 0 faces", "expected 1"}));
    EXPECT_TRUE(containsAll(errorOf("OFF\n4 1 0\n0 0 0\n"), {"line 3", "end of the file after 1 vertices"}));
    EXPECT_TRUE(containsAll(errorOf("OFF\n4 1 0\n0 0 x\n"), {"line 3", "'x'", "number"}));
    EXPECT_TRUE(containsAll(errorOf("OFF\n1 1 0\n0 nan 0\n3 0 0 0"), {"a.off", "nan", "finite"}));
    EXPECT_TRUE(containsAll(errorOf("OFF\n3000000000 1 0\n0 0 0\n"), {"line 2", "3000000000 vertices", "bytes"}));
    EXPECT_TRUE(containsAll(errorOf("OFF\n4 3000000000 0\n"), {"line 2", "3000000000 faces"}));
    EXPECT_TRUE(containsAll(errorOf("4OFF\n"), {"line 1", "'4OFF'"}));
    EXPECT_TRUE(containsAll(errorOf("OFF BINARY\n"), {"line 1", "'BINARY'"}));
    EXPECT_TRUE(containsAll(errorOf("solid\n"), {"line 1", "'solid'"}));
    EXPECT_TRUE(containsAll(errorOf("OFF\n4 0 0\n" + std::string(kPoints)), {"holds no triangle"}));
}

} // namespace
} // namespace aureole::test
