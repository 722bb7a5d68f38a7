#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "import_files.h"
#include "mesh_sums.h"

namespace aureole::test {
namespace {

TEST(ImportObj, ReadsPolygonsNormalsAndTextureCoordinates) {
    const TemporaryFolder folder;
    // An L of six corners (area 3, concave) in the plane z = 0.
    const ImportedModel model = folder.import("l.obj", R"(
o ell
v 0 0 0
v 2 0 0
v 2 1 0
v 1 1 0
v 1 2 0
v 0 2 0
vt 0.25 0.75
vn 0 0 2
f 1/1/1 2/1/1 3/1/1 4/1/1 5/1/1 6/1/1
)");
    ASSERT_EQ(model.meshes.size(), 1U);
    const Mesh& mesh = model.meshes[0];
    EXPECT_EQ(mesh.triangles.size(), 4U);
    EXPECT_NEAR(areaVector(mesh).z, 3.0, 1e-6);
    EXPECT_NEAR(summedArea(mesh), 3.0, 1e-6); // no overlap: a fan over the notch would give more
    ASSERT_FALSE(mesh.normals.empty());
    EXPECT_EQ(mesh.normals[0], glm::vec3(0, 0, 1));
    ASSERT_FALSE(mesh.uvs[0].empty());
    EXPECT_EQ(mesh.uvs[0][0], glm::vec2(0.25F, 0.25F)); // v runs downwards
    ASSERT_EQ(model.materials.size(), 1U);
    EXPECT_EQ(model.materials[0].albedo, glm::vec3(0.8F));
}

TEST(ImportObj, CutsConcaveQuadsOfEveryStart) {
    // A dart whose second half a fan from the wrong corner would fold over.
    const std::array<std::string, 4> faces = {"f 1 2 3 4", "f 2 3 4 1", "f 3 4 1 2", "f 4 1 2 3"};
    for (const std::string& face : faces) {
        const TemporaryFolder folder;
        const ImportedModel model = folder.import("dart.obj", "v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\n" + face + "\n");
        EXPECT_NEAR(summedArea(model.meshes.at(0)), 1.0, 1e-6) << face;
        EXPECT_NEAR(areaVector(model.meshes.at(0)).z, 1.0, 1e-6) << face;
    }
}

TEST(ImportObj, FacesMayNameTextureCoordinatesThatAreNotThere) {
    const std::string points = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\nvn 1 0 0\n";
    for (const char* faces : {"f 1/1/1 2/2/2 3/3/3 4/4/4\n", "f 1/1/1 2/2/2 3/3/3\nf 1/1/1 3/3/3 4/4/4\n",
                              "f 1/7/1 2/7/2 \\\n  3/7/3 4/7/4 # a comment", "f\t1/1/1 2/1/2 3/1/3 4/1/4\r\n",
                              "f -4/-4/-4 -3/-3/-3 -2/-2/-2 -1/-1/-1"}) {
        const TemporaryFolder folder;
        const ImportedModel model = folder.import("u.obj", points + faces);
        ASSERT_EQ(model.meshes.size(), 1U) << faces;
        EXPECT_NEAR(areaVector(model.meshes[0]).z, 4.0, 1e-6) << faces;
        EXPECT_EQ(model.meshes[0].normals.back(), glm::vec3(1, 0, 0)) << faces;
        EXPECT_TRUE(model.meshes[0].uvs[0].empty()) << faces;
    }
    const TemporaryFolder folder;
    EXPECT_EQ(folder.import("v.obj", "v 0 0 0\nv 2 0 0\nv 2 2 0\nf 1/1 2/2 3/3\n").meshes.at(0).triangles.size(), 1U);
}

TEST(ImportObj, LargePolygonsTakeNoCubeOfTime) {
    // A comb: thousands of teeth, each with reflex corners. Tried from the start for each ear it would take minutes.
    constexpr int kTeeth = 3000;
    std::string text;
    std::string face = "f";
    for (int i = 0; i < kTeeth; ++i) {
        text += fmt::format("v {} 0 0\nv {} 9 0\nv {} 9 0\nv {} 0 0\n", 2 * i, 2 * i, 2 * i + 1, 2 * i + 1);
    }
    text += fmt::format("v {} -1 0\nv 0 -1 0\n", 2 * kTeeth - 1);
    for (int i = 4 * kTeeth + 2; i > 0; --i) {
        face += fmt::format(" {}", i);
    }
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("comb.obj", text + face + "\n");
    EXPECT_EQ(triangleCount(model), 4U * kTeeth);
    const double area = 9.0 * kTeeth + 2.0 * kTeeth - 1.0;
    EXPECT_NEAR(areaVector(model.meshes[0]).z, area, 1e-3);
    EXPECT_NEAR(summedArea(model.meshes[0]), area, 1e-3); // nothing is covered twice
}

TEST(ImportObj, VertexColoursAreMadeLinearAndNotDarkened) {
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("c.obj", "v 0 0 0 0.5 1 0\nv 1 0 0 0.5 1 0\nv 0 1 0 0.5 1 0\nf 1 2 3\n");
    ASSERT_EQ(model.meshes.at(0).colours.size(), 3U);
    EXPECT_NEAR(model.meshes[0].colours[0].x, std::pow((0.5 + 0.055) / 1.055, 2.4), 1e-6);
    EXPECT_EQ(model.meshes[0].colours[0].y, 1.0F);
    EXPECT_EQ(model.materials.at(0).albedo, glm::vec3(1.0F));
}

TEST(ImportObj, ReportsBadVerticesAndIndices) {
    const TemporaryFolder folder;
    EXPECT_TRUE(
        containsAll(messageOf([&] { folder.import("bad.obj", "o thing\nv 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n"); }),
                    {"bad.obj", "mesh 'thing'", "vertex 1", "finite"}));
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("bad.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n"); }), {"bad.obj"}));
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("bad.obj", ""); }), {"bad.obj: holds no vertex"}));
}

