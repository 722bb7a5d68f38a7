#include <cmath>

#include <gtest/gtest.h>

#include "import_files.h"
#include "mesh_sums.h"

namespace aureole::test {
namespace {

TEST(ImportPly, ReadsAsciiWithColours) {
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("a.ply", R"(ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
property uchar red
property uchar green
property uchar blue
element face 1
property list uchar int vertex_indices
end_header
0 0 0 255 0 0
1 0 0 255 0 0
1 1 0 255 0 0
0 1 0 255 0 128
4 0 1 2 3
)");
    ASSERT_EQ(model.meshes.size(), 1U);
    EXPECT_EQ(model.meshes[0].triangles.size(), 2U);
    EXPECT_NEAR(areaVector(model.meshes[0]).z, 1.0, 1e-6);
    ASSERT_EQ(model.meshes[0].colours.size(), 4U);
    EXPECT_EQ(model.meshes[0].colours[0].x, 1.0F);
    EXPECT_NEAR(model.meshes[0].colours[3].z, std::pow((128.0 / 255.0 + 0.055) / 1.055, 2.4), 1e-5);
    EXPECT_EQ(model.materials.at(0).albedo, glm::vec3(1.0F));
}

/// A square of points, 40 a side, with normals along Z and colours of two kinds.
std::string pointsPly(bool normals) {
    std::string text =
        "ply\nformat ascii 1.0\nelement vertex 1600\nproperty float x\nproperty float y\nproperty float z\n";
    text += normals ? "property float nx\nproperty float ny\nproperty float nz\n" : "";
    text += "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n";
    for (int i = 0; i < 1600; ++i) {
        text += fmt::format("{} {} 7 {}{} 0 255\n", 0.25 * (i % 40), 0.25 * (i / 40), normals ? "0 0 2 " : "",
                            i % 2 == 0 ? 255 : 0);
    }
    return text;
}

TEST(ImportPly, PointsAreSmallTriangles) {
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("cloud.ply", pointsPly(true));
    ASSERT_TRUE(model.points);
    EXPECT_TRUE(model.points->hasNormals);
    // Six points to a cell.
    EXPECT_NEAR(model.points->spacing, 0.25 * std::sqrt(6.0), 0.1);
    const Mesh& mesh = model.meshes.at(0);
    ASSERT_EQ(mesh.triangles.size(), 1600U);
    ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
    EXPECT_EQ(model.materials.at(0).albedo, glm::vec3(1.0F));
    for (std::uint32_t i = 0; i < 1600; i += 37) {
        const glm::uvec3& t = mesh.triangles[i];
        const glm::vec3 a = mesh.positions[t.x];
        const glm::vec3 point(0.25F * static_cast<float>(i % 40), 0.25F * static_cast<float>(i / 40), 7.0F);
        EXPECT_LT(glm::distance((a + mesh.positions[t.y] + mesh.positions[t.z]) / 3.0F, point), 1e-4F);
        EXPECT_LT(glm::distance(a, point), 1e-2F);
        EXPECT_GT(glm::normalize(glm::cross(mesh.positions[t.y] - a, mesh.positions[t.z] - a)).z, 0.9F);
        EXPECT_EQ(mesh.normals[t.x], glm::vec3(0, 0, 1));
        EXPECT_EQ(mesh.colours[t.z].r, i % 2 == 0 ? 1.0F : 0.0F);
    }
    EXPECT_FALSE(folder.import("bare.ply", pointsPly(false)).points->hasNormals);
}

TEST(ImportPly, APointThatIsNotFiniteIsReported) {
    const TemporaryFolder folder;
    EXPECT_TRUE(containsAll(messageOf([&] {
                                folder.import("bad.ply",
                                              "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                                              "property float y\nproperty float z\nend_header\n0 0 0\n1 nan 0\n");
                            }),
                            {"bad.ply", "vertex 1"}));
}

TEST(ImportPly, IndicesOutOfRangeAreReported) {
    const TemporaryFolder folder;
    EXPECT_TRUE(containsAll(messageOf([&] {
                                folder.import("bad.ply",
                                              "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty "
                                              "float y\nproperty float z\nelement face 1\nproperty list uchar int "
                                              "vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n");
                            }),
                            {"bad.ply"}));
}

constexpr const char* kPlyFace = "property list uchar int vertex_indices\nend_header\n";

std::string plyHeader(const std::string& format, const std::string& vertices, const std::string& faces) {
    return "ply\nformat " + format + " 1.0\nelement vertex " + vertices +
           "\nproperty float x\nproperty float y\nproperty float z\nelement face " + faces + "\n" + kPlyFace;
}

TEST(ImportPly, MoreElementsThanTheFileCanHoldAreReported) {
    const TemporaryFolder folder;
    const auto message = [&](const std::string& content) {
        return messageOf([&] { folder.import("bad.ply", content); });
    };
    for (const std::string format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
        const std::string needed = format == "ascii" ? "6000000000" : "12000000000";
        EXPECT_TRUE(containsAll(message(plyHeader(format, "1000000000", "0")),
                                {"bad.ply", "line 3", "element 'vertex'", "found 0 bytes", needed}));
    }
    // The faces get what the vertices leave.
    EXPECT_TRUE(containsAll(message(plyHeader("ascii", "3", "1000000000") + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
                            {"bad.ply", "line 7", "element 'face'", "found 8 bytes", "2000000000"}));
    EXPECT_TRUE(containsAll(message("ply\nformat binary_little_endian 1.0\nelement nothing 1000000000\nend_header\n"),
                            {"bad.ply", "element 'nothing'", "1000000000"}));
}

TEST(ImportPly, FilesOfTheLeastSizeAreRead) {
    const TemporaryFolder folder;
    // One digit to each number, no line's end at the end of the file.
    EXPECT_EQ(triangleCount(folder.import("a.ply", plyHeader("ascii", "3", "1") + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2")), 1U);
    const std::string binary = bytesOf(kTriangle) + "\3" + bytesOf(std::vector<std::int32_t>{0, 1, 2});
    EXPECT_EQ(triangleCount(folder.import("b.ply", plyHeader("binary_little_endian", "3", "1") + binary)), 1U);
}

TEST(ImportPly, ListsLongerThanTheFileAreReported) {
    const TemporaryFolder folder;
    const auto message = [&](const std::string& content) {
        return messageOf([&] { folder.import("bad.ply", content); });
    };
    const std::string ascii = plyHeader("ascii", "3", "2") + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    EXPECT_TRUE(
        containsAll(message(ascii + "4000000000 0 1 2\n"), {"bad.ply", "line 14", "list of 4000000000 values"}));
    EXPECT_TRUE(containsAll(message(ascii + "-1 0 1 2\n"), {"bad.ply", "line 14", "list of -1 values"}));
    for (const std::string end : {"\r", "\r\n"}) {
        std::string other;
        for (const char c : ascii) {
            other += c == '\n' ? end : std::string(1, c);
        }
        EXPECT_TRUE(containsAll(message(other + "4000000000 0 1 2"), {"line 14", "list of 4000000000 values"}));
    }
    for (const bool big : {false, true}) {
        std::string header = plyHeader(big ? "binary_big_endian" : "binary_little_endian", "1", "2");
        header.replace(header.find("list uchar"), 10, "list int");
        const auto word = [big](std::uint32_t value) {
            const std::string bytes = bytesOf(std::vector<std::uint32_t>{value});
            return big ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
        };
        const std::string start = header + std::string(12, '\0') + word(3) + word(0) + word(1) + word(2);
        EXPECT_TRUE(containsAll(message(start + word(0x70000000U) + word(0)),
                                {"bad.ply", "face 1", "list of 1879048192 values", "at most 1"}));
        EXPECT_TRUE(containsAll(message(start + word(0xFFFFFFFFU) + word(0)), {"bad.ply", "face 1", "list of -1"}));
        EXPECT_TRUE(containsAll(message(start + "\1\2"), {"bad.ply", "face 1", "found 2 bytes", "at least 4"}));
    }
}

TEST(ImportPly, MalformedHeadersAreReported) {
    const TemporaryFolder folder;
    const auto message = [&](const std::string& content) {
        return messageOf([&] { folder.import("bad.ply", content); });
    };
    EXPECT_TRUE(containsAll(message("ply\nformat ascii 1.0\nelement vertex 3\n"), {"bad.ply", "'end_header'"}));
    EXPECT_TRUE(containsAll(message(plyHeader("ascii", "99999999999999999999", "0")), {"line 3", "'9999", "'vertex'"}));
    EXPECT_TRUE(containsAll(message(plyHeader("ascii", "-1", "0")), {"line 3", "'-1'", "'vertex'"}));
    EXPECT_TRUE(containsAll(message("ply\nformat ascii 1.0\nelement vertex 3\nproperty flaot x\nend_header\n"),
                            {"line 4", "'flaot'", "'float'"}));
}

} // namespace
} // namespace aureole::test