TEST(ImportObj, FacesOfVerticesThatAreNotThereAreReported) {
    const TemporaryFolder folder;
    const auto message = [&](const std::string& faces) {
        return messageOf([&] { folder.import("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + faces); });
    };
    const auto expected = [](const std::string& line, const std::string& found) -> std::vector<std::string> {
        return {"bad.obj: line " + line + ": ", "vertex '" + found + "'", "expected 1 to 3"};
    };
    EXPECT_TRUE(containsAll(message("f 1 2 3\nf 1 2 9\n"), expected("5", "9")));
    EXPECT_TRUE(containsAll(message("f 1/1/1 2/1/1 4/1/1 # a comment\nf 1 2 3\n"), expected("4", "4")));
    EXPECT_TRUE(containsAll(message("f 1 2 0\n"), expected("4", "0")));
    EXPECT_TRUE(containsAll(message("f -1 -2 -4\n"), expected("4", "-4")));
    EXPECT_TRUE(containsAll(message("f 1 2 x\n"), expected("4", "x")));
    EXPECT_TRUE(containsAll(message("f 1 \\\n2 8\n"), expected("5", "8")));
    EXPECT_TRUE(containsAll(message("f 1 2 99999999999999999999\n"), expected("4", "99999999999999999999")));
    EXPECT_TRUE(containsAll(message("f 1 2 -9223372036854775808\n"), expected("4", "-9223372036854775808")));
}

TEST(ImportObj, EveryWayToNameAVertexIsRead) {
    const TemporaryFolder folder;
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (const std::string face : {"f 1 2 3\n", "f -3 -2 -1\n", "f 1/7 2/7 3/7\n", "f 1//7 2//7 3//7\n",
                                   "f 1 \\\n2 3\n", "f 1 2 3\r\n", "f 1 2 3"}) {
        EXPECT_EQ(triangleCount(folder.import("good.obj", points + face)), 1U) << face;
    }
    // Before its vertices.
    EXPECT_EQ(triangleCount(folder.import("good.obj", "f 1 2 3\n" + points)), 1U);
}

TEST(ImportObj, AByteOrderMarkIsNoPartOfTheFirstStatement) {
    const TemporaryFolder folder;
    const std::string points = "\xEF\xBB\xBFv 0 0 0\nv 1 0 0\nv 0 1 0\n";
    EXPECT_EQ(triangleCount(folder.import("good.obj", points + "f 1 2 3\n")), 1U);
    // Read from a text without the indices of texture coordinates.
    EXPECT_EQ(triangleCount(folder.import("good.obj", points + "vn 0 0 1\nf 1/7/1 2/7/1 3/7/1\n")), 1U);
}

TEST(ImportObj, TrianglesWithoutAreaOnlyAreAnError) {
    const TemporaryFolder folder;
    // Collinear, but for rounding; and two corners alike.
    const std::string points = "v 0 0 0\nv 0.1 0.1 0.1\nv 0.3 0.3 0.3\nv 0 1 0\n";
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("zero.obj", points + "f 1 2 3\nf 1 4 4\n"); }),
                            {"zero.obj", "2 triangles", "no area", "at least one triangle with an area"}));
    EXPECT_EQ(triangleCount(folder.import("one.obj", points + "f 1 2 3\nf 1 2 4\n")), 2U);
}

TEST(ImportObj, TinyTrianglesHaveAnArea) {
    const TemporaryFolder folder;
    EXPECT_EQ(triangleCount(folder.import("tiny.obj", "v 0 0 0\nv 1e-9 0 0\nv 0 1e-9 0\nf 1 2 3\n")), 1U);
}

TEST(ImportObj, CoordinatesOfASurveyAreWarnedOf) {
    const TemporaryFolder folder;
    const auto logOf = [&](int east) {
        testing::internal::CaptureStderr();
        folder.import("far.obj", fmt::format("v {} 0 0\nv {} 0 0\nv {} 20 0\nf 1 2 3\n", east, east + 20, east));
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(logOf(1000), "");
    EXPECT_TRUE(containsAll(logOf(4'500'000), {"far.obj", "4.5e+06 m from its own origin", "20 m wide", "0.27 m off"}));
}

TEST(ImportStl, ReadsAsciiAndBinaryWithoutTheirNormals) {
    const TemporaryFolder folder;
    const ImportedModel ascii =
        folder.import("a.stl", "solid s\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 "
                               "0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n");
    EXPECT_EQ(triangleCount(ascii), 1U);
    EXPECT_TRUE(ascii.meshes.at(0).normals.empty());
    EXPECT_EQ(ascii.materials.at(0).albedo, glm::vec3(0.8F));

    std::string binary(80, ' ');
    append(binary, std::uint32_t{2});
    for (int i = 0; i < 2; ++i) {
        for (const float value : {0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, float(i)}) {
            append(binary, value);
        }
        append(binary, std::uint16_t{0});
    }
    EXPECT_EQ(triangleCount(folder.import("b.stl", binary)), 2U);
    const auto message = [&](const std::string& bytes) { return messageOf([&] { folder.import("bad.stl", bytes); }); };
    EXPECT_TRUE(
        containsAll(message(binary.substr(0, 100)), {"bad.stl: found 100 bytes, expected 184 for the 2 triangles"}));
    EXPECT_TRUE(containsAll(message("version 1\n"), {"bad.stl: found 10 bytes, expected the text 'solid'"}));
}

TEST(ImportDae, ReadsNodesUnitsMaterialsAndCameras) {
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("a.dae", R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_cameras><camera id="cam"><optics><technique_common><perspective><xfov>60</xfov><aspect_ratio>2</aspect_ratio>
<znear>0.1</znear><zfar>100</zfar></perspective></technique_common></optics></camera></library_cameras>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert>
<emission><color>2 0 0 1</color></emission><diffuse><color>0.25 0.5 0.75 1</color></diffuse>
</lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m" name="paint"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 100 0 0 0 0 100</float_array><technique_common>
<accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1" material="ms"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><translate>0 0 200</translate>
<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="ms" target="#m"/>
</technique_common></bind_material></instance_geometry></node>
<node id="c" name="eye"><instance_camera url="#cam"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)");
    ASSERT_EQ(model.meshInstances.size(), 1U);
    // The file's +Z is up and its unit a centimetre: (0, 0, 100) moved by (0, 0, 200) stands 3 m high.
    const Mesh& mesh = model.meshes.at(0);
    double top = 0.0;
    for (const glm::vec3& position : mesh.positions) {
        top = std::max(top, (model.meshInstances[0].worldFromMesh * glm::dvec4(glm::dvec3(position), 1.0)).y);
    }
    EXPECT_NEAR(top, 3.0, 1e-5);
    ASSERT_EQ(model.materials.size(), 1U);
    EXPECT_EQ(model.materials[0].name, "paint");
    EXPECT_EQ(model.materials[0].albedo, glm::vec3(0.25F, 0.5F, 0.75F));
    EXPECT_EQ(model.materials[0].emission, glm::vec3(2, 0, 0));
    ASSERT_EQ(model.cameras.size(), 1U);
    EXPECT_EQ(model.cameras[0].verticalFov, 40.0); // assimp 5.2 loses the angle
    // COLLADA cameras look along -Z of the file, which is down.
    EXPECT_NEAR(model.cameras[0].target.y - model.cameras[0].position.y, -1.0, 1e-6);
}

TEST(ImportFbx, ReadsCentimetresAsMetresAndCameras) {
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("a.fbx", R"(; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",1
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",2
		P: "FrontAxisSign", "int", "Integer", "",1
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",1
	}
}
Objects:  {
	Geometry: 1000, "Geometry::g", "Mesh" {
		Vertices: *12 {
			a: 0,0,0,100,0,0,100,100,0,0,100,0
		}
		PolygonVertexIndex: *4 {
			a: 0,1,2,-4
		}
		GeometryVersion: 124
	}
	Model: 2000, "Model::quad", "Mesh" {
		Version: 232
	}
	NodeAttribute: 3000, "NodeAttribute::lens", "Camera" {
		Properties70:  {
			P: "FieldOfView", "FieldOfView", "", "A",60
			P: "AspectWidth", "double", "Number", "",2
			P: "AspectHeight", "double", "Number", "",1
		}
		TypeFlags: "Camera"
	}
	Model: 4000, "Model::eye", "Camera" {
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",0,0,500
		}
	}
}
Connections:  {
	C: "OO",2000,0
	C: "OO",1000,2000
	C: "OO",4000,0
	C: "OO",3000,4000
}
)");
    ASSERT_EQ(model.meshInstances.size(), 1U);
    EXPECT_EQ(triangleCount(model), 2U);
    double width = 0.0;
    for (const glm::vec3& position : model.meshes[0].positions) {
        width = std::max(width, (model.meshInstances[0].worldFromMesh * glm::dvec4(glm::dvec3(position), 1.0)).x);
    }
    EXPECT_NEAR(width, 1.0, 1e-6);
    ASSERT_EQ(model.cameras.size(), 1U);
    EXPECT_NEAR(model.cameras[0].verticalFov, 2.0 * std::atan(std::tan(kPi / 6.0) / 2.0) * 180.0 / kPi, 1e-3);
    EXPECT_NEAR(model.cameras[0].position.z, 5.0, 1e-6);
    EXPECT_NEAR(model.cameras[0].target.x - model.cameras[0].position.x, 1.0, 1e-6); // FBX cameras look along +X
}

TEST(Import, KnowsItsExtensions) {
    EXPECT_TRUE(isModelFile("a.glb"));
    EXPECT_TRUE(isModelFile("dir.x/A.OBJ"));
    EXPECT_FALSE(isModelFile("a.json"));
    EXPECT_FALSE(isModelFile("glb"));
    for (const char* extension : {"glb", "gltf", "obj", "ply", "stl", "vox", "fbx", "dae", "3ds"}) {
        EXPECT_TRUE(isModelFile(std::string("a.") + extension));
    }
    EXPECT_TRUE(containsAll(messageOf([] { importModel("model.gtlf", {}); }),
                            {"model.gtlf", "'.gtlf'", ".ply", "did you mean 'gltf'"}));
}

TEST(Import, MissingFilesAreReported) {
    for (const char* name : {"missing.obj", "missing.glb", "missing.vox", "missing.fbx"}) {
        const TemporaryFolder folder;
        EXPECT_TRUE(containsAll(messageOf([&] { importModel(folder.path() / name, {}); }), {name, "no such file"}));
    }
}

TEST(Import, DamagedFilesOfEveryFormatAreErrors) {
    const TemporaryFolder folder;
    for (const std::string& extension : modelExtensions()) {
        EXPECT_TRUE(containsAll(messageOf([&] { folder.import("bad." + extension, "garbage \x01\x02\x03 garbage"); }),
                                {"bad." + extension}));
    }
}

} // namespace
} // namespace aureole::test
